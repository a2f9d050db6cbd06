import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { DescribeActiveReceiptRuleSetCommand, SESClient } from '@aws-sdk/client-ses'
import { type Cloud, elements, openCloud } from './cloud.ts'
import { EMULATED, type Emulator, startEmulator } from './emulator.ts'
import { type DeployedTemplate, readDeployed } from './template.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))

/** What SES says of a mail beside its recipients; verdicts only where it scanned. */
export interface SaidOfMail {
  mailFrom?: string
  verdicts?: Record<string, string>
}

export interface DeployedStack {
  cloud: Cloud
  template: DeployedTemplate
  outputs: Record<string, string>
  /** Puts a message where the active receipt rule says, and announces it as Amazon SES does; returns its object. */
  receive(raw: string | Buffer, recipients: string[], said?: SaidOfMail): Promise<string>
  /** Publishes any text to the topic of the active receipt rule. */
  announce(message: string): Promise<void>
  /** The active receipt rule, as SES tells it. */
  rule: { bucket: string; prefix: string; topic: string }
  /** Starts what the task definition says; the port that it listens on, and how it is ended. */
  startTask(): Promise<{ port: number; stop(): Promise<number | null> }>
  /** `cdk destroy`. */
  destroy(): Promise<void>
  close(): Promise<void>
}

/**
 * Deploys the stack, as it is synthesised with this configuration, into an emulator of its own.
 * @param env more of the environment of its functions, for what stands around the stack
 */
export async function deployStack(
  config: object,
  dnsServer: string,
  env: Record<string, string> = {},
): Promise<DeployedStack> {
  const dir = await mkdtemp(join(tmpdir(), 'mayfly-aws-'))
  const leftOut = join(dir, 'left-out')
  const emulator = await startEmulator({
    // Every call is checked against the policies that were synthesised.
    AUTH: 'true',
    PYTHONPATH: join(here, 'emulator-types'),
    PYTHONDONTWRITEBYTECODE: '1',
    MAYFLY_LEFT_OUT: leftOut,
    // Where the functions of CDK find the SDK, which Lambda has by itself.
    NODE_PATH: [join(here, 'emulator-modules'), join(root, 'node_modules')].join(delimiter),
    ...env,
  })
  try {
    const cdk = commandLine(emulator, dir)
    await writeFile(join(dir, 'config.json'), JSON.stringify(config))
    // In an empty folder: else it runs the app first.
    await mkdir(join(dir, 'empty'))
    await cdk(['bootstrap', 'aws://000000000000/us-east-1'], join(dir, 'empty'))
    const context = {
      config: join(dir, 'config.json'),
      image: 'example.test/mayfly-sse:1',
      dnsServer,
      pages: 'none',
    }
    const arguments_ = Object.entries(context).flatMap(([name, value]) => ['--context', `${name}=${value}`])
    const app = ['--output', join(dir, 'cdk.out'), ...arguments_]
    await cdk(['deploy', '--require-approval', 'never', '--outputs-file', join(dir, 'outputs.json'), ...app])
    const outputs = JSON.parse(await readFile(join(dir, 'outputs.json'), 'utf8')).Mayfly
    await tellLeftOut(leftOut)
    return await joined(emulator, dir, outputs, () => cdk(['destroy', '--force', ...app]))
  } catch (error) {
    await emulator.stop()
    throw error
  }
}

