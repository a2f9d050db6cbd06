import { expect, test } from '@jest/globals'
import { verifierSettings } from '../../service/aws.ts'
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
