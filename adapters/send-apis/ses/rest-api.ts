import { Hono } from 'hono'
import type * as v from 'valibot'
import { jsonBody, type ProviderEnv } from '../provider.ts'
import { SendError, type SendErrorKind } from '../send-error.ts'
import { identityRoutes } from './identities.ts'
import {
  CreateTemplate,
  extras,
  headerOf,
  mailOf,
  partsOf,
  RenderTemplate,
  SendBulkEmail,
  SendEmail,
  type SendEmailInput,
  type Template,
  UpdateTemplate,
} from './rest-shapes.ts'
import { type BulkResult, checkEntries, type SesService } from './service.ts'
import { type SesTemplates, type TemplateParts, templateData } from './templates.ts'

/** Version 2 of the API. @see https://docs.aws.amazon.com/ses/latest/APIReference-V2 */
export function restRoutes(service: SesService): Hono<ProviderEnv> {
  const routes = new Hono<ProviderEnv>()
  routes.post('/v2/email/outbound-emails', async (c) =>
    c.json({ MessageId: await sendEmail(service, jsonBody(c, SendEmail), c.env.client) }),
  )
  routes.post('/v2/email/outbound-bulk-emails', async (c) => {
    const results = await sendBulk(service, jsonBody(c, SendBulkEmail), c.env.client)
    return c.json({ BulkEmailEntryResults: results.map(entryResult) })
  })
  routes.get('/v2/email/account', (c) => c.json(ACCOUNT))
  identityRoutes(routes, service.identities)
  templateRoutes(routes, service.templates)
  return routes
}

function templateRoutes(routes: Hono<ProviderEnv>, templates: SesTemplates): void {
  routes.post('/v2/email/templates', async (c) => {
    const { TemplateName, TemplateContent: content } = jsonBody(c, CreateTemplate)
    await templates.create(TemplateName, partsOf(content))
    return c.json({})
  })
  routes.get('/v2/email/templates', async (c) => {
    const page = await templates.list(
      Number(c.req.query('PageSize') ?? 10) || undefined,
      c.req.query('NextToken'),
    )
    return c.json({
      TemplatesMetadata: page.templates.map(({ name, createdAt }) => ({
        TemplateName: name,
        CreatedTimestamp: createdAt / 1000,
      })),
      NextToken: page.nextToken,
    })
  })
  routes.get('/v2/email/templates/:name', async (c) => {
    const TemplateName = c.req.param('name')
    const { subject, text, html } = await templates.get(TemplateName)
    return c.json({ TemplateName, TemplateContent: { Subject: subject, Text: text, Html: html } })
  })
  routes.put('/v2/email/templates/:name', async (c) => {
    await templates.update(c.req.param('name'), partsOf(jsonBody(c, UpdateTemplate).TemplateContent))
    return c.json({})
  })
  routes.delete('/v2/email/templates/:name', async (c) => {
    const name = c.req.param('name')
    if (await templates.remove(name)) return c.json({})
    throw new SendError('template_not_found', `Template ${name} does not exist.`)
  })
  routes.post('/v2/email/templates/:name/render', async (c) => {
    const { TemplateData } = jsonBody(c, RenderTemplate)
    return c.json({ RenderedTemplate: await templates.testRender(c.req.param('name'), TemplateData) })
  })
}

const ACCOUNT = {
  DedicatedIpAutoWarmupEnabled: false,
  EnforcementStatus: 'HEALTHY',
  ProductionAccessEnabled: true,
  SendQuota: { Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 0 },
  SendingEnabled: true,
}

/** @throws SendError */
async function sendEmail(service: SesService, input: SendEmailInput, client: string): Promise<string> {
  const { Simple, Raw, Template: template } = input.Content
  if (Raw) {
    const { ToAddresses = [], CcAddresses = [], BccAddresses = [] } = input.Destination
    const mailFrom = input.FeedbackForwardingEmailAddress ?? input.FromEmailAddress ?? undefined
    const recipients = [...ToAddresses, ...CcAddresses, ...BccAddresses]
    return service.sendRaw(Raw.Data, { mailFrom, recipients }, client)
  }
  const mail = mailOf(input, input.Destination, input.EmailTags)
  if (Simple) {
    const parts = { subject: Simple.Subject.Data, text: Simple.Body.Text?.Data, html: Simple.Body.Html?.Data }
    return service.send({ ...mail, ...extras(Simple) }, parts, client)
  }
  if (!template) throw new SendError('invalid', 'Content must have one of Simple, Raw and Template.')
  const data = templateData(template.TemplateData ?? undefined)
  const parts = await templateOf(service, template)
  return service.sendTemplated({ ...mail, ...extras(template) }, parts, data, client)
}

async function sendBulk(
  service: SesService,
  input: v.InferOutput<typeof SendBulkEmail>,
  client: string,
): Promise<BulkResult[]> {
  const { Template: template } = input.DefaultContent
  checkEntries(input.BulkEmailEntries)
  const parts = await templateOf(service, template)
  const defaults = templateData(template.TemplateData ?? undefined)
  const entries = input.BulkEmailEntries.map((entry) => {
    const replaced = entry.ReplacementEmailContent?.ReplacementTemplate?.ReplacementTemplateData
    const tags = [...input.DefaultEmailTags, ...entry.ReplacementTags]
    const { headers, attachments } = extras(template)
    const own = entry.ReplacementHeaders.map(headerOf)
    return {
      mail: { ...mailOf(input, entry.Destination, tags), headers: [...headers, ...own], attachments },
      data: { ...defaults, ...templateData(replaced ?? undefined) },
    }
  })
  return service.sendBulk(entries, parts, client)
}

/** @throws SendError `template_not_found` */
async function templateOf(
  service: SesService,
  template: v.InferOutput<typeof Template>,
): Promise<TemplateParts> {
  if (template.TemplateContent) return partsOf(template.TemplateContent)
  const name = template.TemplateName ?? template.TemplateArn?.split('/').at(-1)
  if (name === undefined)
    throw new SendError('invalid', 'Template needs TemplateName, TemplateArn or TemplateContent.')
  return service.templates.get(name)
}

function entryResult({ messageId, error }: BulkResult): Record<string, string | undefined> {
  if (error === undefined) return { Status: 'SUCCESS', MessageId: messageId }
  return { Status: BULK_STATUSES[error.kind] ?? 'FAILED', Error: error.message }
}

const BULK_STATUSES: Partial<Record<SendErrorKind, string>> = {
  invalid: 'INVALID_PARAMETER',
  rejected: 'MESSAGE_REJECTED',
  throttled: 'ACCOUNT_THROTTLED',
  rendering: 'INVALID_PARAMETER',
  too_large: 'INVALID_PARAMETER',
  unavailable: 'TRANSIENT_FAILURE',
}

const ERRORS: Record<SendErrorKind, [status: number, type: string]> = {
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

/** An error of version 2 (restJson1). */
export function restRefusal(error: SendError, requestId: string): Response {
  const [status, type] = ERRORS[error.kind]
  const headers = { 'x-amzn-ErrorType': type, 'x-amzn-RequestId': requestId }
  return Response.json({ message: error.message }, { status, headers })
}
