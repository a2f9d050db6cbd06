import * as v from 'valibot'

/** Fields that several shapes share. */

export const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/

export const time = v.pipe(v.string(), v.isoTimestamp())
export const id = v.pipe(v.string(), v.regex(ULID, 'must be an email id'))
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
export const ok = v.literal(true)
