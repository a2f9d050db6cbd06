/**
 * Regular expressions for clients, without lookahead and named classes, which Go's engine and those
 * of generators do not have. Every address and domain that the service accepts matches; a text that
 * matches may still be refused, because its octets are too many or a character is not visible.
 */

/** A letter, digit or hyphen, or any character outside of ASCII. */
const INNER = '[^\\x00-,./:-@[-`{-\\x7F]'
/** The same without the hyphen. */
const EDGE = '[^\\x00-/:-@[-`{-\\x7F]'
/** The same without digits. */
const LETTER = '[^\\x00-@[-`{-\\x7F]'
const LABEL = `${EDGE}(?:${INNER}{0,61}${EDGE})?`
/** The last label is not all digits, otherwise the name is a number (RFC 3696, section 2). */
const LAST_LABEL = `(?:[0-9]*${LETTER}(?:${INNER}*${EDGE})?|[0-9]+-${INNER}*${EDGE})`

const ATOMS = '[^\\s\\x00-\\x20"(),:;<>@[\\\\\\]\\x7F]{1,64}'
const QUOTED = '"(?:[^"\\\\\\x00-\\x1F\\x7F]|\\\\[^\\x00-\\x1F\\x7F]){1,64}"'

/** At least two labels. */
export const DOMAIN_PATTERN = `^(?:${LABEL}\\.)+${LAST_LABEL}$`
export const ADDRESS_PATTERN = `^(?:${ATOMS}|${QUOTED})@(?:${LABEL}\\.)*${LAST_LABEL}$`
