import { createHash } from 'node:crypto'
import { afterAll, expect, test } from '@jest/globals'
import { startDns, type TestDns } from '../support/dns-server.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { PHONE } from './inbox-steps.ts'

const MX = 'mx.mayfly.example'
const dns: TestDns = await startDns()
afterAll(() => dns.close())

inBrowser('the domains page', { MAYFLY_DNS_SERVER: dns.address, MAYFLY_MX_HOST: MX }, (stage) => {
  test(
    'a domain from its first check to its first private email',
    async () => {
      const domain = 'mail.customer.example'
      dns.set('MX', domain, ['5 mx.elsewhere.example'])
      const page = await stage().open('/domains')
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.getByLabel('Domain', { exact: true }).fill('mail')
      await page.getByRole('button', { name: 'Check and add' }).click()
      const refusal = page.getByText('This is not a domain name')
      await refusal.waitFor()
      await page.getByLabel('Domain', { exact: true }).fill(` ${domain.toUpperCase()} `)
      await page.getByRole('button', { name: 'Check and add' }).click()
      await page
        .getByRole('heading', { name: `Add this MX record to receive mail for ${domain} here` })
        .waitFor()
      await page.getByText('The MX record names mx.elsewhere.example.').waitFor()
      expect(await refusal.count()).toBe(0)
      await page.getByText('DNS records for a service that others can reach').click()
      await page.getByText('Not found').first().waitFor()
      const patience = page.getByText('New DNS records can take minutes or hours to show up.')
      await patience.waitFor()
      await page.getByRole('button', { name: 'Copy MX value' }).click()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`10 ${MX}`)

      dns.set('MX', domain, [`10 ${MX}`])
      await page.getByRole('button', { name: 'Check again' }).click()
      await page.getByRole('heading', { name: `${domain} receives mail here` }).waitFor()
      expect(await page.locator('.record').first().getAttribute('data-found')).toBe('true')
      expect(await patience.count()).toBe(0)
      expect(await page.getByRole('link', { name: `Open hello@${domain}` }).getAttribute('href')).toBe(
        `/#hello@${domain}`,
      )

      const key = 'a key of théirs'
      await page.getByLabel('Domain key').fill(key)
      const hashed = `key-sha256=${createHash('sha256').update(key).digest('hex')}`
      await page.getByText(hashed).waitFor()
      await page.getByLabel(/Plain/).check()
      await page.getByText(`key=${key}`, { exact: true }).waitFor()
      await page.getByLabel(/Hashed/).check()
      await page.getByRole('button', { name: 'Copy TXT name' }).click()
      const name = await page.evaluate(() => navigator.clipboard.readText())
      await page.getByRole('button', { name: 'Copy TXT value' }).click()
      dns.set('TXT', name, [await page.evaluate(() => navigator.clipboard.readText())])
      await page.getByRole('button', { name: 'Check again' }).click()
      await page.getByRole('heading', { name: 'This domain is private' }).waitFor()

      // The key opens the inbox although the page never sent it.
      const address = freshAddress(domain)
      await sendMail(stage().service.smtp, { to: address, subject: 'Secret', text: 'x' })
      await page.goto(`${stage().service.http}/#${address}`)
      await page.getByLabel('Domain key').fill(key)
      await page.getByRole('button', { name: 'Open' }).click()
      await page.getByText('Secret').waitFor()
    },
    PATIENCE_MS,
  )

  test(
    'generated keys differ',
    async () => {
      const page = await stage().open('/domains#made-up.example')
      const field = page.getByRole('textbox', { name: 'Domain key' })
      const keys = []
      for (let i = 0; i < 2; i++) {
        await page.getByRole('button', { name: 'Generate' }).click()
        keys.push(await field.inputValue())
      }
      expect(new Set(keys).size).toBe(2)
      for (const key of keys) expect(key).toMatch(/^[\w-]{24}$/)
    },
    PATIENCE_MS,
  )

  test(
    'without crypto.subtle, as on plain http, only the plain form is offered',
    async () => {
      const page = await stage().open('/keys')
      await page.addInitScript(() => Object.defineProperty(crypto, 'subtle', { value: undefined }))
      await page.goto(`${stage().service.http}/domains#plain-http.example`)
      await page.getByLabel('Domain key').fill('some key')
      await page.getByText('key=some key', { exact: true }).waitFor()
      expect(await page.getByLabel(/Hashed/).isDisabled()).toBe(true)
    },
    PATIENCE_MS,
  )

  test(
    'a configured domain whose MX record points elsewhere is not shown as receiving mail from the internet',
    async () => {
      const page = await stage().open('/domains')
      await page.getByRole('button', { name: 'mayfly.test' }).click()
      await page.getByText('mayfly.test is registered here, but its MX record does not point here').waitFor()
      await page.getByText('Programs here can already send to every address at mayfly.test.').waitFor()
      expect(await page.getByText('receives mail here').count()).toBe(0)
    },
    PATIENCE_MS,
  )

  test(
    'on a phone nothing moves while the page of a domain loads, and the list is below the result',
    async () => {
      const page = await stage().open('/domains#mayfly.test', PHONE)
      const list = page.getByRole('button', { name: 'mayfly.test', exact: true })
      await list.waitFor()
      const result = await page.locator('.record').last().boundingBox()
      expect((await list.boundingBox())?.y).toBeGreaterThan((result?.y ?? 0) + (result?.height ?? 0))
      const moved = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const all = (list: PerformanceObserverEntryList) => {
              const shifts = list.getEntries() as (PerformanceEntry & { value: number })[]
              resolve(shifts.reduce((sum, { value }) => sum + value, 0))
            }
            new PerformanceObserver(all).observe({ type: 'layout-shift', buffered: true })
            // Without any shift the observer is never called.
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)))
          }),
      )
      expect(moved).toBe(0)
      // The result of a domain that is chosen from the list is in sight.
      await list.click()
      await page.waitForFunction(() => scrollY === 0)
    },
    PATIENCE_MS,
  )

  test(
    'an invalid domain name, and a DNS server that fails',
    async () => {
      dns.misbehave('broken.example', 'servfail')
      const page = await stage().open('/domains')
      await page.getByLabel('Domain', { exact: true }).fill('localhost')
      await page.getByRole('button', { name: 'Check and add' }).click()
      await page.getByText('This is not a domain name').waitFor()
      await page.getByLabel('Domain', { exact: true }).fill('https://broken.example/path')
      await page.getByRole('button', { name: 'Check and add' }).click()
      await page.getByText('The DNS servers of this domain did not answer').waitFor()
    },
    PATIENCE_MS,
  )
})
