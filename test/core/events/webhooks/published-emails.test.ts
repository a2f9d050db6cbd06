import { setImmediate as turn } from 'node:timers/promises'
import { beforeEach, expect, jest, test } from '@jest/globals'
import type { WebhookEmails } from '../../../../core/events/webhooks/delivery.ts'
import { PublishedEmails } from '../../../../core/events/webhooks/published-emails.ts'
import { emailOf } from '../../../../core/inbox/email.ts'
import { lastUlidOf } from '../../../../core/ulid.ts'
import { sampleContent } from '../../../contract/sample.ts'

const DOMAIN = 'mayfly.test'
const ADDRESS = `bot@${DOMAIN}`

const find = jest.fn<WebhookEmails['find']>()
let now: number
let emails: PublishedEmails

beforeEach(() => {
  find.mockReset().mockResolvedValue(undefined)
  now = 1_800_000_000_000
  emails = new PublishedEmails({ find }, () => now)
})

/** @param at Unix ms */
function publish(at = now) {
  const email = emailOf(sampleContent(), ADDRESS, lastUlidOf(at), 1000)
  emails.changed({ type: 'email', domain: DOMAIN, address: ADDRESS, email })
  return email
}

test('a published email is found without the store, until the next turn of the event loop', async () => {
  const [first, second] = [publish(), publish(now + 1)]
  expect(await emails.find(ADDRESS, second.id)).toEqual({ email: second })
  expect(await emails.find(ADDRESS, first.id)).toEqual({ email: first })
  expect(find).not.toHaveBeenCalled()
  await turn()
  expect(await emails.find(ADDRESS, first.id)).toBeUndefined()
  expect(find).toHaveBeenCalledWith(ADDRESS, first.id)
})

test('an email that is alone in its turn is forgotten too', async () => {
  const { id } = publish()
  await turn()
  expect(await emails.find(ADDRESS, id)).toBeUndefined()
  expect(find).toHaveBeenCalledTimes(1)
})

test('other emails are read from the store', async () => {
  publish()
  await emails.find(ADDRESS, 'other')
  await emails.find(`other@${DOMAIN}`, 'other')
  expect(find).toHaveBeenCalledTimes(2)
})

test('an email that has expired is read from the store', async () => {
  const { id } = publish()
  now += 1000
  expect(await emails.find(ADDRESS, id)).toBeUndefined()
  expect(find).toHaveBeenCalledTimes(1)
})

test.each([
  { type: 'email-deleted', domain: DOMAIN, address: ADDRESS, id: 'x' },
  { type: 'email-read', domain: DOMAIN, address: ADDRESS, id: 'x' },
  { type: 'inbox-cleared', domain: DOMAIN, address: ADDRESS },
  { type: 'domain', name: DOMAIN, domain: undefined },
] as const)('after $type the email is read from the store', async (change) => {
  const { id } = publish()
  emails.changed(change)
  expect(await emails.find(ADDRESS, id)).toBeUndefined()
  expect(find).toHaveBeenCalledTimes(1)
})
