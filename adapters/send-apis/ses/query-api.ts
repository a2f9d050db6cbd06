import { Buffer } from 'node:buffer'
import * as v from 'valibot'
import { checkFormSize } from '../body-size.ts'
import { Base64, type ProviderContext, validated } from '../provider.ts'
import { SendError, type SendErrorKind } from '../send-error.ts'
import { IDENTITY } from './identities.ts'
import { parseQueryForm, type XmlValue, xmlOf } from './query.ts'
import { checkEntries, type SesMail, type SesService } from './service.ts'
import { type TemplateParts, templateData } from './templates.ts'

const NAMESPACE = 'http://ses.amazonaws.com/doc/2010-12-01/'

/** An empty list is sent as an empty text. */
const Texts = v.pipe(
  v.optional(v.union([v.array(v.string()), v.literal('')]), []),
  v.transform((list) => (list === '' ? [] : list)),
)
const Destination = v.object({ ToAddresses: Texts, CcAddresses: Texts, BccAddresses: Texts })
const Data = v.object({ Data: v.string() })
const Tags = v.optional(v.array(v.object({ Name: v.string(), Value: v.string() })), [])

const Common = {
  Source: v.string(),
  ReplyToAddresses: Texts,
  ReturnPath: v.optional(v.string()),
  ConfigurationSetName: v.optional(v.string()),
  Tags,
}

const SendEmail = v.object({
  ...Common,
  Destination,
  Message: v.object({
    Subject: Data,
    Body: v.object({ Text: v.optional(Data), Html: v.optional(Data) }),
  }),
})
const SendRawEmail = v.object({
  Source: v.optional(v.string()),
  Destinations: Texts,
  RawMessage: v.object({ Data: Base64 }),
})
const SendTemplatedEmail = v.object({
  ...Common,
  Destination,
  Template: v.string(),
  TemplateData: v.string(),
})
const SendBulkTemplatedEmail = v.object({
  ...Common,
  Template: v.string(),
  DefaultTemplateData: v.optional(v.string(), '{}'),
  DefaultTags: Tags,
  Destinations: v.array(
    v.object({ Destination, ReplacementTemplateData: v.optional(v.string()), ReplacementTags: Tags }),
  ),
})
const Template = v.object({
  Template: v.object({
    TemplateName: v.string(),
    SubjectPart: v.optional(v.string()),
    TextPart: v.optional(v.string()),
    HtmlPart: v.optional(v.string()),
  }),
})
const TemplateName = v.object({ TemplateName: v.string() })
const TestRender = v.object({ TemplateName: v.string(), TemplateData: v.string() })
const ListTemplates = v.object({ MaxItems: v.optional(v.string()), NextToken: v.optional(v.string()) })

type Operation = (
  service: SesService,
  input: unknown,
  client: string,
) => Promise<Record<string, XmlValue | undefined>>

const OPERATIONS: Record<string, Operation> = {
  async SendEmail(service, input, client) {
    const { Message, ...rest } = validated(SendEmail, input)
    const { Text, Html } = Message.Body
    const parts = { subject: Message.Subject.Data, text: Text?.Data, html: Html?.Data }
    return { MessageId: await service.send(mailOf(rest), parts, client) }
  },
  async SendRawEmail(service, input, client) {
    const { Source: mailFrom, Destinations: recipients, RawMessage } = validated(SendRawEmail, input)
    return { MessageId: await service.sendRaw(RawMessage.Data, { mailFrom, recipients }, client) }
  },
  async SendTemplatedEmail(service, input, client) {
    const { Template: name, TemplateData, ...rest } = validated(SendTemplatedEmail, input)
    const data = templateData(TemplateData)
    const template = await service.templates.get(name)
    return { MessageId: await service.sendTemplated(mailOf(rest), template, data, client) }
  },
  async SendBulkTemplatedEmail(service, input, client) {
    const {
      Template: name,
      Destinations,
      DefaultTags,
      DefaultTemplateData,
      ...rest
    } = validated(SendBulkTemplatedEmail, input)
    checkEntries(Destinations)
    const defaults = templateData(DefaultTemplateData)
    const entries = Destinations.map((entry) => ({
      mail: mailOf({
        ...rest,
        Destination: entry.Destination,
        Tags: [...DefaultTags, ...entry.ReplacementTags],
      }),
      data: { ...defaults, ...templateData(entry.ReplacementTemplateData) },
    }))
    const results = await service.sendBulk(entries, await service.templates.get(name), client)
    return {
      Status: results.map(({ messageId, error }) =>
        error === undefined
          ? { Status: 'Success', MessageId: messageId }
          : { Status: BULK_STATUSES[error.kind] ?? 'Failed', Error: error.message },
      ),
    }
  },
  async CreateTemplate({ templates }, input) {
    const { Template: template } = validated(Template, input)
    await templates.create(template.TemplateName, partsOf(template))
    return {}
  },
  async UpdateTemplate({ templates }, input) {
    const { Template: template } = validated(Template, input)
    await templates.update(template.TemplateName, partsOf(template))
    return {}
  },
  async GetTemplate({ templates }, input) {
    const { TemplateName: name } = validated(TemplateName, input)
    const { subject, text, html } = await templates.get(name)
    return { Template: { TemplateName: name, SubjectPart: subject, TextPart: text, HtmlPart: html } }
  },
  async DeleteTemplate({ templates }, input) {
    await templates.remove(validated(TemplateName, input).TemplateName)
    return {}
  },
  async ListTemplates({ templates }, input) {
    const { MaxItems, NextToken } = validated(ListTemplates, input)
    const page = await templates.list(Number(MaxItems ?? 10) || undefined, NextToken)
    return {
      TemplatesMetadata: page.templates.map(({ name, createdAt }) => ({
        Name: name,
        CreatedTimestamp: new Date(createdAt).toISOString(),
      })),
      NextToken: page.nextToken,
    }
  },
  async TestRenderTemplate({ templates }, input) {
    const { TemplateName: name, TemplateData } = validated(TestRender, input)
    return { RenderedTemplate: await templates.testRender(name, TemplateData) }
  },
  GetSendQuota: async () => ({ Max24HourSend: 50_000, MaxSendRate: 14, SentLast24Hours: 0 }),
  async VerifyEmailIdentity({ identities }, input) {
    identities.create(validated(v.object({ EmailAddress: IDENTITY }), input).EmailAddress)
    return {}
  },
  async ListIdentities({ identities }) {
    return { Identities: identities.created }
  },
  async GetIdentityVerificationAttributes(_service, input) {
    const { Identities } = validated(v.object({ Identities: Texts }), input)
    const attributes = Identities.map((name) => [name, { VerificationStatus: 'Success' }] as const)
    return { VerificationAttributes: new Map(attributes) }
  },
}

