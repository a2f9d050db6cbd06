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

/** An AWS account that CDK can deploy to: an emulator for this suite only. */
export interface Account {
  cloud: Cloud
  /** A folder that is deleted with the account. */
  folder: string
  /** Runs the command line of CDK in the folder of an app. @throws Error with the whole output */
  cdk(command: string[], app?: string): Promise<void>
  /** Prints which parts of the deployments so far the emulator does not implement. */
  reportLeftOut(): Promise<void>
  close(): Promise<void>
}

/**
 * @param env additional environment variables of the emulator, which passes them on to the
 * functions
 */
export async function openAccount(env: Record<string, string> = {}): Promise<Account> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-aws-'))
  const leftOut = join(folder, 'left-out')
  const emulator = await startEmulator({
    // The emulator checks every call against the synthesised policies.
    AUTH: 'true',
    PYTHONPATH: join(here, 'emulator-types'),
    PYTHONDONTWRITEBYTECODE: '1',
    MAYFLY_LEFT_OUT: leftOut,
    // The functions of CDK find the SDK here, which Lambda provides by itself.
    NODE_PATH: [join(here, 'emulator-modules'), join(root, 'node_modules')].join(delimiter),
    ...env,
  })
  const close = async () => {
    await emulator.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const cdk = commandLine(emulator.endpoint, folder)
    // In an empty folder, because CDK would run the app of its folder first.
    await mkdir(join(folder, 'empty'))
    await cdk(['bootstrap', 'aws://000000000000/us-east-1'], join(folder, 'empty'))
    return {
      cloud: openCloud(emulator.endpoint),
      folder,
      cdk,
      reportLeftOut: () => printLines(leftOut),
      close,
    }
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

async function printLines(file: string): Promise<void> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter(Boolean)
  process.stderr.write(
    [
      'LEFT OUT of the deployment because the emulator does not implement it; assertions on the template check it:',
      ...[...new Set(lines)].map((line) => `  ${line}`),
      '  the pages: the function of CDK that uploads them needs the AWS command line',
      '  the prefix list of CloudFront: its id is invented',
      '',
    ].join('\n'),
  )
}
