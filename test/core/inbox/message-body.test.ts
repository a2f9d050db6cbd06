import { describe, expect, test } from '@jest/globals'
import { decodeMessageBody, encodeMessageBody } from '../../../core/inbox/message-body.ts'
import type { MessageDetails } from '../../../reading/message.ts'
import { NO_VERDICTS } from '../../../reading/message.ts'

const DETAIL: MessageDetails = {
  headers: [{ name: 'Subject', value: 'two\nlines' }],
  messageId: null,
  date: null,
  attachments: [],
  verdicts: NO_VERDICTS,
  mailFrom: null,
}
const BODIES = { bodyText: 'a\nb', bodyHtml: '<p>a</p>' }

/** A stream of the store in pieces of this size, which records how it ended. */
function source(piece: number) {
  const bytes = encodeMessageBody(DETAIL, BODIES)
  const state = { returned: false }
  async function* stream() {
    try {
      for (let at = 0; at < bytes.length; at += piece) yield bytes.subarray(at, at + piece)
    } finally {
      state.returned = true
    }
  }
  return { state, stream: stream() }
}

describe('the content part', () => {
  test.each([1, 7, 100, 10_000])('comes back as it was put, in pieces of %d bytes', async (piece) => {
    const { details, bodies } = await decodeMessageBody(source(piece).stream)
    expect(details).toEqual(DETAIL)
    const chunks: Uint8Array[] = []
    for await (const chunk of bodies) chunks.push(chunk)
    expect(JSON.parse(Buffer.concat(chunks).toString())).toEqual({
      body_text: 'a\nb',
      body_html: '<p>a</p>',
    })
  })

  test.each([
    ['before they are read', 0],
    ['half-way', 1],
  ])('a consumer that leaves the bodies %s ends their source', async (_when, reads) => {
    const { state, stream } = source(50)
    const bodies = (await decodeMessageBody(stream)).bodies[Symbol.asyncIterator]()
    for (let i = 0; i < reads; i++) await bodies.next()
    expect(state.returned).toBe(false)
    await bodies.return!()
    expect(state.returned).toBe(true)
  })
})
