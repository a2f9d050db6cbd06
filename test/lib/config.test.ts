import { describe, expect, test } from '@jest/globals'
import { App, CfnParameter, Duration, Stack } from 'aws-cdk-lib'
import { Key } from 'aws-cdk-lib/aws-kms'
import type { IHostedZone } from 'aws-cdk-lib/aws-route53'
import { ConfigError } from '../../core/errors.ts'
import { readConfig } from '../../lib/config/config.ts'
import { resolveConfig } from '../../lib/config/resolve.ts'
import { FULL, IN_VPC, WEB_FUNCTION } from './configurations.ts'

const SUBNETS = ['subnet-01234567', 'subnet-01234568']

const boundary = (permissionsBoundary: string) => ({ permissionsBoundary })

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
  test('every field is optional', () => {
    expect(resolveConfig({})).toEqual({
      domains: [],
      retentionHours: 24,
      inbound: ['ses'],
      takeOver: false,
      inboundLimit: { mailsPerHour: 20_000, stop: false },
      ingestConcurrency: 5,
      reservedConcurrency: {},
      live: 'fargate',
      accessLogs: false,
      silenceHours: undefined,
      smtp: { tasks: { count: 2, maxCount: 2, cpu: 256, memoryMiB: 512, spot: false } },
      tasks: { count: 2, maxCount: 2, cpu: 256, memoryMiB: 512, spot: false },
      fanOut: 'direct',
      logRetentionDays: 14,
      throttle: { requestsPerSecond: 200, burst: 400 },
    })
    expect(readConfig({}).stackName).toBe('Mayfly')
  })

  test.each([
    ['every option', FULL],
    ['an existing network', IN_VPC],
    ['a web function', WEB_FUNCTION],
    [
      'settings of the stack',
      { tags: { team: 'qa' }, permissionsBoundary: 'arn:aws:iam::123456789012:policy/limit' },
    ],
  ])('%s is valid', (_, config) => {
    expect(faults(config, 'us-east-1')).toEqual([])
  })

  test('the settings of the stack are kept', () => {
    const boundary = 'arn:aws:iam::123456789012:policy/limit'
    const stack = { tags: { team: 'qa' }, permissionsBoundary: boundary, terminationProtection: true }
    expect(readConfig(stack)).toMatchObject(stack)
    expect(readConfig({})).toMatchObject({
      tags: {},
      permissionsBoundary: undefined,
      terminationProtection: false,
    })
  })

  test.each([
    [{ receiptRuleSet: 'theirs' }, 'receiptRuleSet needs domains'],
    [{ receiptRuleSet: 'x', domains: [{ name: 'a.example' }], takeOver: true }, 'takeOver has no effect'],
    [{ inbound: ['smtp'], takeOver: true }, 'takeOver needs "ses"'],
    [{ inbound: ['smtp'], inboundLimit: { mailsPerHour: 9, stop: true } }, 'inboundLimit.stop needs "ses"'],
    [{ inbound: [] }, 'inbound must be'],
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
    [{ tasks: { count: 3 } }, 'tasks.count must be a whole number from 1 to 2, because'],
    [{ tasks: { maxCount: 4 } }, 'tasks.maxCount must be a whole number from 2 to 2'],
    [{ fanOut: 'kafka' }, 'fanOut must be'],
    [{ ingestConcurrency: 1 }, 'ingestConcurrency must be'],
    [{ takeOver: 'yes' }, 'takeOver must be true or false'],
    [{ retentionHours: -1 }, 'retentionHours must be'],
    [{ silenceHours: 169 }, 'silenceHours must be a whole number from 1 to 168'],
    [{ canary: 'a.example' }, 'canary must be the name of one of domains, not "a.example"'],
    [{ canary: true }, 'canary must be a text'],
    [
      { inbound: ['smtp'], domains: [{ name: 'a.example' }], canary: 'a.example' },
      'canary needs "ses" in inbound, or "identity": "existing" for a.example',
    ],
    [{ reservedConcurrency: { api: 0 } }, 'reservedConcurrency.api must be'],
    [
      { reservedConcurrency: { ingest: 4 } },
      'reservedConcurrency.ingest must be at least ingestConcurrency (5)',
    ],
    [{ reservedConcurrency: { mcp: 4 } }, 'reservedConcurrency.mcp is not a field'],
    [{ live: 'lambda' }, 'live must be'],
    [{ live: 'web-function', fanOut: 'valkey' }, 'fanOut "valkey" needs live "fargate"'],
    [{ live: 'web-function', tasks: { count: 1 } }, 'tasks needs live "fargate"'],
    [{ live: 'web-function', vpc: { id: 'vpc-01234567', subnets: SUBNETS } }, 'vpc needs live "fargate"'],
    [{ vpc: { id: 'vpc-01234567', subnets: [SUBNETS[0]] } }, 'vpc.subnets must have two ids'],
    [{ vpc: { id: 'vpc-01234567', subnets: [...SUBNETS, 'x'] } }, 'vpc.subnets has "x"'],
    [{ vpc: { id: 'vpc-01234567', subnets: [SUBNETS[0], SUBNETS[0]] } }, 'vpc.subnets has an id twice'],
    [
      { vpc: { id: 'vpc-01234567', subnets: SUBNETS, publicSubnets: [] }, inbound: ['smtp'] },
      'vpc.publicSubnets must have an id',
    ],
    [
      { domains: [{ name: 'bücher.example' }] },
      'domains[0].name must be a domain name in lower case, such as "xn--bcher-kva.example"',
    ],
    [{ domains: [{ name: 'Upper.example.' }] }, 'such as "upper.example", not "Upper.example."'],
    [{ domains: [{ name: 'example.12' }] }, 'domains[0].name must be a domain name'],
    [{ domains: [{ name: 7 }] }, 'domains[0].name must be a text, not 7'],
    [{ domains: ['a.example'] }, 'domains[0] must be an object'],
    [{ vpc: { id: 'mine', subnets: SUBNETS } }, 'vpc.id must be'],
    [{ vpc: { id: 'vpc-01234567', subnets: SUBNETS }, inbound: ['smtp'] }, 'vpc.publicSubnets is needed'],
    [
      { vpc: { id: 'vpc-01234567', subnets: SUBNETS }, availabilityZones: ['us-east-1a', 'us-east-1b'] },
      'availabilityZones has no effect with vpc',
    ],
    [
      { receiptRuleSet: 'x', domains: [{ name: 'a.example' }], inbound: ['smtp'] },
      'receiptRuleSet needs "ses"',
    ],
    [{ inbound: ['smtp'], smtp: { zone: { id: 'Z1', name: 'b.example' } } }, 'smtp.zone needs smtp.host'],
    [{ inbound: ['smtp'], smtp: { host: 'MX.example' } }, 'smtp.host must be a domain name'],
    [{ tasks: { cpu: 300 } }, 'tasks.cpu must be one of 256, 512, 1024, 2048, not 300'],
    [
      { live: 'web-function', availabilityZones: ['us-east-1a', 'us-east-1b'] },
      'availabilityZones needs live "fargate" or "smtp" in inbound',
    ],
    [{ host: { ...FULL.host, zone: { id: 'Z1', name: 'b.example' } } }, 'host.zone is the zone b.example'],
    [{ host: { ...FULL.host, zone: { id: 'Z1', name: 'box.example.com' } } }, 'host.zone is the zone box'],
    [{ encryptionKey: 'alias/mine' }, 'encryptionKey must be the ARN of a KMS key'],
    [{ permissionsBoundary: 'mine' }, 'permissionsBoundary must be the ARN'],
    [{ tags: { 'aws:x': 'y' } }, 'tags has the name "aws:x"'],
    [{ tags: { x: 1 } }, 'tags.x must be'],
    [{ accessLogs: 'yes' }, 'accessLogs must be true or false'],
    [{ operatorKeysSecretArn: 'x' }, 'operatorKeysSecretArn must be'],
    [{ terminationProtection: 'x' }, 'terminationProtection must be'],
    [{ domains: [{ name: 'a.example', identity: 'new' }] }, 'domains[0].identity must be "create" or'],
    [{ availabilityZones: ['us-east-1a', 'us-east-1b', 'us-east-1c'] }, 'availabilityZones must be two'],
    [{ tags: { x: 'v'.repeat(257) } }, 'tags.x must be a text of at most 256 characters'],
  ])('%j is rejected', (input, fault) => {
    expect(faults(input)).toEqual([expect.stringContaining(fault)])
  })

  test('a key and secrets must be in the Region of the deployment', () => {
    const { smtp, operatorKeysSecretArn } = FULL
    const config = { ...IN_VPC, operatorKeysSecretArn, smtp }
    expect(faults(config, 'us-east-1')).toEqual([])
    expect(faults(config, 'eu-west-1')).toEqual(
      ['encryptionKey', 'operatorKeys', 'smtp.certificate'].map(
        (field) => `${field} is in the Region us-east-1, and the deployment in eu-west-1`,
      ),
    )
  })

  test('a key that the same app creates has no Region yet, and is accepted', () => {
    const stack = new Stack(new App(), 'Keys')
    const encryptionKey = new Key(stack, 'Key')
    expect(resolveConfig({ encryptionKey }, 'us-east-1').encryptionKey).toBe(encryptionKey)
  })

  test.each([
    { live: 'web-function', inbound: ['smtp'], availabilityZones: ['us-east-1a', 'us-east-1b'] },
    { ...IN_VPC, live: 'web-function' },
    { domains: [{ name: 'a.example', identity: 'create' }] },
    { tags: { x: `${'v'.repeat(255)}\n` } },
  ])('%j is accepted', (config) => {
    expect(faults(config)).toEqual([])
  })

  test('several faults of one kind', () => {
    expect(faults({ domains: [{ name: 7 }, {}] })).toEqual([
      'domains[0].name must be a text, not 7',
      'domains[1].name must be a text',
    ])
    // A fault that two fields have is reported once.
    expect(faults({ vpc: { id: 'vpc-01234567', subnets: ['x', 'x'] } })).toEqual([
      'vpc.subnets has "x", which is no id of a subnet',
      'vpc.subnets has an id twice',
    ])
  })

  test('an existing web ACL works in every Region', () => {
    const arn = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/company/0000-11'
    expect(faults({ webAcl: { arn } }, 'eu-west-1')).toEqual([])
    const create = () => resolveConfig({ webAcl: { requestsPerFiveMinutes: 100 } }, 'eu-west-1')
    expect(create).toThrow('webAcl is created in us-east-1, and the deployment is in eu-west-1')
    expect(resolveConfig({ webAcl: { stackName: 'Acl' } }, 'eu-west-1').webAcl).toEqual({ stackName: 'Acl' })
    expect(faults({ webAcl: { arn, requestsPerFiveMinutes: 100 } })).toEqual([
      'webAcl has an arn, so requestsPerFiveMinutes has no effect',
    ])
    for (const wrong of [arn.replace('us-east-1', 'eu-west-1'), arn.replace('global', 'regional'), 'company'])
      expect(faults({ webAcl: { arn: wrong } })).toEqual([
        expect.stringContaining('webAcl.arn must be the ARN'),
      ])
  })

  test('props that no configuration file has are checked too', () => {
    const found = (props: Parameters<typeof resolveConfig>[0]) => {
      expect(() => resolveConfig(props)).toThrow(ConfigError)
      return () => resolveConfig(props)
    }
    expect(found({ retention: Duration.minutes(90) })).toThrow('retentionHours must be a whole number')
    expect(found({ live: 'web-function', image: 'example.test/sse:1' })).toThrow('image needs live "fargate"')
  })

  test('a hosted zone may be written with a final dot, in any case, or be unknown at synthesis', () => {
    const parameter = new CfnParameter(new Stack(new App(), 'Zones'), 'Name')
    const config = (zoneName: string) => () =>
      resolveConfig({ domains: [{ name: 'mail.a.example', zone: { zoneName } as IHostedZone }] })
    expect(config('A.Example.')).not.toThrow()
    expect(config(parameter.valueAsString)).not.toThrow()
    expect(config('B.Example.')).toThrow('domains[0].zone is the zone b.example, which does not hold')
  })

  test('SMTP works in any Region', () => {
    expect(faults({ inbound: ['smtp'] }, 'eu-north-1')).toEqual([])
    expect(faults({ inbound: ['smtp', 'ses'] }, 'eu-north-1')).toHaveLength(1)
  })

  test('all faults are reported together, each with the name of its field', () => {
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
    ]) {
      expect(found.filter((fault) => fault.startsWith(field))).not.toEqual([])
    }
    expect(new ConfigError(found).message.split('\n')).toHaveLength(found.length + 1)
  })

  /** Returns the configuration with one field, which a path names, and what that field needs. */
  const withField = (path: string, value: unknown, others: object = {}) => ({
    ...others,
    ...(path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object),
  })

  test.each<[string, number, number, object?]>([
    ['retentionHours', 1, 8760],
    ['inboundLimit.mailsPerHour', 1, 100_000_000],
    ['silenceHours', 1, 168],
    ['ingestConcurrency', 2, 1000],
    ['reservedConcurrency.api', 1, 10_000],
    ['reservedConcurrency.ingest', 5, 10_000],
    ['throttle.requestsPerSecond', 1, 10_000],
    ['throttle.burst', 1, 5000],
    ['webAcl.requestsPerFiveMinutes', 10, 2_000_000],
    ['tasks.count', 1, 2],
    ['tasks.count', 1, 100, { fanOut: 'valkey' }],
    ['tasks.maxCount', 2, 100, { fanOut: 'valkey' }],
    ['smtp.tasks.count', 1, 20, { inbound: ['smtp'] }],
  ])('%s is a whole number from %d to %d', (path, min, max, others = {}) => {
    const found = (value: number) => faults(withField(path, value, others), 'us-east-1')
    expect([found(min), found(max)]).toEqual([[], []])
    for (const outside of [min - 1, max + 1, min + 0.5])
      expect([outside, found(outside)]).toEqual([outside, [expect.stringContaining(path)]])
  })

  test.each([
    [256, 512, 2048, 512],
    [512, 1024, 4096, 1024],
    [1024, 2048, 8192, 1024],
    [2048, 4096, 16_384, 1024],
  ])('a task with cpu %d has from %d to %d MiB, in steps of %d', (cpu, min, max, step) => {
    const found = (memoryMiB: number) => faults({ tasks: { cpu, memoryMiB } })
    expect([found(min), found(min + step), found(max)]).toEqual([[], [], []])
    for (const outside of [min - step, max + step, min + step / 2])
      expect([outside, found(outside)]).toEqual([outside, [expect.stringContaining('tasks.memoryMiB')]])
  })

  test('logs are kept for a number of days that CloudWatch Logs accepts', () => {
    const days = Array.from({ length: 400 }, (_, i) => i)
    const accepted = days.filter((logRetentionDays) => faults({ logRetentionDays }).length === 0)
    expect(accepted).toEqual([1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365])
  })

  const KMS = 'arn:aws:kms:us-east-1:123456789012:key/'
  const CERTIFICATE = 'arn:aws:acm:us-east-1:123456789012:certificate/'
  const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:'
  const vpc = (id: string, subnet: string) => ({ vpc: { id, subnets: [subnet, 'subnet-0123456789abcdef1'] } })
  const zone = (id: string) => ({ domains: [{ name: 'a.example', zone: { id, name: 'a.example' } }] })
  const ruleSet = (receiptRuleSet: string) => ({ receiptRuleSet, domains: [{ name: 'a.example' }] })
  const named = (name: string, key = CERTIFICATE) => ({ host: { name, certificateArn: `${key}1-a` } })
  /** The longest and the shortest text of each field, and those that are longer, shorter or different. */
  test.each<[string, object[], object[]]>([
    [
      'stackName',
      ['M', `a${'-'.repeat(39)}`, 'Mail-7'].map((stackName) => ({ stackName })),
      ['', `a${'-'.repeat(40)}`, '7-Mail', 'my_mail'].map((stackName) => ({ stackName })),
    ],
    [
      'tags',
      ['x'.repeat(128), 'Kosten: Stelle/7+8=@_.-'].map((name) => ({ tags: { [name]: 'v' } })),
      ['', 'x'.repeat(129), 'aws:x', 'a*b'].map((name) => ({ tags: { [name]: 'v' } })),
    ],
    [
      'permissionsBoundary',
      ['arn:aws:iam::aws:policy/a/b', 'arn:aws-cn:iam::123456789012:policy/a+b=,.@-_'].map(boundary),
      [
        'arn:aws:iam::12345678901:policy/a',
        'arn:aws:iam::123456789012:role/a',
        'arn:aws:iam::aws:policy/',
      ].map(boundary),
    ],
    [
      'encryptionKey',
      [`${KMS}1-a`, 'arn:aws-us-gov:kms:us-gov-west-1:123456789012:key/mrk-1'].map((encryptionKey) => ({
        encryptionKey,
      })),
      [KMS, 'arn:aws:kms:us-east-1:1234567890123:key/1', `${KMS}a/b`].map((encryptionKey) => ({
        encryptionKey,
      })),
    ],
    [
      'operatorKeysSecretArn',
      [`${SECRET_ARN}a/b_+=.@-c-a1B2c3`].map((operatorKeysSecretArn) => ({ operatorKeysSecretArn })),
      [SECRET_ARN, 'arn:aws:secretsmanager:us-east-1:1:secret:a'].map((operatorKeysSecretArn) => ({
        operatorKeysSecretArn,
      })),
    ],
    [
      'host',
      [named('x.example')],
      [named('x.example', 'arn:aws:acm:eu-west-1:123456789012:certificate/'), named('X.example'), named('')],
    ],
    [
      'vpc',
      [vpc('vpc-01234567', 'subnet-01234567'), vpc('vpc-0123456789abcdef0', 'subnet-0123456789abcdef0')],
      [
        vpc('vpc-0123456', 'subnet-01234567'),
        vpc('vpc-0123456789abcdef01', 'subnet-01234567'),
        vpc('vpc-01234567', 'subnet-0123456'),
        vpc('vpc-01234567', 'subnet-0123456789abcdef01'),
      ],
    ],
    [
      'domains',
      ['Z1', `Z${'9'.repeat(31)}`].map(zone),
      ['Z', `Z${'9'.repeat(32)}`, '/hostedzone/Z1'].map(zone),
    ],
    [
      'receiptRuleSet',
      ['7', `a${'._-'.repeat(21)}`].map(ruleSet),
      ['', `a${'_'.repeat(64)}`, '-a', 'a b'].map(ruleSet),
    ],
    [
      'alarmEmail',
      ['o@a.b', 'ops+mail@a.example'].map((alarmEmail) => ({ alarmEmail })),
      ['ops', 'ops@a', 'o ps@a.b', 'o@s@a.b'].map((alarmEmail) => ({ alarmEmail })),
    ],
    [
      'availabilityZones',
      [
        ['us-east-1a', 'us-east-1f'],
        ['us-gov-west-1a', 'us-gov-west-1b'],
      ].map((availabilityZones) => ({ availabilityZones })),
      [
        ['us-east-1a'],
        ['us-east-1a', 'us-east-1a'],
        ['us-east-1', 'us-east-1b'],
        ['use1-az1', 'use1-az2'],
      ].map((availabilityZones) => ({ availabilityZones })),
    ],
  ])('the form of %s', (field, valid, invalid) => {
    for (const config of valid) expect([config, faults(config)]).toEqual([config, []])
    for (const config of invalid)
      expect([config, faults(config)]).toEqual([config, [expect.stringContaining(field)]])
  })

  test.each([null, [], 'x', 7])('%j is not a configuration', (input) => {
    expect(faults(input)).toEqual(['the configuration must be an object'])
  })

  test('a Region that receives mail is valid, and so is a Region that is unknown at synthesis', () => {
    expect(faults({}, 'eu-west-1')).toEqual([])
    expect(faults({}, undefined)).toEqual([])
    expect(faults({ webAcl: {} }, 'eu-west-1')).toEqual([])
    expect(faults({ accessLogs: true }, 'eu-west-1')).toEqual([])
    expect(faults({ availabilityZones: ['us-east-1a', 'us-east-1b'] }, 'eu-west-1')).toHaveLength(2)
  })
})