async function joined(
  emulator: Emulator,
  dir: string,
  outputs: Record<string, string>,
  destroy: () => Promise<void>,
): Promise<DeployedStack> {
  const cloud = openCloud(emulator.endpoint)
  const client = { ...EMULATED, endpoint: emulator.endpoint }
  const s3 = new S3Client({ ...client, forcePathStyle: true })
  const template = await readDeployed(join(dir, 'cdk.out/Mayfly.template.json'), cloud, 'Mayfly')
  const rule = await activeRule(new SESClient(client))
  const announce = async (message: string) => {
    await cloud.query('sns', {
      Action: 'Publish',
      Version: '2010-03-31',
      TopicArn: rule.topic,
      Message: message,
    })
  }
  const tasks = new Set<ChildProcess>()
  return {
    cloud,
    template,
    outputs,
    rule,
    announce,
    async receive(raw, recipients, said = {}) {
      const messageId = randomUUID().replaceAll('-', '')
      const objectKey = rule.prefix + messageId
      await s3.send(new PutObjectCommand({ Bucket: rule.bucket, Key: objectKey, Body: raw }))
      await announce(JSON.stringify(notification(messageId, objectKey, rule, recipients, said)))
      return objectKey
    },
    startTask: () => startTask(cloud, template, tasks),
    destroy,
    async close() {
      for (const task of tasks) task.kill('SIGKILL')
      s3.destroy()
      await emulator.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** As Amazon SES tells it: docs.aws.amazon.com/ses, receiving-email-notifications-contents.html. */
function notification(
  messageId: string,
  objectKey: string,
  { bucket, prefix, topic }: DeployedStack['rule'],
  recipients: string[],
  { mailFrom: source = 'sender@example.org', verdicts = {} }: SaidOfMail,
) {
  const timestamp = new Date().toISOString()
  return {
    notificationType: 'Received',
    mail: { timestamp, source, messageId, destination: ['whoever@headers.example'], headersTruncated: false },
    receipt: {
      timestamp,
      processingTimeMillis: 100,
      recipients,
      ...Object.fromEntries(Object.entries(verdicts).map(([name, status]) => [`${name}Verdict`, { status }])),
      action: { type: 'S3', topicArn: topic, bucketName: bucket, objectKeyPrefix: prefix, objectKey },
    },
  }
}

async function activeRule(ses: SESClient): Promise<DeployedStack['rule']> {
  const { Rules = [] } = await ses.send(new DescribeActiveReceiptRuleSetCommand({}))
  ses.destroy()
  const [rule, ...others] = Rules
  const action = rule?.Actions?.[0]?.S3Action
  if (action === undefined || others.length > 0) throw new Error('there is not one active receipt rule')
  return { bucket: action.BucketName!, prefix: action.ObjectKeyPrefix!, topic: action.TopicArn! }
}

/** The container's program with the task's environment and role; nothing runs containers here. */
async function startTask(cloud: Cloud, template: DeployedTemplate, tasks: Set<ChildProcess>) {
  const { taskDefinition } = await cloud.json(
    'ecs',
    'AmazonEC2ContainerServiceV20141113.DescribeTaskDefinition',
    { taskDefinition: template.physical(template.the('AWS::ECS::TaskDefinition').id) },
  )
  const [container] = taskDefinition.containerDefinitions
  const env: Record<string, string> = {}
  for (const { name, value } of container.environment) env[name] = value
  const role = await assumeRole(cloud, taskDefinition.taskRoleArn)
  const child = spawn(process.execPath, ['index.mjs'], {
    cwd: join(root, 'dist/sse-service'),
    env: {
      ...env,
      // The container's port is a free one here, as if Docker had mapped it.
      MAYFLY_HTTP_PORT: '0',
      AWS_REGION: EMULATED.region,
      AWS_ENDPOINT_URL: cloud.endpoint,
      AWS_ACCESS_KEY_ID: role.accessKeyId,
      AWS_SECRET_ACCESS_KEY: role.secretAccessKey,
      AWS_SESSION_TOKEN: role.sessionToken,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  tasks.add(child)
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const ready = Promise.withResolvers<number>()
  let output = ''
  createInterface({ input: child.stdout }).on('line', (line) => {
    output += `${line}\n`
    const [, port] = /"message":"ready","port":(\d+)/.exec(line) ?? []
    if (port !== undefined) ready.resolve(Number(port))
  })
  void exited.then((code) => ready.reject(new Error(`the task ended with code ${code}:\n${output}`)))
  return {
    port: await ready.promise,
    stop: () => {
      child.kill('SIGTERM')
      return exited
    },
  }
}

export async function assumeRole(cloud: Cloud, arn: string) {
  const answer = await cloud.query('sts', {
    Action: 'AssumeRole',
    Version: '2011-06-15',
    RoleArn: arn,
    RoleSessionName: 'test',
  })
  const element = (name: string) => elements(answer, name)[0]!
  return {
    accessKeyId: element('AccessKeyId'),
    secretAccessKey: element('SecretAccessKey'),
    sessionToken: element('SessionToken'),
  }
}

function commandLine(emulator: Emulator, dir: string) {
  const { accessKeyId, secretAccessKey } = EMULATED.credentials
  const env = {
    PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
    HOME: dir,
    AWS_ENDPOINT_URL: emulator.endpoint,
    AWS_REGION: EMULATED.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_DISABLE_CLI_TELEMETRY: '1',
  }
  return async (command: string[], cwd = root): Promise<void> => {
    try {
      await run('cdk', [...command, '--no-notices', '--ci'], {
        cwd,
        env,
        maxBuffer: 2 ** 26,
      })
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string }
      throw new Error(`cdk ${command[0]} failed:\n${stdout ?? ''}\n${stderr ?? error}`)
    }
  }
}

async function tellLeftOut(file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  process.stderr.write(
    [
      'LEFT OUT of the deployment, for the emulator has no such thing; assertions on the template prove it:',
      ...lines.map((line) => `  ${line}`),
      '  the pages: CDK’s function that uploads them needs the AWS command line',
      '  the prefix list of CloudFront: its id is made up',
      '',
    ].join('\n'),
  )
}
