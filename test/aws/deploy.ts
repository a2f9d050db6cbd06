import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { type DeployedTemplate, readDeployed } from './template.ts'

/** A CDK app with one stack of this name. */
export interface App {
  stackName: string
  /** Folder of the app; by default this project. */
  folder?: string
  /** Context of the app, passed by `-c`. */
  context?: Record<string, string>
}

export interface Deployed {
  template: DeployedTemplate
  outputs: Record<string, string>
  /** Runs `cdk destroy`. */
  destroy(): Promise<void>
}

/** The app of this project with a configuration in the form of mayfly.config.json. */
export async function ownApp(
  account: Account,
  config: { stackName?: string; [field: string]: unknown },
  dnsServer: string,
): Promise<App> {
  const { stackName = 'Mayfly' } = config
  const file = join(account.folder, `${stackName}.json`)
  await writeFile(file, JSON.stringify(config))
  // Docker does not build the image here, and the function of CDK that uploads the pages needs the
  // AWS command line.
  const context = { config: file, image: 'example.test/mayfly-sse:1', dnsServer, pages: 'none' }
  return { stackName, context }
}

/** Runs `cdk deploy`. @throws Error with the whole output of CDK if it fails */
export function deploy(account: Account, { stackName, folder, context = {} }: App): Promise<Deployed> {
  const told = Object.entries(context).flatMap(([name, value]) => ['--context', `${name}=${value}`])
  return deployed(account, stackName, ['--output', assembly(account, stackName), ...told], folder)
}

/** Runs `cdk deploy` with the assembly that an earlier deployment synthesised. */
export function deployAgain(account: Account, stackName: string): Promise<Deployed> {
  return deployed(account, stackName, ['--app', assembly(account, stackName)])
}

async function deployed(
  account: Account,
  stackName: string,
  app: string[],
  folder?: string,
): Promise<Deployed> {
  const outputs = join(account.folder, `${stackName}.outputs.json`)
  const how = ['--require-approval', 'never', '--outputs-file', outputs]
  await account.cdk(['deploy', stackName, ...how, ...app], folder)
  const made = assembly(account, stackName)
  return {
    template: await readDeployed(join(made, `${stackName}.template.json`), account.cloud, stackName),
    outputs: JSON.parse(await readFile(outputs, 'utf8'))[stackName],
    destroy: () => account.cdk(['destroy', stackName, '--force', '--app', made]),
  }
}

/** Folder of the template and the assets of a stack. */
function assembly({ folder }: Account, stackName: string): string {
  return join(folder, `${stackName}.out`)
}
