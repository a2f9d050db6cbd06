import * as v from 'valibot'
import { count, ok } from './fields.ts'

export const CheckedLink = v.object({
  url: v.string(),
  status: v.nullable(count),
  redirects: v.array(v.string()),
  error: v.nullable(v.string()),
  ms: count,
})

export const LinkCheckAnswer = v.object({ success: ok, links: v.array(CheckedLink) })
