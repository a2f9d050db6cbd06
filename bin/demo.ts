/**
 * Shows the main use in a few seconds: `npm run demo`. Starts a service with a temporary store,
 * creates an address, follows it, sends a mail to it by SMTP, and waits for the code.
 */
import { createTransport } from 'nodemailer'
import { startMayfly } from '../packages/mayfly/src/start.ts'

const mayfly = await startMayfly()
const transport = createTransport({ ...mayfly.smtp, ignoreTLS: true })

try {
  const inbox = await mayfly.inbox()
  say('const inbox = await mayfly.inbox()', inbox.address)

  const stream = inbox.stream()
  const arrival = stream.next()
  const { response } = await transport.sendMail({
    from: 'Example Shop <no-reply@shop.example>',
    to: inbox.address,
    subject: 'Confirm your e-mail address',
    text: 'Welcome!\n\nYour verification code is 73 91 05. It expires in 10 minutes.\n',
  })
  say(`SMTP to ${mayfly.smtp.host}:${mayfly.smtp.port}`, response)

  const { value: mail } = await arrival
  say(
    'for await (const mail of inbox.stream())',
    JSON.stringify({ subject: mail?.subject, codes: mail?.codes }),
  )
  say('await inbox.waitForCode()', await inbox.waitForCode())
  await stream.return()
} finally {
  await mayfly.stop()
}

function say(what: string, result: string): void {
  console.log(`${what}\n    → ${result}`)
}
