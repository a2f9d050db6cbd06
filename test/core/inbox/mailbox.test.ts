import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { Mailbox } from '../../../core/inbox/mailbox.ts'
import type { Part } from '../../../core/inbox/ports.ts'
import { openTemporary } from '../../adapters/sqlite/store-temporary.ts'
import { sampleMail, uniqueAddress } from '../../contract/sample.ts'

let store: Awaited<ReturnType<typeof openTemporary>>
let mailbox: Mailbox

beforeEach(async () => {
  store = await openTemporary()
  mailbox = new Mailbox(store.emails, store.blobs)
})
afterEach(() => store.close())

const inbox = (address: string) => ({ address, registration: { visible_after: '' } })
const PARTS: Part[] = ['raw', 'content', 'attachments/0']

/** Stores a mail with its parts. Its delivery and the ids of its emails. */
async function receive(recipients: string[]): Promise<{ delivery: string; ids: string[] }> {
  const mail = sampleMail(recipients)
  for (const part of PARTS) await store.blobs.put(mail.delivery, part, Buffer.alloc(300_000))
  const emails = await store.emails.store(mail)
  return { delivery: mail.delivery, ids: emails.map(({ id }) => id) }
}

/** The parts of a delivery that are still there. */
async function kept(delivery: string): Promise<Part[]> {
  const found: Part[] = []
  for (const part of PARTS) if ((await store.blobs.open(delivery, part)) !== undefined) found.push(part)
  return found
}

describe('the bytes of a message', () => {
  test('stay until its last copy is deleted, and are gone then', async () => {
    const [one, two] = [uniqueAddress(), uniqueAddress()]
    const { delivery, ids } = await receive([one, two])
    await mailbox.remove(inbox(one), ids[0]!)
    expect(await kept(delivery)).toEqual(PARTS)
    await mailbox.remove(inbox(two), ids[1]!)
    expect(await kept(delivery)).toEqual([])
  })

  test('go with an inbox that is emptied, where nobody else has a copy', async () => {
    const [one, two] = [uniqueAddress(), uniqueAddress()]
    const alone = await receive([one])
    const shared = await receive([one, two])
    expect(await mailbox.removeAll(inbox(one))).toBe(2)
    expect(await kept(alone.delivery)).toEqual([])
    expect(await kept(shared.delivery)).toEqual(PARTS)
    expect(await mailbox.removeAll(inbox(two))).toBe(1)
    expect(await kept(shared.delivery)).toEqual([])
  })
})
