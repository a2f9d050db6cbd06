import { randomInt } from 'node:crypto'
import type { SmtpAuth } from '../adapters/smtp/credentials.ts'
import { Problem } from '../core/errors.ts'

const SENDER = 'Mayfly <test@mayfly.example>'

/**
 * Sends a mail with a code to the service's own listener, as an application would. If the listener
 * requires a login, it uses TLS where that is offered, because the password is refused without it.
 * @throws Problem `domain_not_found` if the recipient is refused, `unavailable` if it is refused
 *   temporarily
 */
export async function sendTestMail(
  smtp: { host: string; port: number },
  smtpAuth: SmtpAuth,
  address: string,
): Promise<void> {
  // Imported only here, because only newcomers use it.
  const { createTransport } = await import('nodemailer')
  const security =
    typeof smtpAuth === 'string'
      ? { ignoreTLS: true }
      : { auth: { user: smtpAuth.user, pass: smtpAuth.password }, tls: { rejectUnauthorized: false } }
  const transport = createTransport({ ...smtp, secure: false, ...security })
  const code = String(randomInt(100_000, 1_000_000))
  try {
    await transport.sendMail({
      from: SENDER,
      to: address,
      subject: 'Your verification code',
      text: `Hello!\n\nYour verification code is ${code}.\n\nOr confirm here: https://mayfly.example/confirm?code=${code}\n`,
      html:
        `<p>Hello!</p><p>Your verification code is</p><p style="font-size:2em"><b>${code}</b></p>` +
        `<p><a href="https://mayfly.example/confirm?code=${code}">Confirm your address</a></p>`,
    })
  } catch (cause) {
    const { responseCode = 0 } = cause as { responseCode?: number }
    if (responseCode >= 500) throw new Problem('domain_not_found', 'The mail was refused.', { cause })
    throw new Problem('unavailable', 'The mail was not taken just now.', { retryAfter: 2, cause })
  }
}
