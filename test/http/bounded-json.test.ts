import { describe, expect, test } from '@jest/globals'
import { boundedJson } from '../../adapters/http/endpoints/bounded-json.ts'

/** An answer whose chunks have `size` bytes. */
function answer(value: unknown, size = 1, onRead = () => {}): Response {
  const bytes = Buffer.from(JSON.stringify(value))
  let at = 0
  return new Response(
    new ReadableStream<Uint8Array>({
      pull(controller) {
        onRead()
        if (at >= bytes.length) return controller.close()
        controller.enqueue(bytes.subarray(at, at + size))
        at += size
      },
    }),
  )
}

const email = (bodyText: string, bodyHtml: string | null) => ({
  success: true,
  email: {
    id: '1',
    headers: [{ name: 'a', value: '"body_text":' }],
    body_text: bodyText,
    body_html: bodyHtml,
  },
})

describe('an answer that is larger than is read', () => {
  const TEXT = 'a"\\\\"u00 \u0001\n\\u12é😀\\,"body_html":"x'

  test.each([
    [TEXT, null],
    [TEXT, TEXT],
    [TEXT.repeat(3), 'x'],
  ])('is an email with the beginning of its text, wherever it is cut: %j, %j', async (text, html) => {
    const whole = email(text, html)
    const bytes = Buffer.byteLength(JSON.stringify(whole))
    const head = JSON.stringify(whole).indexOf('"body_text":"') + 13
    for (let most = head; most < bytes; most++) {
      const found = (await boundedJson(answer(whole), most)) as typeof whole
      expect(text.startsWith(found.email.body_text)).toBe(true)
      expect(Buffer.byteLength(JSON.stringify(found.email.body_text))).toBeGreaterThan(
        Math.min(most - head - 8, Buffer.byteLength(JSON.stringify(text)) - 1),
      )
    }
  })

  test('is not read to its end', async () => {
    let chunks = 0
    await boundedJson(
      answer(email('x'.repeat(100_000), null), 1000, () => chunks++),
      5000,
    )
    expect(chunks).toBeLessThan(10)
  })
})

test('an answer of as many bytes as are read, or of fewer, is complete', async () => {
  const whole = email('é😀"', '<p>')
  const bytes = Buffer.byteLength(JSON.stringify(whole))
  for (const most of [bytes, 1000]) expect(await boundedJson(answer(whole), most)).toEqual(whole)
})
