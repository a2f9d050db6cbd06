import { describe, expect, test } from '@jest/globals'
import { ConfigError } from '../../core/errors.ts'
import { readConfig } from '../../lib/config.ts'
import { settle } from '../../lib/props.ts'
import { FULL } from './synth.ts'

function faults(input: unknown, region?: string): string[] {
  try {
    readConfig(input, region)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

describe('the configuration of the stack', () => {
  test('nothing need be said', () => {
    expect(settle({})).toEqual({
      domains: [],
      retentionHours: 24,
      inbound: ['ses'],
      takeOver: false,
      inboundLimit: { mailsPerHour: 20_000, stop: false },
      ingestConcurrency: 5,
      smtp: { tasks: { count: 2, maxCount: 2, cpu: 256, memoryMiB: 512, spot: false } },
      tasks: { count: 2, maxCount: 2, cpu: 256, memoryMiB: 512, spot: false },
      fanOut: 'direct',
      logRetentionDays: 14,
      throttle: { requestsPerSecond: 200, burst: 400 },
    })
    expect(readConfig({}).stackName).toBe('Mayfly')
  })

  test('everything can be said', () => {
    expect(faults(FULL, 'us-east-1')).toEqual([])
  })

  test.each([
    [{ receiptRuleSet: 'theirs' }, 'receiptRuleSet needs domains'],
    [{ receiptRuleSet: 'x', domains: [{ name: 'a.example' }], takeOver: true }, 'takeOver has no meaning'],
    [{ inbound: ['smtp'], takeOver: true }, 'takeOver needs "ses"'],
    [{ inbound: ['smtp'], inboundLimit: { mailsPerHour: 9, stop: true } }, 'inboundLimit.stop needs "ses"'],
    [{ inbound: [] }, 'inbound must be'],
    [{ inbound: ['ses', 'ses'] }, 'inbound must be'],
    [{ inbound: ['pigeon'] }, 'inbound must be'],
    [{ smtp: { host: 'mx.example.com' } }, 'smtp needs "smtp" in inbound'],
    [
      { inbound: ['smtp'], smtp: { certificateSecretArn: FULL.smtp.certificateSecretArn } },
      'needs smtp.host',
    ],
    [
      { inbound: ['smtp'], smtp: { host: 'mx.example.com', zone: { id: 'Z1', name: 'b.example' } } },
      'smtp.zone',
    ],
    [{ tasks: { count: 3 } }, 'tasks.count must be a whole number from 1 to 2, since'],
    [{ tasks: { maxCount: 4 } }, 'tasks.maxCount must be a whole number from 2 to 2'],
    [{ fanOut: 'kafka' }, 'fanOut must be'],
    [{ ingestConcurrency: 1 }, 'ingestConcurrency must be'],
    [{ takeOver: 'yes' }, 'takeOver must be true or false'],
    [{ retentionHours: -1 }, 'retentionHours must be'],
  ])('%j is refused', (input, fault) => {
    expect(faults(input)).toEqual([expect.stringContaining(fault)])
  })

  test('by SMTP mail comes in in any Region', () => {
    expect(faults({ inbound: ['smtp'] }, 'eu-north-1')).toEqual([])
    expect(faults({ inbound: ['smtp', 'ses'] }, 'eu-north-1')).toHaveLength(1)
  })

  test('every fault is told at once, each by the name of its field', () => {
    const input = {
      stackName: '1st',
      domains: [
        { name: 'UPPER.example' },
        { name: 'a.example', zone: { id: 'Z1', name: 'b.example' } },
        { name: 'c.example', zone: { id: 'nonsense', name: 'c.example' } },
        { name: 'a.example', identity: 'mine' },
        'd.example',
      ],
      retentionHours: 0.5,
      alarmEmail: 'nobody',
      host: { name: 'x.example', certificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/1' },
      tasks: { count: 3, cpu: 512, memoryMiB: 512 },
      inboundLimit: {},
      inbound: ['ses', 'fax'],
      logRetentionDays: 4,
      throttle: { burst: '9' },
      webAcl: { requestsPerFiveMinutes: 1 },
      availabilityZones: ['eu-west-1a'],
      retention: 5,
    }
    const found = faults(input, 'eu-north-1')
    for (const field of [
      'stackName',
      'domains[0].name',
      'domains[1].zone',
      'domains[2].zone.id',
      'domains[3].identity',
      'domains[4]',
      'domains names a.example twice',
      'retentionHours',
      'alarmEmail',
      'host.certificateArn',
      'tasks.count',
      'tasks.memoryMiB',
      'inboundLimit.mailsPerHour',
      'inbound must be',
      'logRetentionDays',
      'throttle.burst',
      'webAcl.requestsPerFiveMinutes',
      'availabilityZones',
      'retention is not a field',
      'Amazon SES receives no mail in the Region eu-north-1',
      'webAcl needs a deployment in us-east-1',
    ]) {
      expect(found.filter((fault) => fault.startsWith(field))).not.toEqual([])
    }
    expect(new ConfigError(found).message.split('\n')).toHaveLength(found.length + 1)
  })

  test.each([null, [], 'x', 7])('%j is no configuration', (input) => {
    expect(faults(input)).toEqual(['the configuration must be an object'])
  })

  test('a Region that takes mail is not refused, nor one that is not known yet', () => {
    expect(faults({}, 'eu-west-1')).toEqual([])
    expect(faults({}, undefined)).toEqual([])
    expect(faults({ webAcl: {} }, 'eu-west-1')).toHaveLength(1)
    expect(faults({ availabilityZones: ['us-east-1a', 'us-east-1b'] }, 'eu-west-1')).toHaveLength(2)
  })
})
