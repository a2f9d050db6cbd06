/**
 * ULIDs (github.com/ulid/spec): 48 bits of Unix time in ms and 80 random bits, as 26 characters of
 * Crockford base 32. Their order as text is their order in time.
 */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const VALID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const RANDOM_BYTES = 10
const TIME_CHARACTERS = 10

/** Whether the text is a ULID in canonical upper-case form. */
export function isUlid(text: string): boolean {
  return VALID.test(text)
}

/** Returns the Unix time in ms of a ULID. */
export function ulidTime(id: string): number {
  let time = 0
  for (let i = 0; i < TIME_CHARACTERS; i++) time = time * 32 + ALPHABET.indexOf(id[i]!)
  return time
}

/**
 * Returns the greatest ULID of the millisecond `time`. An id is newer than `time` if it is greater
 * than this.
 */
export function lastUlidOf(time: number): string {
  return encodeTime(time) + 'Z'.repeat(16)
}

/**
 * Returns a source of ULIDs that always grow, also within a millisecond and when the clock steps
 * back: then it keeps the time of the last id and counts up the random part.
 *
 * @param random returns n random bytes
 * @param last the greatest id so far, if there is one (after a restart)
 */
export function ulidSource(
  clock: () => number,
  random: (size: number) => Uint8Array,
  last?: string,
): () => string {
  let time = last === undefined ? -1 : ulidTime(last)
  let tail = last === undefined ? [] : Array.from(last.slice(TIME_CHARACTERS), (c) => ALPHABET.indexOf(c))
  return () => {
    const now = clock()
    if (now > time) {
      time = now
      tail = base32(random(RANDOM_BYTES))
      // The first bit stays free, so that counting up never overflows in practice.
      tail[0]! &= 15
    } else {
      let i = tail.length - 1
      while (i >= 0 && tail[i] === 31) tail[i--] = 0
      if (i < 0) time++
      else tail[i]!++
    }
    let text = encodeTime(time)
    for (const digit of tail) text += ALPHABET[digit]
    return text
  }
}

function encodeTime(time: number): string {
  let text = ''
  for (let i = 0, rest = time; i < TIME_CHARACTERS; i++) {
    text = ALPHABET[rest % 32] + text
    rest = Math.floor(rest / 32)
  }
  return text
}

/** 10 bytes as 16 digits of 5 bits. */
function base32(bytes: Uint8Array): number[] {
  const digits: number[] = []
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= 5) {
      bits -= 5
      digits.push((value >>> bits) & 31)
      value &= (1 << bits) - 1
    }
  }
  return digits
}
