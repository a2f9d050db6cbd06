import { expect, test } from '@jest/globals'
import { email } from '../web/email.ts'
import { inBrowser, PATIENCE_MS } from './browser.ts'
import { row, WIDE } from './inbox-steps.ts'
import { type Answers, answer, NOW, perceived } from './states.ts'

const INFO = { smtp: { host: 'mx.test', port: 25 }, mx: 'mx.test', retention_hours: 24, link_check: false }
const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`
const arrival = (id: string, to: string, facts = {}) =>
  event({ type: 'new-email', email: email(id, { address: `${to}@p.test`, ...facts }) })

inBrowser('what a person perceives of the mail of a whole domain', {}, (stage) => {
  test(
    'without any, and with more than the list has',
    async () => {
      const stream: Answers[0] = [/user-dashboard/, ': nothing yet\n\n']
      // The requests of a worker cannot be answered by a test.
      const page = await stage().open('/problems/', { locale: 'en', timezoneId: 'UTC', ...WIDE })
      await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'SharedWorker'))
      await page.clock.setFixedTime(NOW)
      await answer(page, [
        stream,
        [/GET \/api\/domains$/, { domains: [{ domain: 'p.test', private: true }] }],
        [/GET .*postmaster/, { emails: [], next_cursor: null }],
        [/GET .*info$/, INFO],
      ])
      await page.goto(`${stage().service.http}/#@p.test`)
      await page.getByText('SMTP host').waitFor()
      expect(await perceived(page, '.empty')).toMatchSnapshot('without any')
      expect(await perceived(page, 'section.address')).toMatchSnapshot('the bar')
      // The next connection sends these.
      const unnamed = { from: { name: null, address: 'x@example.org' }, codes: ['482913'] }
      stream.splice(1, 1, event({ type: 'gap' }) + arrival('1', 'ann') + arrival('2', 'bob.b', unnamed))
      await row(page, 'Email 2').waitFor()
      await row(page, 'Email 1').waitFor()
      expect(await perceived(page, '.panes')).toMatchSnapshot('with more than the list has')
    },
    PATIENCE_MS,
  )
})
