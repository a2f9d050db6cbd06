import { expect, test } from '@jest/globals'
import { assembleAwsService, logFailed, verifierSettings, webhookSettings } from '../../service/aws.ts'
import { log } from '../../service/aws-log.ts'
import type { AwsStore } from '../../service/aws-store.ts'
import { NO_PROVIDER } from '../../service/defaults.ts'
import { collectLog } from '../support/logged.ts'

test('the host for MX records is in lower case, as DNS and the contract have it', () => {
  const { mxHost } = verifierSettings({ mxHost: 'Mayfly-Smtp-1A2B.elb.us-east-1.amazonaws.com' }, NO_PROVIDER)
  expect(mxHost).toBe('mayfly-smtp-1a2b.elb.us-east-1.amazonaws.com')
})

test.each([
  [undefined, []],
  ['', []],
  ['10.0.0.2', ['10.0.0.2']],
  ['10.0.0.2,[::1]:53,', ['10.0.0.2', '[::1]:53']],
])('the DNS servers "%s" are %j', (dnsServer, dnsServers) => {
  expect(verifierSettings({ mxHost: 'mx.example', dnsServer }, NO_PROVIDER)).toMatchObject({ dnsServers })
})

test('the log has the requests that failed here, with the cause of the error, and no other request', () => {
  const { lines, restore } = collectLog()
  const error = new Error('no answer', { cause: new Error('the table', { cause: 'it is gone' }) })
  for (const status of [200, 404, 499, 500, 503])
    logFailed({ requestId: 'r', method: 'GET', path: '/api/domains', status, ms: 1.6, error })
  restore()
  const failed = {
    level: 'error',
    message: 'request',
    requestId: 'r',
    method: 'GET',
    path: '/api/domains',
    ms: 2,
  }
  expect(lines).toEqual([
    {
      ...failed,
      status: 500,
      error: expect.stringMatching(
        /no answer\n +at [\s\S]*\ncaused by: Error: the table\n +at [\s\S]*\ncaused by: it is gone$/,
      ),
    },
    { ...failed, status: 503, error: expect.any(String) },
  ])
})

test('the log has an error that is only a text, and no error where there was none', () => {
  const { lines, restore } = collectLog()
  log('warn', 'a', { error: 'text', field: 1 })
  log('info', 'b')
  restore()
  expect(lines).toEqual([
    { level: 'warn', message: 'a', field: 1, error: 'text' },
    { level: 'info', message: 'b' },
  ])
})

const SETTINGS = { mailTable: 'm', keysTable: 'k', bucket: 'b', mxHost: 'MX.test', retentionHours: '24' }
const assembled = (retentionHours: string) =>
  assembleAwsService({ ...SETTINGS, retentionHours }, {} as AwsStore, undefined).service

test.each(['0', '8761'])('mail cannot be kept for %s hours', (hours) => {
  expect(() => assembled(hours)).toThrow(`must be a number from 1 to 8760, not "${hours}"`)
})

test('clients learn the host of MX records, the retention and the largest message', () => {
  expect(assembled('8760').info).toMatchObject({
    baseUrl: undefined,
    smtp: null,
    mxHost: 'mx.test',
    retentionMs: 8760 * 3_600_000,
    maxMessageBytes: 41_943_040,
  })
})

test('a program without a queue creates no webhooks, and no target is on its own machine', async () => {
  const { beginPing, isLoopback } = webhookSettings(undefined, undefined)
  await expect(beginPing({} as never)).rejects.toThrow('this program creates no webhooks')
  expect(isLoopback).toBe(false)
})
