import { expect, test } from '@jest/globals'
import { ENV, type Setting } from '../../../adapters/aws/env.ts'
import { numberOf, readSettings, retentionMsOf, SettingsError } from '../../../adapters/aws/settings.ts'

test('reports all missing variables together', () => {
  const all = Object.keys(ENV) as Setting[]
  expect(() => readSettings({}, all)).toThrow(SettingsError)
  for (const name of Object.values(ENV)) expect(() => readSettings({}, all)).toThrow(`${name} is missing`)
})

test('an empty variable is missing', () => {
  expect(() => readSettings({ MAYFLY_BUCKET: '' }, ['bucket'])).toThrow('MAYFLY_BUCKET is missing')
})

test('reads required settings, and optional ones that are set', () => {
  const env = { MAYFLY_BUCKET: 'b', MAYFLY_DNS_SERVER: '192.0.2.1', MAYFLY_EVENT_BUS: '', OTHER: 'x' }
  expect(readSettings(env, ['bucket'], ['dnsServer', 'eventBus'])).toEqual({
    bucket: 'b',
    dnsServer: '192.0.2.1',
  })
})

test.each(['', 'x', '-1', '0', '100.5', '1e1', ' 1'])('refuses the number "%s"', (text) => {
  expect(() => numberOf('retentionHours', text, 1, 100)).toThrow('MAYFLY_RETENTION_HOURS must be a number')
})

test.each(['1', '1.5', '100'])('accepts the number "%s"', (text) => {
  expect(numberOf('retentionHours', text, 1, 100)).toBe(Number(text))
})

test('mail is kept for 1 to 8760 hours', () => {
  expect([retentionMsOf('1'), retentionMsOf('8760')]).toEqual([3_600_000, 8760 * 3_600_000])
  for (const hours of ['0.999', '8760.1']) {
    expect(() => retentionMsOf(hours)).toThrow(
      `MAYFLY_RETENTION_HOURS must be a number from 1 to 8760, not "${hours}"`,
    )
  }
})

test('each setting has a variable of its own', () => {
  const names = Object.values(ENV)
  expect(names.filter((name) => !/^(?:MAYFLY|AWS)_[A-Z0-9_]+$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})
