import { expect, test } from '@jest/globals'
import { publicInbox } from '../../../adapters/http/endpoints/inboxes.ts'
import { summary } from '../../../adapters/http/wire/email.ts'
import type { Email } from '../../../core/inbox/email.ts'
import { LIST_BYTES, LIST_READ_BYTES, SUMMARY_TEXT_BYTES } from '../../../core/limits.ts'
import { ask } from './ask.ts'

/** The ids and the cursor of a page, and the arguments with which the store was asked. */
async function page(emails: Email[], next: string | undefined, query = '') {
  const asked: unknown[][] = []
  const service = {
    keylessRate: { admit: () => {} },
    domainService: { open: async () => ({ name: 'x.test' }), checkStillOpen: async () => {} },
    mailbox: {
      list: async (...call: unknown[]) => {
        asked.push(call.slice(1))
        return { emails, next }
      },
    },
  }
  const { body } = await ask(service, [publicInbox], `/api/public/emails/A@x.test${query}`)
  expect([body.success, body.address]).toEqual([true, 'a@x.test'])
  return { ids: body.emails.map(({ id }: Email) => id), cursor: body.next_cursor, asked }
}

/** An email that takes this many bytes of a page, with the comma behind it. */
function emailOf(id: string, bytes: number): Email {
  const least = {
    id,
    subject: '',
    bodyText: '',
    attachments: [],
    receivedAt: 0,
    expiresAt: 0,
  } as unknown as Email
  const size = Buffer.byteLength(JSON.stringify(summary(least))) + 1
  return { ...least, subject: 'x'.repeat(bytes - size) }
}

const HALF = LIST_BYTES / 2

test('a page has as many emails as fit, at least one, and continues after the last of them', async () => {
  const whole = [emailOf('2', HALF), emailOf('1', HALF)]
  expect(await page(whole, undefined)).toMatchObject({ ids: ['2', '1'], cursor: null })
  expect(await page(whole, '0')).toMatchObject({ ids: ['2', '1'], cursor: '0' })
  expect(await page([emailOf('2', HALF), emailOf('1', HALF + 1)], '0')).toMatchObject({
    ids: ['2'],
    cursor: '2',
  })
  expect(await page([emailOf('1', 2 * LIST_BYTES)], undefined)).toMatchObject({ ids: ['1'], cursor: null })
  expect(await page([], undefined)).toMatchObject({ ids: [], cursor: null })
})

test('the store is asked for the page, and reads more only if the texts are cut', async () => {
  const id = '01J00000000000000000000000'
  const most = `?limit=7&cursor=${id}&since=${id}&from=a&subject=b&q=c&has=code&text_limit=`
  const request = {
    limit: 7,
    before: id,
    after: id,
    filter: { from: 'a', subject: 'b', q: 'c', has: 'code' },
  }
  expect((await page([], undefined, most + SUMMARY_TEXT_BYTES)).asked).toEqual([[request, LIST_BYTES]])
  expect((await page([], undefined, most + (SUMMARY_TEXT_BYTES - 1))).asked).toEqual([
    [request, LIST_READ_BYTES],
  ])
})
