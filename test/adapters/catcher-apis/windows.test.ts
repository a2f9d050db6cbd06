import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type CatcherApis, createCatcherApis } from '../../../adapters/catcher-apis/catcher-apis.ts'
import { each } from '../../../adapters/catcher-apis/search.ts'
import { encodeMessageBody } from '../../../core/inbox/message-body.ts'
import { type MessageDetails, NO_VERDICTS } from '../../../reading/message.ts'
import { putDomain, sampleContent, sampleDomain, sampleMail } from '../../contract/sample.ts'
import { type OpenWriting, openWriting } from '../sqlite/store-temporary.ts'

/** More than any list has, and than one step of a search reads. */
const MESSAGES = 260

let store: OpenWriting
let apis: CatcherApis
/** Of all messages, newest first. */
let ids: string[]

beforeAll(async () => {
  store = openWriting(Date.now)
  const { domains, emails, blobs } = store.ports
  await putDomain(domains, sampleDomain({ name: 'a.test' }))
  const details: MessageDetails = {
    headers: [],
    messageId: null,
    date: null,
    attachments: [],
    verdicts: NO_VERDICTS,
    mailFrom: 'ann@shop.example',
    codeDetails: [],
  }
  const body = encodeMessageBody(details, { bodyText: 'x', bodyHtml: null }, sampleContent())
  const stored = Array.from({ length: MESSAGES }, async (_, n) => {
    const mail = sampleMail([`u${n}@a.test`])
    await blobs.put(mail.messageId, 'raw', Buffer.from('Subject: x\r\n\r\nx\r\n'))
    await blobs.put(mail.messageId, 'body', body)
    return (await emails.store(mail)).map(({ id }) => id)
  })
  store.writing.group.flush()
  ids = (await Promise.all(stored)).flat().sort().reverse()
  const { allMail } = store.ports
  apis = createCatcherApis({ allMail, blobs, needsKey: false } as never)
})
afterAll(() => store.close())

const ALL = '/api/v2/messages?'
const SEARCH = '/api/v2/search?kind=to&query=a.test&'
const MAILPIT = '/api/v1/messages?'
const MAILPIT_SEARCH = '/api/v1/search?query=addressed:a.test&'

test.each([
  ...[ALL, SEARCH, MAILPIT, MAILPIT_SEARCH].flatMap((list): [string, number, number][] => [
    [list, 0, 50],
    [`${list}start=0&limit=1`, 0, 1],
    [`${list}start=3&limit=250`, 3, 250],
    [`${list}start=${MESSAGES - 1}`, MESSAGES - 1, 1],
    [`${list}start=${MESSAGES}`, MESSAGES, 0],
    [`${list}start=999999999&limit=1`, 999999999, 0],
    [`${list}start=1000000000&limit=1000000000`, 0, 50],
    [`${list}start=-1&limit=1x`, 0, 50],
  ]),
  // MailHog lists at most 250 messages; Mailpit has no bound.
  [`${ALL}limit=251`, 0, 250],
  [`${SEARCH}limit=251`, 0, 250],
  [`${MAILPIT}limit=251`, 0, 251],
  [`${MAILPIT_SEARCH}limit=251`, 0, 251],
  [`${ALL}limit=0`, 0, 0],
  [`${MAILPIT}start=9&limit=0`, 9, MESSAGES],
])('%s: from %d, %d messages', async (path, start, count) => {
  const answer = await apis(new Request(`http://localhost${path}`), 'client')
  const list = await answer.json()
  const total = list.messages_count ?? list.total
  expect({ start: list.start, count: list.count, total }).toEqual({ start, count, total: MESSAGES })
  const listed = (list.items ?? list.messages).map(({ ID }: { ID: string }) => ID)
  expect(listed).toEqual(count === MESSAGES ? ids : ids.slice(start, start + count))
})

test('other requests go on between two steps of a list, and when a step has taken long', async () => {
  let turns = 0
  let next: NodeJS.Immediate | undefined
  const turn = () => {
    turns++
    next = setImmediate(turn)
  }
  turn()
  const seen: number[] = []
  for await (const _ of each(store.ports)) {
    seen.push(turns)
    const begun = performance.now()
    if (seen.length === 10) while (performance.now() - begun < 40);
  }
  clearImmediate(next)
  expect(seen).toHaveLength(MESSAGES)
  expect(seen[10]).toBeGreaterThan(seen[9]!)
  expect(seen[200]).toBeGreaterThan(seen[199]!)
})
