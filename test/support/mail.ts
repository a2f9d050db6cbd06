import { createTransport } from 'nodemailer'
import type Mail from 'nodemailer/lib/mailer/index.js'

/** Sends a mail by a real SMTP client. The envelope recipient is `to` unless another is given. */
export async function sendMail(
  smtp: { host: string; port: number },
  mail: Mail.Options,
): Promise<{ response: string }> {
  const transport = createTransport({ ...smtp, secure: false, ignoreTLS: true })
  try {
    return await transport.sendMail({ from: 'Sender <sender@example.org>', ...mail })
  } finally {
    transport.close()
  }
}

let serial = 0

/** An address that no other test uses. */
export function freshAddress(domain = 'mayfly.test'): string {
  return `t${process.pid}x${Date.now().toString(36)}x${serial++}@${domain}`
}

/** Sends `count` emails over a few connections; `mailOf` gives the fields of each. */
export async function sendMany(
  smtp: { host: string; port: number },
  count: number,
  mailOf: (i: number) => Mail.Options,
): Promise<void> {
  const transport = createTransport({
    ...smtp,
    secure: false,
    ignoreTLS: true,
    pool: true,
    maxConnections: 4,
  })
  try {
    await Promise.all(
      Array.from({ length: count }, (_, i) =>
        transport.sendMail({ from: 'Sender <sender@example.org>', ...mailOf(i) }),
      ),
    )
  } finally {
    transport.close()
  }
}
