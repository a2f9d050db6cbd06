import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { type DeployedTemplate, readDeployed } from './template.ts'

/** An app of CDK that has one stack, of this name. */
export interface App {
  stackName: string
  /** Where it is; this project's own without it. */
  folder?: string
  /** What it is told by `-c`. */
  context?: Record<string, string>
}

export interface Deployed {
  template: DeployedTemplate
  outputs: Record<string, string>
  /** `cdk destroy`. */
  destroy(): Promise<void>
}

/** The app of this project with a configuration, as mayfly.config.json has it. */
export async function ownApp(
  account: Account,
  config: { stackName?: string; [field: string]: unknown },
  dnsServer: string,
): Promise<App> {
  const { stackName = 'Mayfly' } = config
  const file = join(account.folder, `${stackName}.json`)
  await writeFile(file, JSON.stringify(config))
  // No Docker builds the image, and CDK's function that uploads the pages needs the AWS command line.
  const context = { config: file, image: 'example.test/mayfly-sse:1', dnsServer, pages: 'none' }
  return { stackName, context }
}

/** `cdk deploy`. @throws Error with all that CDK said, where it failed */
export function deploy(account: Account, { stackName, folder, context = {} }: App): Promise<Deployed> {
  const told = Object.entries(context).flatMap(([name, value]) => ['--context', `${name}=${value}`])
  return deployed(account, stackName, ['--output', assembly(account, stackName), ...told], folder)
}

/** `cdk deploy` of what was synthesised when it was deployed before. */
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

/** Where a stack's template and assets are. */
function assembly({ folder }: Account, stackName: string): string {
  return join(folder, `${stackName}.out`)
}
