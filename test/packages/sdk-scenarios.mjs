/**
 * The promises of the SDK as plain functions, so that the same ones run in every runtime: Node in all its versions,
 * a browser, Deno, Bun. A scenario receives the class `Mayfly`, the URL of a service, and `post`, which sends a mail.
 */

/** @typedef {{ Mayfly: any, MailTimeoutError: any, UnexpectedMailError: any, url: string, apiKey: string, post: (mail: object) => Promise<void> }} World */

function equal(actual, expected) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (a !== b) throw new Error(`${a} is not ${b}`)
}

async function rejected(promise) {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

/** @type {Record<string, (world: World) => Promise<void>>} */
export const SCENARIOS = {
  async 'a wait for a code'({ Mayfly, url, apiKey, post }) {
    const inbox = await new Mayfly({ url, apiKey }).inbox({ prefix: 'signup' })
    if (!/^signup-[a-z]+\d+@mayfly\.test$/.test(inbox.address)) throw new Error(inbox.address)
    const code = inbox.waitForCode()
    await post({ to: inbox.address, subject: 'Welcome', text: 'Your verification code is 739105.' })
    equal(await code, '739105')
  },

  async 'waits return mails in the order in which they arrived, each once'(world) {
    const { Mayfly, url, apiKey, post } = world
    const inbox = await new Mayfly({ url, apiKey }).inbox()
    await post({ to: inbox.address, subject: 'Your code', text: 'Your code is 111222.' })
    await post({ to: inbox.address, subject: 'Welcome', text: 'Hello' })
    await post({ to: inbox.address, subject: 'Your code', text: 'Your code is 333444.' })
    equal((await inbox.waitForMail({ subject: /^welcome/i })).subject, 'Welcome')
    equal(await inbox.waitForCode(), '111222')
    equal(await inbox.waitForCode({ subject: 'CODE' }), '333444')
    const next = inbox.waitForMail({ from: /^sender@/ })
    await post({ to: inbox.address, subject: 'Late', text: 'Hello' })
    equal((await next).subject, 'Late')
    equal((await rejected(inbox.waitForMail({ timeout: 0 }))).name, 'MailTimeoutError')
    equal(
      (await inbox.mails()).map((mail) => mail.subject),
      ['Late', 'Your code', 'Welcome', 'Your code'],
    )
  },

  async 'several mails in one wait, and two waits at the same time'({ Mayfly, url, apiKey, post }) {
    const inbox = await new Mayfly({ url, apiKey }).inbox()
    const three = inbox.waitForMails({ count: 3 })
    for (const subject of ['1', '2', '3']) await post({ to: inbox.address, subject, text: 'x' })
    equal(
      (await three).map((mail) => mail.subject),
      ['1', '2', '3'],
    )
    const two = Promise.all([inbox.waitForMail(), inbox.waitForMail()])
    for (const subject of ['4', '5']) await post({ to: inbox.address, subject, text: 'x' })
    equal((await two).map((mail) => mail.subject).sort(), ['4', '5'])
  },

  async 'a link by pattern, part or predicate'({ Mayfly, url, apiKey, post }) {
    const inbox = await new Mayfly({ url, apiKey }).inbox()
    const text = 'Confirm: https://shop.example/confirm?t=1\nTerms: https://shop.example/terms\n'
    for (let n = 0; n < 3; n++) await post({ to: inbox.address, subject: 'Confirm', text })
    equal(await inbox.waitForLink(/\/confirm\?/g), 'https://shop.example/confirm?t=1')
    equal(await inbox.waitForLink('/terms'), 'https://shop.example/terms')
    equal(await inbox.waitForLink((link) => link.endsWith('t=1')), 'https://shop.example/confirm?t=1')
  },

  async 'a wait for the action link'({ Mayfly, url, apiKey, post }) {
    const inbox = await new Mayfly({ url, apiKey }).inbox()
    const link = inbox.waitForLink({ q: 'welcome' })
    await post({
      to: inbox.address,
      subject: 'News',
      html: '<a href="https://shop.example/blog">Read more</a>',
    })
    const html = '<p>Welcome!</p><a href="https://shop.example/verify?t=1">Confirm your email address</a>'
    await post({ to: inbox.address, subject: 'Hello', html })
    equal(await link, 'https://shop.example/verify?t=1')
    const [{ actionLink }] = await inbox.mails({ has: 'action_link' })
    equal(actionLink, {
      url: 'https://shop.example/verify?t=1',
      text: 'Confirm your email address',
      kind: 'confirm',
    })
    const error = await rejected(inbox.waitForLink({ timeout: 0 }))
    if (!error.message.includes('no action link')) throw error
  },

  async 'a time-out lists the mails that arrived'({ Mayfly, MailTimeoutError, url, apiKey, post }) {
    const inbox = await new Mayfly({ url, apiKey }).inbox()
    await post({ to: inbox.address, subject: 'Newsletter', text: 'Read https://news.example/today' })
    const error = await rejected(inbox.waitForCode({ subject: /code/, timeout: 300 }))
    if (!(error instanceof MailTimeoutError)) throw error
    equal(
      error.arrived.map((mail) => mail.subject),
      ['Newsletter'],
    )
    if (!/No code with subject \/code\/ arrived for .*"Newsletter"/s.test(error.message)) throw error
    if (error.waitedMs < 300) throw new Error(`waited ${error.waitedMs} ms`)
  },

  async 'expecting no mail succeeds without one and fails with one'(world) {
    const { Mayfly, UnexpectedMailError, url, apiKey, post } = world
    const inbox = await new Mayfly({ url, apiKey }).inbox()
    await inbox.expectNoMail({ within: 200 })
    await post({ to: inbox.address, subject: 'Reset your password', text: 'x' })
    await inbox.expectNoMail({ within: 100, subject: 'invoice' })
    const error = await rejected(inbox.expectNoMail({ within: 1000 }))
    if (!(error instanceof UnexpectedMailError)) throw error
    equal((await inbox.waitForMail({ timeout: 0 })).subject, 'Reset your password')
  },

  async 'every part of a mail'({ Mayfly, url, apiKey, post }) {
    const inbox = await new Mayfly({ url, apiKey }).inbox()
    const attachments = [{ filename: 'zahlen.csv', content: 'ä;1' }]
    await post({
      to: inbox.address,
      subject: 'Report',
      text: 'See file',
      html: '<b>See</b> file',
      attachments,
    })
    const mail = await inbox.waitForMail({ has: 'attachment' })
    equal([mail.text.trim(), mail.code, mail.codes, mail.actionLink], ['See file', null, [], null])
    equal(await mail.html(), '<b>See</b> file')
    equal((await mail.attachments[0].info()).filename, 'zahlen.csv')
    equal(await mail.attachments[0].text(), 'ä;1')
    if (!new TextDecoder().decode(await mail.raw()).includes('Subject: Report')) throw new Error('raw')
    await mail.delete()
    equal(await inbox.latest(), null)
    equal(await inbox.clear(), 0)
  },

  async 'a stream has the mails that are there and those that arrive, each once'({
    Mayfly,
    url,
    apiKey,
    post,
  }) {
    const inbox = await new Mayfly({ url, apiKey }).inbox()
    for (const subject of ['1', '2']) await post({ to: inbox.address, subject, text: 'x' })
    const subjects = []
    for await (const mail of inbox.stream()) {
      subjects.push(mail.subject)
      if (subjects.length === 2) await post({ to: inbox.address, subject: '3', text: 'x' })
      if (subjects.length === 3) break
    }
    equal(subjects, ['1', '2', '3'])
  },

  async 'an existing address is opened at its end, or with its history'({ Mayfly, url, apiKey, post }) {
    const mayfly = new Mayfly({ url, apiKey })
    const { address } = await mayfly.inbox()
    await post({ to: address, subject: 'before', text: 'x' })
    const inbox = await mayfly.inbox({ address })
    await post({ to: address, subject: 'after', text: 'x' })
    equal((await inbox.waitForMail()).subject, 'after')
    equal((await inbox.mails()).length, 1)
    const whole = await mayfly.inbox({ address, history: true })
    equal((await whole.waitForMail()).subject, 'before')
  },

  async 'an abort rejects with the reason of the caller'({ Mayfly, url, apiKey }) {
    const inbox = await new Mayfly({ url, apiKey }).inbox()
    const reason = new Error('enough')
    equal((await rejected(inbox.waitForMail({ signal: AbortSignal.abort(reason) }))).message, 'enough')
    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 100)
    equal((await rejected(inbox.waitForMail({ signal: controller.signal }))).message, 'enough')
    const stream = inbox.stream({ signal: controller.signal })
    equal((await rejected(stream.next())).message, 'enough')
  },
}

/** Runs them one after the other, because a browser has few connections to a host; returns a line for each failure. */
export async function runAll(world) {
  const failures = []
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    try {
      await scenario(world)
    } catch (error) {
      failures.push(`${name}: ${error?.stack ?? error}`)
    }
  }
  return failures
}
