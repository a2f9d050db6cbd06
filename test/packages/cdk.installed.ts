import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { installConstruct } from './consumer.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** An app of a user: an empty folder with the tarball, and the user's own CDK. */
describe('@mayfly/cdk, installed from its tarball', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-consumer-'))
    await installConstruct(folder)
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  const node = async (file: string, text: string): Promise<string> => {
    await writeFile(join(folder, file), text)
    return (await run(process.execPath, [file], { cwd: folder, maxBuffer: 2 ** 26 })).stdout
  }

  test('synthesises in a user’s app and exposes its resources', async () => {
    const stdout = await node('app.mjs', APP)
    const { functions, assets, warnings, values, mx, rights } = JSON.parse(stdout.split('\n').at(-2)!)
    expect(functions).toBeGreaterThanOrEqual(5)
    expect(assets).toEqual([])
    // There would be one if the package did not contain the pages.
    expect(warnings).toEqual([expect.stringContaining('set canary or silenceHours')])
    expect(values).toEqual([true, true, true])
    expect(mx).toBe('mail.example.com.')
    expect(rights).toEqual(expect.arrayContaining(['dynamodb:Query', 's3:GetObject']))
    expect(JSON.stringify(rights)).not.toMatch(/Put|Delete|Scan/)
  })

  test('reports all wrong props in one error', async () => {
    const text = `import { Mayfly } from '@mayfly/cdk'
      import { App, Duration, Stack } from 'aws-cdk-lib'
      try {
        new Mayfly(new Stack(new App(), 'S'), 'Mail', {
          retention: Duration.days(999), domains: [{ name: 'UPPER' }], tasks: { count: 9 } })
      } catch (error) { console.log(JSON.stringify([error.name, error.faults.length])) }`
    expect(JSON.parse(await node('wrong.mjs', text))).toEqual(['ConfigError', 3])
  })

  test.each([
    ['brings its types', 'typed.ts', async () => TYPED],
    ['the example of its README compiles', 'readme.ts', readme],
  ])('%s', async (_, file, text) => {
    await writeFile(join(folder, file), await text())
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2022']
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    await run(process.execPath, [tsc, ...options, file], { cwd: folder }).catch(
      ({ stdout }: { stdout: string }) => {
        throw new Error(stdout)
      },
    )
  })
})

async function readme(): Promise<string> {
  const text = await readFile(join(ROOT, 'packages/cdk/README.md'), 'utf8')
  return /```ts\n(.*?)```/s.exec(text)![1]!
}

const APP = `
import { existsSync } from 'node:fs'
import { Mayfly } from '@mayfly/cdk'
import { App, Duration, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { HostedZone } from 'aws-cdk-lib/aws-route53'
import { Topic } from 'aws-cdk-lib/aws-sns'

const app = new App()
const stack = new Stack(app, 'Theirs')
const zone = HostedZone.fromHostedZoneAttributes(stack, 'Zone', { hostedZoneId: 'Z1', zoneName: 'example.com' })
const alarmTopic = new Topic(stack, 'Alarms', { enforceSSL: true })
const mail = new Mayfly(stack, 'Mail', {
  domains: [{ name: 'mail.example.com', zone }],
  retention: Duration.hours(12),
  alarmTopic,
  image: 'example.test/mayfly-sse:1',
})
const reader = new Role(stack, 'Reader', { assumedBy: new ServicePrincipal('ec2.amazonaws.com') })
mail.grantRead(reader)
const template = Template.fromStack(stack)
const found = (type) => Object.values(template.findResources(type)).map(({ Properties }) => Properties)
const [records] = found('AWS::Route53::RecordSetGroup')
const policy = Object.entries(template.findResources('AWS::IAM::Policy')).find(([id]) => id.startsWith('Reader'))[1]
const assembly = app.synth().getStackByName('Theirs')
console.log(JSON.stringify({
  functions: found('AWS::Lambda::Function').filter(({ Runtime }) => Runtime === 'nodejs24.x').length,
  assets: assembly.assets.filter(({ path, source }) => path === undefined && source === undefined),
  values: [mail.baseUrl.startsWith('https://'), mail.alarmTopic === alarmTopic,
    mail.metricReceived().metricName === 'NumberOfMessagesSent'],
  warnings: assembly.messages.map(({ entry }) => entry.data),
  mx: records.RecordSets.find(({ Type }) => Type === 'MX').Name,
  rights: policy.Properties.PolicyDocument.Statement.flatMap(({ Action }) => Action),
}))
`

const TYPED = `
import { Mayfly, type MayflyProps } from '@mayfly/cdk'
import { App, Duration, Stack } from 'aws-cdk-lib'

const props: MayflyProps = { retention: Duration.hours(12), inbound: ['ses'] }
const mail = new Mayfly(new Stack(new App(), 'S'), 'Mail', props)
const url: string = mail.baseUrl
const arn: string = mail.table.tableArn
// @ts-expect-error an unknown way in
const wrong: MayflyProps = { inbound: ['fax'] }
// @ts-expect-error the URL is a string
const number: number = mail.baseUrl
console.log(url, arn, wrong, number)
`
