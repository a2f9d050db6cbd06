/** Hex SHA-256 of a text's UTF-8. */
export async function sha256(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  // Browsers give crypto.subtle to https and localhost only; the service is often looked at by plain http.
  const digest = globalThis.crypto?.subtle
    ? new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    : sha256Bytes(bytes)
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The first 32 bits of the fractional parts of the roots of the first primes (FIPS 180-4, 4.2.2 and 5.3.3). */
function primeRoots(count: number, root: number): number[] {
  const values: number[] = []
  for (let n = 2; values.length < count; n++) {
    let prime = true
    for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) prime = false
    if (prime) values.push(((n ** (1 / root) % 1) * 2 ** 32) | 0)
  }
  return values
}

/** FIPS 180-4, section 6.2. */
export function sha256Bytes(message: Uint8Array): Uint8Array {
  const k = primeRoots(64, 3)
  const hash = primeRoots(8, 2)
  const padded = new DataView(new ArrayBuffer((((message.length + 8) >> 6) << 6) + 64))
  for (const [i, byte] of message.entries()) padded.setUint8(i, byte)
  padded.setUint8(message.length, 0x80)
  padded.setUint32(padded.byteLength - 4, message.length * 8)
  const rotate = (x: number, n: number) => (x >>> n) | (x << (32 - n))
  const w = new Int32Array(64)
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = padded.getInt32(block + i * 4)
      else {
        const a = w[i - 15]!
        const b = w[i - 2]!
        const s0 = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
        const s1 = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
        w[i] = w[i - 16]! + s0 + w[i - 7]! + s1
      }
    }
    let [a, b, c, d, e, f, g, h] = hash as [number, number, number, number, number, number, number, number]
    for (let i = 0; i < 64; i++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + k[i]! + w[i]!) | 0
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
      ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0]
    }
    ;[a, b, c, d, e, f, g, h].forEach((value, i) => {
      hash[i] = (hash[i]! + value) | 0
    })
  }
  const digest = new DataView(new ArrayBuffer(32))
  for (const [i, value] of hash.entries()) digest.setInt32(i * 4, value)
  return new Uint8Array(digest.buffer)
}
