import { expect, test } from '@jest/globals'
import { mailgun } from '../../../adapters/send-apis/mailgun.ts'
import { postmark } from '../../../adapters/send-apis/postmark.ts'
import type { ProviderTools } from '../../../adapters/send-apis/provider.ts'
import { resend } from '../../../adapters/send-apis/resend.ts'
import { SendError, type SendErrorKind } from '../../../adapters/send-apis/send-error.ts'
import { sendgrid } from '../../../adapters/send-apis/sendgrid.ts'
import { ses } from '../../../adapters/send-apis/ses/routes.ts'

const TOOLS = { clock: () => 0 } as ProviderTools

/** What an SDK of the provider sees: the status, then its own code of the error. */
type Row = [status: number, code?: string | number]
type Table = Record<SendErrorKind, Row>

/** https://resend.com/docs/api-reference/errors */
const RESEND: Table = {
  unauthorized: [401, 'invalid_api_key'],
  invalid: [422, 'validation_error'],
  rejected: [422, 'validation_error'],
  throttled: [429, 'rate_limit_exceeded'],
  too_large: [413, 'validation_error'],
  unavailable: [503, 'application_error'],
  not_found: [404, 'not_found'],
  template_not_found: [404, 'not_found'],
  template_exists: [409, 'validation_error'],
  template_invalid: [422, 'validation_error'],
  rendering: [422, 'validation_error'],
  limit_exceeded: [429, 'monthly_quota_exceeded'],
  unknown_operation: [404, 'not_found'],
}

/** https://postmarkapp.com/developer/api/overview#error-codes */
const POSTMARK: Table = {
  unauthorized: [401, 10],
  invalid: [422, 300],
  rejected: [422, 406],
  throttled: [429, 429],
  too_large: [413, 413],
  unavailable: [503, 100],
  not_found: [422, 1101],
  template_not_found: [422, 1101],
  template_exists: [422, 1125],
  template_invalid: [422, 1109],
  rendering: [422, 1109],
  limit_exceeded: [422, 1105],
  unknown_operation: [404, 402],
}

/** https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html */
const SES_V2: Table = {
  unauthorized: [403, 'UnrecognizedClientException'],
  invalid: [400, 'BadRequestException'],
  rejected: [400, 'MessageRejected'],
  throttled: [429, 'TooManyRequestsException'],
  too_large: [400, 'BadRequestException'],
  unavailable: [503, 'InternalServiceErrorException'],
  not_found: [404, 'NotFoundException'],
  template_not_found: [404, 'NotFoundException'],
  template_exists: [400, 'AlreadyExistsException'],
  template_invalid: [400, 'BadRequestException'],
  rendering: [400, 'BadRequestException'],
  limit_exceeded: [400, 'LimitExceededException'],
  unknown_operation: [404, 'UnknownOperationException'],
}

/** https://docs.aws.amazon.com/ses/latest/APIReference/CommonErrors.html */
const SES_V1: Table = {
  unauthorized: [403, 'InvalidClientTokenId'],
  invalid: [400, 'InvalidParameterValue'],
  rejected: [400, 'MessageRejected'],
  throttled: [400, 'Throttling'],
  too_large: [400, 'InvalidParameterValue'],
  unavailable: [503, 'ServiceUnavailable'],
  not_found: [404, 'InvalidParameterValue'],
  template_not_found: [400, 'TemplateDoesNotExist'],
  template_exists: [400, 'AlreadyExists'],
  template_invalid: [400, 'InvalidTemplate'],
  rendering: [400, 'MissingRenderingAttribute'],
  limit_exceeded: [400, 'LimitExceeded'],
  unknown_operation: [400, 'InvalidAction'],
}

/** SendGrid and Mailgun have statuses only. */
const STATUS_ONLY: Table = {
  unauthorized: [401],
  invalid: [400],
  rejected: [400],
  throttled: [429],
  too_large: [413],
  unavailable: [503],
  not_found: [404],
  template_not_found: [404],
  template_exists: [409],
  template_invalid: [400],
  rendering: [400],
  limit_exceeded: [429],
  unknown_operation: [404],
}

const rows = (table: Table) =>
  Object.entries(table).map(([kind, row]) => [kind as SendErrorKind, row] as const)
const errorOf = (kind: SendErrorKind) => new SendError(kind, 'The reason.', ['a@b.example'])

test.each(rows(RESEND))('Resend: %s', async (kind, [status, name]) => {
  const answer = resend(TOOLS).refusal(errorOf(kind), 'id', '/emails')
  expect(answer.status).toBe(status)
  expect(await answer.json()).toEqual({ statusCode: status, name, message: 'The reason.' })
})

test.each(rows(POSTMARK))('Postmark: %s', async (kind, [status, ErrorCode]) => {
  const answer = postmark(TOOLS).refusal(errorOf(kind), 'id', '/email')
  expect(answer.status).toBe(status)
  expect(await answer.json()).toEqual({ ErrorCode, Message: expect.stringContaining('The reason.') })
})

test.each(rows(SES_V2))('Amazon SES v2: %s', async (kind, [status, type]) => {
  const answer = ses(TOOLS).refusal(errorOf(kind), 'id', '/v2/email/outbound-emails')
  expect(answer.status).toBe(status)
  expect(answer.headers.get('x-amzn-ErrorType')).toBe(type)
  expect(answer.headers.get('x-amzn-RequestId')).toBe('id')
  expect(await answer.json()).toEqual({ message: 'The reason.' })
})

test.each(rows(SES_V1))('Amazon SES v1: %s', async (kind, [status, code]) => {
  const answer = ses(TOOLS).refusal(errorOf(kind), 'id', '/')
  const blame = status < 500 ? 'Sender' : 'Receiver'
  expect(answer.status).toBe(status)
  expect(await answer.text()).toContain(
    `<Error><Type>${blame}</Type><Code>${code}</Code><Message>The reason.</Message></Error><RequestId>id</RequestId>`,
  )
})

test.each(rows(STATUS_ONLY))('SendGrid and Mailgun: %s', async (kind, [status]) => {
  const fromSendgrid = sendgrid(TOOLS).refusal(errorOf(kind), 'id', '/v3/mail/send')
  expect(fromSendgrid.status).toBe(status)
  expect(await fromSendgrid.json()).toEqual({ errors: [{ message: 'The reason.', field: null, help: null }] })
  const fromMailgun = mailgun(TOOLS).refusal(errorOf(kind), 'id', '/v3/a.example/messages')
  expect(fromMailgun.status).toBe(status)
  expect(await fromMailgun.json()).toEqual({ message: 'The reason.' })
})
