import { expect, jest, test } from '@jest/globals'
import { logFailed, verifierSettings } from '../../service/aws.ts'
import { NO_PROVIDER } from '../../service/defaults.ts'

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
  const lines: string[] = []
  const logging = jest.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
  const error = new Error('no answer', { cause: new Error('the table is gone') })
  for (const status of [200, 404, 499, 500, 503])
    logFailed({ requestId: 'r', method: 'GET', path: '/api/domains', status, ms: 1.6, error })
  logging.mockRestore()
  const failed = {
    level: 'error',
    message: 'request',
    requestId: 'r',
    method: 'GET',
    path: '/api/domains',
    ms: 2,
  }
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      ...failed,
      status: 500,
      error: expect.stringMatching(/no answer[\s\S]*caused by: .*the table is gone/),
    },
    { ...failed, status: 503, error: expect.any(String) },
  ])
})
