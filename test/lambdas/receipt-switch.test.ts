import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { AWS_VARIABLES } from '../support/aws-variables.ts'
import { type FakeSes, startFakeSes } from '../support/fake-ses.ts'
import { collectLog } from '../support/logged.ts'

let ses: FakeSes
let handler: (event: object) => Promise<unknown>

beforeAll(async () => {
  ses = await startFakeSes()
  ses.rules.set('ours', { enabled: true }).set('ours-2', { enabled: true }).set('theirs', { enabled: true })
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SES: ses.endpoint,
    ...AWS_VARIABLES,
    MAYFLY_RULE_SET: 'set',
    MAYFLY_RULES: 'ours,ours-2',
  })
  handler = (await import('../../lambdas/receipt-switch.ts')).handler as never
})

afterAll(() => ses.close())

const enabled = () => Array.from(ses.rules.values(), (rule) => rule.enabled)

test('an alarm turns the rules off, its end leaves them off, and an operator turns them on', async () => {
  const { lines, restore } = collectLog()
  expect(await handler({ alarmData: { state: { value: 'ALARM' } } })).toEqual({ receives: false })
  expect(enabled()).toEqual([false, false, true])
  await expect(handler({ alarmData: { state: { value: 'OK' } } })).rejects.toThrow('receive')
  expect(enabled()).toEqual([false, false, true])
  expect(await handler({ receive: true })).toEqual({ receives: true })
  expect(enabled()).toEqual([true, true, true])
  expect(await handler({ receive: false })).toEqual({ receives: false })
  expect(enabled()).toEqual([false, false, true])
  const off = { level: 'warn', message: 'receiving is off', rules: 'ours,ours-2' }
  expect(lines).toEqual([off, { ...off, message: 'receiving is on' }, off])
  restore()
})

test.each([{}, { alarmData: {} }, { alarmData: { state: {} } }])('%j changes nothing', async (event) => {
  await expect(handler(event)).rejects.toThrow('send {"receive": true} or {"receive": false}')
})
