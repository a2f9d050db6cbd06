import { expect, test } from '@jest/globals'
import { emailOf } from '../../../core/inbox/email.ts'
import { lastUlidOf } from '../../../core/ulid.ts'
import { sampleContent } from '../../contract/sample.ts'

const TIME = Date.UTC(2026, 0, 2)

test('an email has the times of its id and is unread', () => {
  const content = sampleContent()
  const id = lastUlidOf(TIME)
  expect(emailOf(content, 'a@x.test', id, 3_600_000)).toEqual({
    ...content,
    id,
    address: 'a@x.test',
    receivedAt: TIME,
    expiresAt: TIME + 3_600_000,
    read: false,
  })
})
