import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { writingTo } from '../../../adapters/sqlite/writing.ts'
import { HOUR_MS, sampleMail, uniqueAddress } from '../../contract/sample.ts'
import { type OpenWriting, openWriting } from './store-temporary.ts'

let opened: OpenWriting

beforeEach(() => {
  opened = openWriting(Date.now)
})
afterEach(() => opened.close())

/** The id of the next mail of a service that starts now, with this clock. */
async function idAfterRestart(clock: () => number): Promise<string> {
  const { commands } = writingTo(opened.db, clock, { publish() {} })
  const [email] = await commands.storeEmails(sampleMail([uniqueAddress()]), new Map())
  return email!.id
}

test('ids grow over restarts, even if the clock was set back', async () => {
  const ids: string[] = []
  for (const ago of [0, HOUR_MS, 2 * HOUR_MS, 0]) ids.push(await idAfterRestart(() => Date.now() - ago))
  expect([...ids].sort()).toEqual(ids)
  expect(new Set(ids).size).toBe(4)
})

test('a transaction without mail writes no id', async () => {
  await opened.writing.commands.removeParts('1')
  expect(reserved()).toBeUndefined()
  const id = await idAfterRestart(Date.now)
  expect(reserved()! > id).toBe(true)
})

test('the mails of 100 ms share one reservation, which no id exceeds', async () => {
  let now = Date.now()
  const { commands } = writingTo(opened.db, () => now, { publish() {} })
  const seen = new Set<string>()
  for (let mail = 0; mail < 20; mail++, now += 20) {
    const [email] = await commands.storeEmails(sampleMail([uniqueAddress()]), new Map())
    expect(reserved()! > email!.id).toBe(true)
    seen.add(reserved()!)
  }
  expect(seen.size).toBe(4)
  // The process ended before it used all that it had reserved.
  expect((await idAfterRestart(() => now)) > [...seen].at(-1)!).toBe(true)
})

function reserved(): string | undefined {
  const found = opened.db.raw.prepare("SELECT value FROM meta WHERE name = 'last_id'").get()
  return found?.value as string | undefined
}
