import { expect, test } from '@jest/globals'
import { ALL_MAIL_ENDPOINTS } from '../../../adapters/http/endpoints/all-mail.ts'
import { sampleContent } from '../../contract/sample.ts'
import { ask, CLIENT } from './ask.ts'

const ID = '01K5K0000000000000000000A1'
const EMAIL = { ...sampleContent(), id: ID, address: 'a@x.test', receivedAt: 0, expiresAt: 1, read: false }

test.each([
  ['GET', '/api/emails/latest', 'latest'],
  ['GET', '/api/emails/wait', 'latest'],
  ['GET', '/api/emails/wait?order=newest', 'latest'],
  ['GET', '/api/emails/wait?order=oldest', 'oldest'],
  ['DELETE', '/api/emails', 'removeAll'],
])('%s %s asks for what matches and arrived since an email', async (method, path, wanted) => {
  const asked: unknown[] = []
  const followed: unknown[] = []
  const answering = (name: string, answer: unknown) => async (filter: object, after: string) => {
    asked.push([name, filter, after])
    return answer
  }
  const service = {
    apiKeyService: { authenticate: async () => ({ key: {} }), isOperator: () => true },
    allMailbox: {
      latest: answering('latest', EMAIL),
      oldest: answering('oldest', EMAIL),
      removeAll: answering('removeAll', 3),
    },
    live: {
      cover: () => undefined,
      follow: (request: object) => {
        followed.push(request)
        return () => {}
      },
    },
  }
  const query = `${path.includes('?') ? '&' : '?'}subject=x&since=${ID}`
  const { status, body } = await ask(service as object, ALL_MAIL_ENDPOINTS as never[], path + query, {
    method,
    headers: { 'X-API-Key': 'k' },
  })
  expect([status, asked]).toEqual([200, [[wanted, { subject: 'x' }, ID]]])
  expect(body).toMatchObject(method === 'DELETE' ? { deleted: 3 } : { email: { id: ID } })
  // A wait counts among the streams of its client.
  expect(followed).toMatchObject(path.includes('wait') ? [{ client: CLIENT }] : [])
  expect(body.order).toBe(/order=(\w+)/.exec(path)?.[1])
})
