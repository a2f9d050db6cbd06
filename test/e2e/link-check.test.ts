import { createServer } from 'node:http'
import { expect, test } from '@jest/globals'
import { listening } from '../support/http-server.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { accessibilityFaults, inBrowser, newKey, openWithKey, PATIENCE_MS } from './browser.ts'
import { openMail, WIDE } from './inbox-steps.ts'

const OPERATOR = 'operator-key-of-this-test'

inBrowser('the link check on loopback', { MAYFLY_LINK_CHECK_HOSTS: '127.0.0.1' }, (stage) => {
  test(
    'requests links only when the button is pressed, and shows what each answered',
    async () => {
      const requested: string[] = []
      const target = await listening(
        createServer(({ url = '', method }, response) => {
          requested.push(`${method} ${url}`)
          if (url === '/old') response.writeHead(301, { Location: '/new' }).end()
          else response.writeHead(url === '/gone' ? 404 : 200).end()
        }),
      )
      try {
        const address = freshAddress()
        const links = ['/unsubscribe', '/old', '/gone'].map((path) => target.url + path)
        links.push('http://no-such-host.invalid/x', 'http://127.0.0.1:1/closed')
        await sendMail(stage().service.smtp, { to: address, subject: 'Links', text: links.join('\n') })
        const page = await stage().open(`/#${address}`, WIDE)
        await openMail(page, 'Links')
        await page.getByRole('tab', { name: 'Links 5' }).click()
        await page.getByText('This opens every link and can trigger it', { exact: false }).waitFor()
        expect(requested).toEqual([])
        await page.getByRole('button', { name: 'Check links' }).click()
        await page.getByText('3 of 5 do not work.').waitFor()
        const row = (path: string) =>
          page.getByRole('list', { name: 'Links' }).locator('li').filter({ hasText: path })
        expect(await row('/unsubscribe').locator('.chip').innerText()).toBe('200')
        expect(await row('/old').locator('p').innerText()).toBe(`Redirects to ${target.url}/new.`)
        expect(await row('/gone').locator('.chip').innerText()).toBe('404')
        expect(await page.locator('[role="status"] p.bad').allInnerTexts()).toEqual([
          'no-such-host.invalid was not found (DNS).',
          'The target refused the connection.',
        ])
        expect(requested.sort()).toEqual(['HEAD /gone', 'HEAD /new', 'HEAD /old', 'HEAD /unsubscribe'])
        expect(await accessibilityFaults(page)).toEqual([])
      } finally {
        await target.close()
      }
    },
    PATIENCE_MS,
  )
})

inBrowser('the link check elsewhere', { MAYFLY_HOST: '0.0.0.0', MAYFLY_API_KEYS: OPERATOR }, (stage) => {
  test(
    'is offered only to a browser with the operator’s key',
    async () => {
      const address = freshAddress()
      const text = 'http://127.0.0.1:1/internal'
      await sendMail(stage().service.smtp, { to: address, subject: 'Links', text })
      for (const key of [undefined, await newKey(stage().service)]) {
        const path = `/#${address}`
        const page = await (key === undefined
          ? stage().open(path, WIDE)
          : openWithKey(stage(), path, key, WIDE))
        await openMail(page, 'Links')
        const answered = page.waitForResponse(/\/api\/info/)
        await page.getByRole('tab', { name: 'Links 1' }).click()
        await answered
        await page.getByRole('list', { name: 'Links' }).waitFor()
        expect(await page.getByRole('button', { name: 'Check links' }).count()).toBe(0)
      }
      const page = await openWithKey(stage(), `/#${address}`, OPERATOR, WIDE)
      await openMail(page, 'Links')
      await page.getByRole('tab', { name: 'Links 1' }).click()
      await page.getByRole('button', { name: 'Check links' }).click()
      await page.getByText('The target is not on the public internet.').waitFor()
    },
    PATIENCE_MS,
  )
})
