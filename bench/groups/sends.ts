import { SESv2Client, SendEmailCommand } from '@aws-sdk/client-sesv2'
import { createTransport } from 'nodemailer'
import { Resend } from 'resend'
import type { RunningService } from '../../test/support/service.ts'
import type { Figure, Group } from '../support/figures.ts'
import { median } from '../support/quantiles.ts'
import { startService } from '../support/service.ts'

interface Mail {
  to: string
  text: string
  attachment: Buffer | undefined
}

interface Way {
  name: string
  send(mail: Mail): Promise<unknown>
  close?(): void
}

const FROM = 'shop@example.com'
const SIZES = [
  { name: '2 KB', bytes: 0, mails: 300 },
  { name: '1 MB', bytes: 1_000_000, mails: 30 },
]
/** Nodemailer connects for each mail unless the application asks for a pool. */
const REFERENCE = 'SMTP, one connection for each mail'

function waysTo(service: RunningService): Way[] {
  const smtp = { ...service.smtp, ignoreTLS: true }
  const single = createTransport(smtp)
  const pool = createTransport({
    ...smtp,
    pool: true,
    maxConnections: 1,
    maxMessages: Number.POSITIVE_INFINITY,
  })
  const ses = new SESv2Client({
    endpoint: `${service.http}/ses`,
    region: 'us-east-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'bench' },
  })
  const resend = new Resend('bench', { baseUrl: `${service.http}/resend` })
  const mime = ({ to, text, attachment }: Mail) => ({
    from: FROM,
    to,
    subject: 'Your code',
    text,
    attachments: attachment === undefined ? [] : [{ filename: 'a.bin', content: attachment }],
  })
  return [
    { name: REFERENCE, send: (mail) => single.sendMail(mime(mail)) },
    {
      name: 'SMTP, one connection for all',
      send: (mail) => pool.sendMail(mime(mail)),
      close: () => pool.close(),
    },
    {
      name: 'SES v2',
      send: ({ to, text, attachment }) =>
        ses.send(
          new SendEmailCommand({
            FromEmailAddress: FROM,
            Destination: { ToAddresses: [to] },
            Content: {
              Simple: {
                Subject: { Data: 'Your code' },
                Body: { Text: { Data: text } },
                ...(attachment && { Attachments: [{ FileName: 'a.bin', RawContent: attachment }] }),
              },
            },
          }),
        ),
    },
    {
      name: 'Resend',
      async send({ to, text, attachment }) {
        const attachments = attachment === undefined ? [] : [{ filename: 'a.bin', content: attachment }]
        const { error } = await resend.emails.send({
          from: FROM,
          to,
          subject: 'Your code',
          text,
          attachments,
        })
        if (error !== null) throw new Error(error.message)
      },
    },
  ]
}

/**
 * How long a client waits until its mail is stored, by SMTP (Nodemailer) and by the send APIs (the official
 * SDKs): one mail after the other, each way in turn, so that all of them meet the same load of the machine. The
 * time of the client's own library is included. Medians, after a third as many mails of warm-up.
 */
export const sends: Group = {
  name: 'sends',
  async measure({ quick, progress }) {
    const service = await startService()
    const ways = waysTo(service)
    const figures: Figure[] = []
    try {
      for (const { name: size, bytes, mails } of SIZES) {
        progress(size)
        const count = quick ? Math.ceil(mails / 10) : mails
        const times = await timesOf(ways, count, bytes === 0 ? undefined : Buffer.alloc(bytes, 'mayfly'))
        const reference = median(times.get(REFERENCE) ?? [])
        for (const { name } of ways) {
          const ms = median(times.get(name) ?? [])
          figures.push({ name: `${size}: ${name}`, value: ms, unit: 'ms' })
          if (name.startsWith('SMTP')) continue
          const target = { most: 1.3 }
          figures.push({
            name: `${size}: ${name}, relative to SMTP`,
            value: ms / reference,
            unit: 'times',
            target,
          })
        }
      }
      return { figures }
    } finally {
      for (const way of ways) way.close?.()
      await service.stop()
    }
  },
}

async function timesOf(
  ways: Way[],
  count: number,
  attachment: Buffer | undefined,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>()
  const text = `Your verification code is 482913.\n${'x'.repeat(2000)}`
  for (let n = -Math.ceil(count / 3); n < count; n++) {
    for (const [index, { name, send }] of ways.entries()) {
      const began = performance.now()
      await send({ to: `bench${Math.abs(n)}way${index}@mayfly.test`, text, attachment })
      if (n >= 0) times.set(name, [...(times.get(name) ?? []), performance.now() - began])
    }
  }
  return times
}
