import { answers, json } from '../answer.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { handOver, wholeEmail } from '../handover.ts'
import { DeletedAnswer, WholeEmailAnswer } from '../wire/email.ts'

// 11
export const readEmail = endpoint({
  method: 'GET',
  path: '/api/emails/:address/:id',
  name: 'readEmail',
  summary: 'One email whole; marks it as read',
  access: 'api key',
  inbox: 'header',
  answers: answers('The email', WholeEmailAnswer),
  problems: ['email_not_found'],
  handle: async ({ service, inbox, param }) => wholeEmail(await service.mailbox.read(inbox, param('id'))),
})

// 12
export const deleteEmail = endpoint({
  method: 'DELETE',
  path: '/api/emails/:address/:id',
  name: 'deleteEmail',
  summary: 'Deletes an email and its attachments for good',
  access: 'api key',
  inbox: 'header',
  answers: answers('It is gone', DeletedAnswer),
  problems: ['email_not_found'],
  handle: async ({ service, inbox, param }) => {
    await service.mailbox.remove(inbox, param('id'))
    return json({ success: true, id: param('id') })
  },
})

const bytesOr302 = (description: string, type: string): Endpoint['answers'] => ({
  200: { description, type },
  302: { description: 'The bytes are at the Location, for some minutes' },
})

// c
export const rawMessage = endpoint({
  method: 'GET',
  path: '/api/emails/:address/:id/raw',
  name: 'rawMessage',
  summary: 'The message as it was received',
  access: 'api key',
  inbox: 'header',
  answers: bytesOr302('The message', 'message/rfc822'),
  problems: ['email_not_found'],
  handle: async ({ service, inbox, param }) => handOver(await service.mailbox.raw(inbox, param('id'))),
})

// d
export const attachment = endpoint({
  method: 'GET',
  path: '/api/emails/:address/:id/attachments/:n',
  name: 'attachment',
  summary: 'One attachment',
  access: 'api key',
  inbox: 'header',
  answers: bytesOr302('The attachment, under its own content type', '*/*'),
  problems: ['email_not_found', 'attachment_not_found'],
  handle: async ({ service, inbox, param }) =>
    handOver(await service.mailbox.attachment(inbox, param('id'), param('n'))),
})
