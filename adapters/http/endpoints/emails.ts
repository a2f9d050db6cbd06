import { answers, json } from '../answer.ts'
import { type Endpoint, endpoint } from '../endpoint.ts'
import { handOver, wholeEmail } from '../handover.ts'
import { DeletedAnswer, WholeEmailAnswer } from '../wire/email.ts'

export const readEmail = endpoint({
  method: 'GET',
  path: '/api/emails/:address/:id',
  name: 'readEmail',
  tag: 'Emails',
  description:
    'Returns the email with every field: both bodies, all headers, attachments, verdicts and the reasons for its codes. It is marked as read.',
  summary: 'One email whole; marks it as read',
  access: 'api key',
  inbox: 'header',
  answers: answers('The email', WholeEmailAnswer),
  problems: ['email_not_found'],
  handle: async ({ service, head, inbox, param }) => {
    if (head.method !== 'HEAD') return wholeEmail(await service.mailbox.read(inbox, param('id')))
    // HEAD is a safe method (RFC 9110, section 9.2.1): monitors and proxies send it unasked.
    await service.mailbox.find(inbox, param('id'))
    return new Response(null, { headers: { 'Content-Type': 'application/json' } })
  },
})

export const deleteEmail = endpoint({
  method: 'DELETE',
  path: '/api/emails/:address/:id',
  name: 'deleteEmail',
  tag: 'Emails',
  description:
    'Deletes the email. A message with several recipients keeps its bytes until the last copy is deleted.',
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

const bytesOr302 = (description: string, type: string, example: string): Endpoint['answers'] => ({
  200: { description, types: [type], example, headers: ['Accept-Ranges', 'Content-Disposition'] },
  206: {
    description: 'The bytes of one range, if the header Range asks for it',
    types: [type],
    example,
    headers: ['Accept-Ranges', 'Content-Disposition', 'Content-Range'],
  },
  302: { description: 'The bytes are at the Location, for some minutes' },
})

export const rawMessage = endpoint({
  method: 'GET',
  path: '/api/emails/:address/:id/raw',
  name: 'rawMessage',
  tag: 'Emails',
  description:
    'Returns the bytes as SMTP received them, either in the answer or at the URL of a redirect. The header `Range` selects a part.',
  summary: 'The message as it was received',
  access: 'api key',
  inbox: 'header',
  headers: ['Range'],
  answers: bytesOr302('The message', 'message/rfc822', 'Subject: Your code\r\n\r\nYour code is 482913\r\n'),
  problems: ['email_not_found', 'range_not_satisfiable'],
  handle: async ({ service, head, inbox, param }) =>
    handOver(await service.mailbox.raw(inbox, param('id')), head),
})

export const attachment = endpoint({
  method: 'GET',
  path: '/api/emails/:address/:id/attachments/:n',
  name: 'attachment',
  tag: 'Emails',
  description:
    'Returns the bytes of an attachment under its own content type, as a download, either in the answer or at the URL of a redirect. `attachments` of the email lists the positions.',
  summary: 'One attachment',
  access: 'api key',
  inbox: 'header',
  headers: ['Range'],
  answers: bytesOr302('The attachment, under its own content type', '*/*', '%PDF-1.7'),
  problems: ['email_not_found', 'attachment_not_found', 'range_not_satisfiable'],
  handle: async ({ service, head, inbox, param }) =>
    handOver(await service.mailbox.attachment(inbox, param('id'), param('n')), head),
})
