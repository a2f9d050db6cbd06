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
  codeDetails: [],
}
const BODIES = { bodyText: 'a\nb', bodyHtml: '<p>a</p>' }
/** Of a text that the summary has whole, and of one that it has in part. */
const [WHOLE, CUT] = [
  { bodyText: 'a\nb', bodyTextTruncated: false },
  { bodyText: 'a', bodyTextTruncated: true },
]

/** A stream of the store in pieces of this size, which records how it ended. */
function source(piece: number, summary = CUT) {
  const bytes = encodeMessageBody(DETAIL, BODIES, summary)
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

describe('the body part', () => {
  test.each([
    [1, CUT],
    [7, CUT],
    [100, CUT],
    [10_000, CUT],
    [1, WHOLE],
    [100, WHOLE],
    [10_000, WHOLE],
  ])('comes back as it was put, in pieces of %d bytes, with the summary %j', async (piece, summary) => {
    const { details, bodies } = await decodeMessageBody(source(piece, summary).stream, summary)
    expect(details).toEqual(DETAIL)
    const chunks: Uint8Array[] = []
    for await (const chunk of bodies) chunks.push(chunk)
    const lines = Buffer.concat(chunks).toString().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(['a\nb', '<p>a</p>'])
  })

  test.each([
    ['before they are read', 0],
    ['half-way', 1],
  ])('a consumer that leaves the bodies %s ends their source', async (_when, reads) => {
    const { state, stream } = source(50)
    const bodies = (await decodeMessageBody(stream, CUT)).bodies[Symbol.asyncIterator]()
    for (let i = 0; i < reads; i++) await bodies.next()
    expect(state.returned).toBe(false)
    await bodies.return!()
    expect(state.returned).toBe(true)
  })

  test('comes back with its attachments and the fault of its reading', async () => {
    const attachments = [
      {
        id: '0',
        filename: null,
        contentType: 'text/plain',
        size: 3,
        inline: false,
        contentId: null,
        sha256: 'hash',
      },
    ]
    const more = { ...DETAIL, attachments, parseError: 'it is cut' }
    async function* stream() {
      yield encodeMessageBody(more, BODIES, CUT)
    }
    expect((await decodeMessageBody(stream(), CUT)).details).toEqual(more)
    expect((await decodeMessageBody(source(100).stream, CUT)).details).not.toHaveProperty('parseError')
  })

  test.each([
    ['has no second line', '{}'],
    ['is not JSON', 'x\n{}'],
  ])('that %s is a fault, and its source ends', async (_what, text) => {
    let returned = 0
    const chunks = [Buffer.from(text)]
    const iterator: AsyncIterator<Uint8Array> = {
      async next() {
        const value = chunks.shift()
        return value === undefined ? { done: true, value } : { done: false, value }
      },
      async return() {
        returned++
        return { done: true, value: undefined }
      },
    }
    const stream = { [Symbol.asyncIterator]: () => iterator }
    await expect(decodeMessageBody(stream, CUT)).rejects.toThrow()
    expect(returned).toBe(1)
  })

  test.each<[string, (stream: AsyncIterable<Uint8Array>) => Promise<unknown>, string]>([
    [
      'whose bodies are left',
      async (stream) => (await decodeMessageBody(stream, CUT)).bodies[Symbol.asyncIterator]().return!(),
      Buffer.from(encodeMessageBody(DETAIL, BODIES, CUT)).toString(),
    ],
    ['that is not JSON', (stream) => decodeMessageBody(stream, CUT).catch(() => {}), 'x\n{}'],
  ])('%s is done when its source has ended', async (_what, read, text) => {
    const ending = Promise.withResolvers<{ done: true; value: undefined }>()
    const asked = Promise.withResolvers<void>()
    const iterator = {
      next: async () => ({ done: false, value: Buffer.from(text) }),
      return: () => {
        asked.resolve()
        return ending.promise
      },
    }
    let isDone = false
    const reading = read({ [Symbol.asyncIterator]: () => iterator }).then(() => {
      isDone = true
    })
    await asked.promise
    await new Promise(setImmediate)
    expect(isDone).toBe(false)
    ending.resolve({ done: true, value: undefined })
    await reading
  })

  test('of a source without an end of its own is read and left', async () => {
    const of = (text: string): AsyncIterable<Uint8Array> => {
      const chunks = [Buffer.from(text)]
      const next = async (): Promise<IteratorResult<Uint8Array>> => {
        const value = chunks.shift()
        return value === undefined ? { done: true, value } : { done: false, value }
      }
      return { [Symbol.asyncIterator]: () => ({ next }) }
    }
    await expect(decodeMessageBody(of('{}'), CUT)).rejects.toThrow('the body part has no second line')
    const whole = Buffer.from(encodeMessageBody(DETAIL, BODIES, CUT)).toString()
    const bodies = (await decodeMessageBody(of(whole), CUT)).bodies[Symbol.asyncIterator]()
    expect(await bodies.return!()).toEqual({ done: true, value: undefined })
  })

  test('has a text once, if the summary has it', () => {
    const stored = Buffer.from(encodeMessageBody(DETAIL, BODIES, WHOLE)).toString()
    expect(stored.split('\n').slice(1)).toEqual(['', '"<p>a</p>"'])
  })

  test('hands out no empty chunk', async () => {
    const sizes: number[] = []
    for await (const { length } of (await decodeMessageBody(source(1).stream, CUT)).bodies) sizes.push(length)
    expect(new Set(sizes)).toEqual(new Set([1]))
  })
})
