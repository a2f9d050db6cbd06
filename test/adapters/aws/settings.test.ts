import { expect, test } from '@jest/globals'
import { ENV, type Setting } from '../../../adapters/aws/env.ts'
import { numberOf, readSettings, SettingsError } from '../../../adapters/aws/settings.ts'

test('names every variable that is missing at once', () => {
  const all = Object.keys(ENV) as Setting[]
  expect(() => readSettings({}, all)).toThrow(SettingsError)
  for (const name of Object.values(ENV)) expect(() => readSettings({}, all)).toThrow(`${name} is missing`)
})

test('takes a variable that is set to nothing for missing', () => {
  expect(() => readSettings({ MAYFLY_BUCKET: '' }, ['bucket'])).toThrow('MAYFLY_BUCKET is missing')
})

test('reads what is required, and what is optional where it is set', () => {
  const env = { MAYFLY_BUCKET: 'b', MAYFLY_DNS_SERVER: '192.0.2.1', MAYFLY_DOMAINS: '', OTHER: 'x' }
  expect(readSettings(env, ['bucket'], ['dnsServer', 'domains'])).toEqual({
    bucket: 'b',
    dnsServer: '192.0.2.1',
  })
})

test.each(['', 'x', '-1', '0', '100.5', '1e1', ' 1'])('refuses the number "%s"', (text) => {
  expect(() => numberOf('retentionHours', text, 1, 100)).toThrow('MAYFLY_RETENTION_HOURS must be a number')
})

test('takes a number', () => {
  expect(numberOf('retentionHours', '1.5', 1, 100)).toBe(1.5)
})
