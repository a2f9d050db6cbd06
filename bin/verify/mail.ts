import { type SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'

/** Sends a mail with this subject and text to an address of the service. */
export type SendMail = (address: string, subject: string, text: string) => Promise<void>

/** Returns a sender by Amazon SES, so through the MX record. @param from an identity in SES */
export function senderBySes(client: SESv2Client, from: string): SendMail {
  return async (address, subject, text) => {
    await client.send(
      new SendEmailCommand({
        FromEmailAddress: from,
        Destination: { ToAddresses: [address] },
        Content: { Simple: { Subject: { Data: subject }, Body: { Text: { Data: text } } } },
      }),
    )
  }
}
