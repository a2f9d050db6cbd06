import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bundleService } from '../../lib/bundling/bundles.ts'
import { openAccount } from './account.ts'
import { type Cloud, elements } from './cloud.ts'
import { type Deployed, deploy, ownApp } from './deploy.ts'
import { EMULATED } from './emulator.ts'
import { actionOf, type Rule, type SaidOfMail, Ses } from './ses.ts'
import type { DeployedTemplate } from './template.ts'

export interface DeployedStack extends Deployed {
  cloud: Cloud
  /**
   * Stores a message as the active receipt rule says, notifies the topic as Amazon SES does, and
   * resolves to the object key.
   */
  receive(raw: string | Buffer, recipients: string[], said?: SaidOfMail): Promise<string>
  /** Publishes any text to the topic of the active receipt rule. */
  announce(message: string): Promise<void>
  /** The active receipt rule, as SES describes it. */
  rule: Rule
  /** Starts the task of the task definition; resolves to its port and a function that stops it. */
  startTask(): Promise<{ port: number; stop(): Promise<number | null> }>
  close(): Promise<void>
}

/**
 * Synthesises the stack with this configuration and deploys it into a new account.
 * @param env additional environment variables of its functions, which describe their surroundings
 */
export async function deployStack(
  config: object,
  dnsServer: string,
  env?: Record<string, string>,
): Promise<DeployedStack> {
  const account = await openAccount(env)
  try {
    const deployed = await deploy(account, await ownApp(account, { ...config }, dnsServer))
    await account.reportLeftOut()
    const { cloud } = account
    const ses = new Ses(cloud)
    const [receiptRule, ...others] = await ses.rules()
    if (receiptRule === undefined || others.length > 0)
      throw new Error('there is not one active receipt rule')
    const rule = actionOf(receiptRule)
    const tasks = new Set<ChildProcess>()
    return {
      ...deployed,
      cloud,
      rule,
      announce: (message) => ses.announce(rule.topic, message),
      receive: async (raw, recipients, said) => Object.values(await ses.receive(raw, recipients, said))[0]!,
      async startTask() {
        const folder = join(account.folder, 'sse-service')
        if (!existsSync(folder)) await bundleService('sse-service', folder)
        return startTask(cloud, deployed.template, tasks, folder)
      },
      async close() {
        for (const task of tasks) task.kill('SIGKILL')
        ses.close()
        await account.close()
      },
    }
  } catch (error) {
    await account.close()
    throw error
  }
}

/**
 * Runs the program of the container with the environment and the role of the task, because the
 * emulator runs no containers.
 */
async function startTask(cloud: Cloud, template: DeployedTemplate, tasks: Set<ChildProcess>, folder: string) {
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
    cwd: folder,
    env: {
      ...env,
      // The port of the container is a free one here, as if Docker had mapped it.
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