type Value = string | number | boolean | null | undefined | Value[] | { [name: string]: Value }

/** Configurations that have every field between them. */
const { availabilityZones: _, ...OTHERS } = FULL
const CONFIGURATIONS: Value[] = [
  {
    ...FULL,
    tags: { team: 'qa' },
    permissionsBoundary: 'arn:aws:iam::123456789012:policy/limit',
    terminationProtection: true,
    live: 'fargate',
    logRetentionDays: 30,
    throttle: { requestsPerSecond: 10, burst: 20 },
    smtp: { ...FULL.smtp, tasks: { count: 1, maxCount: 1, cpu: 256, memoryMiB: 512, spot: false } },
  },
  { ...OTHERS, ...IN_VPC, inbound: ['ses', 'smtp'], takeOver: false, receiptRuleSet: 'theirs' },
]

/** Every value of a configuration with its path, and the configuration with another value there. */
function* places(value: Value, path: string, put: (other: Value) => Value): Generator<Place> {
  yield { path, value, put }
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    const within = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`.replace(/^\./, '')
    yield* places(inner, within, (other) =>
      put(Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other }),
    )
  }
}
interface Place {
  path: string
  value: Value
  put(other: Value): Value
}

const ALL = new Map(
  CONFIGURATIONS.flatMap((config) => [...places(config, '', (other) => other)]).map((of) => [of.path, of]),
)
const isObject = (value: Value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const isTexts = (value: Value) => Array.isArray(value) && value.every((one) => typeof one === 'string')
const kindOf = (value: Value) => (Array.isArray(value) ? 'list' : typeof value)
/** The fields; a text in a list does not count. */
const FIELDS = [...ALL.values()].filter(
  ({ path, value }) => (path !== '' && !/\]$/.test(path)) || isObject(value),
)

describe('the form of the configuration', () => {
  test('the configurations of this test are valid', () => {
    for (const config of CONFIGURATIONS) expect(faults(config)).toEqual([])
  })

  test.each(FIELDS.filter(({ path }) => path !== '').map((field) => [field.path, field] as const))(
    '%s has one type',
    (path, { value, put }) => {
      const others: Value[] = ['a b', 7.5, -1, true, [], {}, null]
      const wrong = others.filter((other) => other === null || kindOf(other) !== kindOf(value))
      if (typeof value === 'number') wrong.push(-1)
      if (isTexts(value)) wrong.push([7], ['a', 7], [null])
      for (const other of wrong) {
        const [fault, ...more] = faults(put(other)).filter((text) => text.startsWith(`${path} must be `))
        const shown = isObject(value) ? '' : `, not ${JSON.stringify(other)}`
        expect([other, fault, more]).toEqual([other, expect.stringContaining(shown), []])
      }
    },
  )

  test.each(FIELDS.filter(({ path, value }) => isObject(value) && path !== 'tags'))(
    'the object "$path" has no other fields',
    ({ path, value, put }) => {
      expect(faults(put({ ...(value as object), extra: 1 }))).toEqual([
        `${path === '' ? '' : `${path}.`}extra is not a field of the configuration`,
      ])
    },
  )

  test.each([
    'domains[0].name',
    'domains[0].zone.id',
    'domains[0].zone.name',
    'host.name',
    'host.certificateArn',
    'vpc.id',
    'vpc.subnets',
    'inboundLimit.mailsPerHour',
  ])('%s is required', (path) => {
    const [, within, name] = /^(.*)\.(\w+)$/.exec(path)!
    const { value, put } = ALL.get(within!)!
    const { [name!]: _, ...others } = value as Record<string, Value>
    const found = faults(put(others)).filter((fault) => fault.startsWith(`${path} must `))
    expect(found).toHaveLength(1)
  })
})
