import { createServer } from 'node:http'
import { listening } from '../support/http-server.ts'
import { sendMail } from '../support/mail.ts'

/** A user's web application: sign-up sends a code by mail, and the right code completes it. */
export async function startSignUpPage(smtp: {
  host: string
  port: number
}): Promise<{ url: string; close(): Promise<void> }> {
  const codes = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    const email = form.get('email') ?? ''
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    if (request.url === '/sign-up') {
      const code = String(Math.floor(100_000 + Math.random() * 900_000))
      codes.set(email, code)
      await sendMail(smtp, { to: email, subject: 'Welcome', text: `Your verification code is ${code}.` })
      response.end(`<form method="post" action="/confirm"><input type="hidden" name="email" value="${email}">
        <label>Code <input name="code"></label><button>Confirm</button></form>`)
    } else if (request.url === '/confirm') {
      response.end(codes.get(email) === form.get('code') ? '<h1>Welcome aboard</h1>' : '<h1>Wrong code</h1>')
    } else {
      response.end(`<form method="post" action="/sign-up">
        <label>Email <input name="email"></label><button>Sign up</button></form>`)
    }
  })
  return listening(server)
}