/**
 * Version 1 of the API: the operation is a parameter.
 * @see https://docs.aws.amazon.com/ses/latest/APIReference
 */
export async function handleQuery(service: SesService, c: ProviderContext): Promise<Response> {
  const { Action, ...parameters } = parseQueryForm(formText(c.var.body))
  const operation =
    typeof Action === 'string' && Object.hasOwn(OPERATIONS, Action) ? OPERATIONS[Action] : undefined
  if (operation === undefined) {
    const operations = Object.keys(OPERATIONS).join(', ')
    throw new SendError(
      'unknown_operation',
      `The action ${String(Action).slice(0, 200)} does not exist. Actions: ${operations}.`,
    )
  }
  const result = await operation(service, parameters, c.env.client)
  const body = { [`${Action}Result`]: result, ResponseMetadata: { RequestId: c.env.requestId } }
  return xml(`<${Action}Response xmlns="${NAMESPACE}">${xmlOf(body)}</${Action}Response>`, 200)
}

/** @throws SendError `too_large` */
function formText(body: Uint8Array): string {
  checkFormSize(body, '&')
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8')
}

function mailOf(input: Omit<v.InferOutput<typeof SendEmail>, 'Message'>): SesMail {
  const { ToAddresses: to, CcAddresses: cc, BccAddresses: bcc } = input.Destination
  return {
    from: input.Source,
    returnPath: input.ReturnPath,
    destination: { to, cc, bcc },
    replyTo: input.ReplyToAddresses,
    tags: input.Tags.map(({ Name, Value }) => ({ name: Name, value: Value })),
    configurationSet: input.ConfigurationSetName,
    headers: [],
    attachments: [],
  }
}

function partsOf(template: v.InferOutput<typeof Template>['Template']): TemplateParts {
  return { subject: template.SubjectPart, text: template.TextPart, html: template.HtmlPart }
}

const BULK_STATUSES: Partial<Record<SendErrorKind, string>> = {
  invalid: 'InvalidParameterValue',
  rejected: 'MessageRejected',
  throttled: 'AccountThrottled',
  rendering: 'InvalidParameterValue',
  too_large: 'InvalidParameterValue',
  unavailable: 'TransientFailure',
}

const ERRORS: Record<SendErrorKind, [status: number, code: string]> = {
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

/** An error of version 1 (awsQuery). */
export function queryRefusal(error: SendError, requestId: string): Response {
  const [status, Code] = ERRORS[error.kind]
  const body = {
    Error: { Type: status < 500 ? 'Sender' : 'Receiver', Code, Message: error.message },
    RequestId: requestId,
  }
  return xml(`<ErrorResponse xmlns="${NAMESPACE}">${xmlOf(body)}</ErrorResponse>`, status)
}

function xml(text: string, status: number): Response {
  return new Response(`<?xml version="1.0"?>\n${text}\n`, { status, headers: { 'Content-Type': 'text/xml' } })
}
