import * as v from 'valibot'

/** An OpenAPI document, as far as its clients must recognize it. */
export const OpenApiAnswer = v.looseObject({
  openapi: v.pipe(v.string(), v.regex(/^3\.1\./)),
  info: v.looseObject({ title: v.string(), version: v.string() }),
  paths: v.looseObject({}),
})
