import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Cloud, openCloud } from './cloud.ts'
import { EMULATED, startEmulator } from './emulator.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))

/** An account of AWS that CDK may deploy to: an emulator of its own. */
export interface Account {
  cloud: Cloud
  /** Is deleted with it. */
  folder: string
  /** CDK's command line, in the folder of an app. @throws Error with all that it said */
  cdk(command: string[], app?: string): Promise<void>
  /** Says what of the deployments so far the emulator has no counterpart for. */
  tellLeftOut(): Promise<void>
  close(): Promise<void>
}

/** @param env more of the environment of the emulator, which it hands on to the functions */
export async function openAccount(env: Record<string, string> = {}): Promise<Account> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-aws-'))
  const leftOut = join(folder, 'left-out')
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
  const close = async () => {
    await emulator.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const cdk = commandLine(emulator.endpoint, folder)
    // In an empty folder: else it runs the app first.
    await mkdir(join(folder, 'empty'))
    await cdk(['bootstrap', 'aws://000000000000/us-east-1'], join(folder, 'empty'))
    return { cloud: openCloud(emulator.endpoint), folder, cdk, tellLeftOut: () => tell(leftOut), close }
  } catch (error) {
    await close()
    throw error
  }
}

function commandLine(endpoint: string, home: string) {
  const { accessKeyId, secretAccessKey } = EMULATED.credentials
  const env = {
    PATH: `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
    HOME: home,
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: EMULATED.region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_DISABLE_CLI_TELEMETRY: '1',
  }
  return async (command: string[], app = root): Promise<void> => {
    try {
      await run('cdk', [...command, '--no-notices', '--ci'], { cwd: app, env, maxBuffer: 2 ** 26 })
    } catch (error) {
      const { stdout, stderr } = error as { stdout?: string; stderr?: string }
      throw new Error(`cdk ${command[0]} failed:\n${stdout ?? ''}\n${stderr ?? error}`)
    }
  }
}

async function tell(file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  process.stderr.write(
    [
      'LEFT OUT of the deployment, for the emulator has no such thing; assertions on the template prove it:',
      ...[...new Set(lines)].map((line) => `  ${line}`),
      '  the pages: CDK’s function that uploads them needs the AWS command line',
      '  the prefix list of CloudFront: its id is made up',
      '',
    ].join('\n'),
  )
}
