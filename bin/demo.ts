/**
 * The main job in a few seconds: `npm run demo`. Starts the service in a folder that is thrown away, takes an
 * address, watches it, sends it a mail over SMTP, and reads the code out of what comes.
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
  const began = performance.now()
  const { response } = await transport.sendMail({
    from: 'Example Shop <no-reply@shop.example>',
    to: inbox.address,
    subject: 'Confirm your e-mail address',
    text: 'Welcome!\n\nYour verification code is 73 91 05. It expires in 10 minutes.\n',
  })
  say(`SMTP to ${mayfly.smtp.host}:${mayfly.smtp.port}`, response)

  const mail = (await arrival).value!
  const ms = performance.now() - began
  say(
    'for await (const mail of inbox.stream())',
    JSON.stringify({ subject: mail.subject, codes: mail.codes }),
  )
  say('await inbox.waitForCode()', await inbox.waitForCode())
  console.log(`\nThe mail was announced ${ms.toFixed(0)} ms after it was sent.`)
  await stream.return()
} finally {
  transport.close()
  await mayfly.stop()
}

function say(what: string, result: string): void {
  console.log(`${what}\n    → ${result}`)
}
