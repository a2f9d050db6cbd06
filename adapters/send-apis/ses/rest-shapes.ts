import * as v from 'valibot'
import type { Attachment, Header } from '../message.ts'
import { Base64 } from '../provider.ts'
import { SendError } from '../send-error.ts'
import type { SesMail } from './service.ts'
import type { TemplateParts } from './templates.ts'

const Texts = v.nullish(v.array(v.string()), [])
const Destination = v.nullish(v.object({ ToAddresses: Texts, CcAddresses: Texts, BccAddresses: Texts }), {})
const Data = v.object({ Data: v.string() })
const Headers = v.nullish(v.array(v.object({ Name: v.string(), Value: v.string() })), [])
const Tags = Headers
const Attachments = v.nullish(
  v.array(
    v.object({
      RawContent: Base64,
      FileName: v.string(),
      ContentType: v.nullish(v.string()),
      ContentDisposition: v.nullish(v.picklist(['ATTACHMENT', 'INLINE'])),
      ContentId: v.nullish(v.string()),
    }),
  ),
  [],
)
const TemplateContent = v.object({
  Subject: v.nullish(v.string()),
  Text: v.nullish(v.string()),
  Html: v.nullish(v.string()),
})
export const Template = v.object({
  TemplateName: v.nullish(v.string()),
  TemplateArn: v.nullish(v.string()),
  TemplateContent: v.nullish(TemplateContent),
  TemplateData: v.nullish(v.string()),
  Headers,
  Attachments,
})

const Common = {
  FromEmailAddress: v.nullish(v.string()),
  ReplyToAddresses: Texts,
  FeedbackForwardingEmailAddress: v.nullish(v.string()),
  ConfigurationSetName: v.nullish(v.string()),
}

export const SendEmail = v.object({
  ...Common,
  Destination,
  EmailTags: Tags,
  Content: v.object({
    Simple: v.nullish(
      v.object({
        Subject: Data,
        Body: v.object({ Text: v.nullish(Data), Html: v.nullish(Data) }),
        Headers,
        Attachments,
      }),
    ),
    Raw: v.nullish(v.object({ Data: Base64 })),
    Template: v.nullish(Template),
  }),
})

export const SendBulkEmail = v.object({
  ...Common,
  DefaultEmailTags: Tags,
  DefaultContent: v.object({ Template }),
  BulkEmailEntries: v.array(
    v.object({
      Destination,
      ReplacementTags: Tags,
      ReplacementHeaders: Headers,
      ReplacementEmailContent: v.nullish(
        v.object({
          ReplacementTemplate: v.nullish(v.object({ ReplacementTemplateData: v.nullish(v.string()) })),
        }),
      ),
    }),
  ),
})

export const CreateTemplate = v.object({ TemplateName: v.string(), TemplateContent })
export const UpdateTemplate = v.object({ TemplateContent })
export const RenderTemplate = v.object({ TemplateData: v.string() })

export type SendEmailInput = v.InferOutput<typeof SendEmail>

/** @throws SendError `invalid` */
export function mailOf(
  input: Pick<SendEmailInput, keyof typeof Common>,
  destination: SendEmailInput['Destination'],
  tags: { Name: string; Value: string }[],
): SesMail {
  if (!input.FromEmailAddress) throw new SendError('invalid', 'Missing required field: FromEmailAddress.')
  const { ToAddresses: to = [], CcAddresses: cc = [], BccAddresses: bcc = [] } = destination
  return {
    from: input.FromEmailAddress,
    returnPath: input.FeedbackForwardingEmailAddress ?? undefined,
    destination: { to, cc, bcc },
    replyTo: input.ReplyToAddresses,
    tags: tags.map(headerOf),
    configurationSet: input.ConfigurationSetName ?? undefined,
    headers: [],
    attachments: [],
  }
}

export function extras(content: {
  Headers: v.InferOutput<typeof Headers>
  Attachments: v.InferOutput<typeof Attachments>
}): { headers: Header[]; attachments: Attachment[] } {
  return {
    headers: content.Headers.map(headerOf),
    attachments: content.Attachments.map((attachment) => ({
      filename: attachment.FileName,
      contentType: attachment.ContentType ?? undefined,
      content: attachment.RawContent,
      contentId: attachment.ContentId?.replace(/^<|>$/g, '') || undefined,
      inline: attachment.ContentDisposition === 'INLINE',
    })),
  }
}

export function headerOf({ Name, Value }: { Name: string; Value: string }): Header {
  return { name: Name, value: Value }
}

export function partsOf({ Subject, Text, Html }: v.InferOutput<typeof TemplateContent>): TemplateParts {
  return { subject: Subject ?? undefined, text: Text ?? undefined, html: Html ?? undefined }
}
