import { readFile } from 'node:fs/promises'
import { type Cloud, elements } from './cloud.ts'

// biome-ignore lint/suspicious/noExplicitAny: the properties of a template have any shape
type Properties = Record<string, any>

interface Resource {
  Type: string
  Properties: Properties
}

/** The synthesised template, and the physical resources that were created from it. */
export interface DeployedTemplate {
  /** Returns the only resource of this type, or of those whose logical id begins with a text. */
  the(type: string, prefix?: string): Resource & { id: string }
  /** Returns a resource by its logical id. */
  resource(id: string): Resource
  /** Physical ids by logical ids. */
  physical(logicalId: string): string
  /** Returns the logical id that a value refers to, at any depth. */
  refersTo(value: unknown): string
  /** Returns a value with its references resolved. */
  text(value: unknown): Promise<string>
}

export async function readDeployed(file: string, cloud: Cloud, stackName: string): Promise<DeployedTemplate> {
  const { Resources } = JSON.parse(await readFile(file, 'utf8')) as { Resources: Record<string, Resource> }
  const described = await cloud.query('cloudformation', {
    Action: 'DescribeStackResources',
    Version: '2010-05-15',
    StackName: stackName,
  })
  const ids = new Map<string, string>()
  for (const member of described.split('<member>').slice(1)) {
    const [logical] = elements(member, 'LogicalResourceId')
    const [physical] = elements(member, 'PhysicalResourceId')
    if (logical && physical) ids.set(logical, physical)
  }
  const physical = (id: string) => {
    const found = ids.get(id)
    if (found === undefined) throw new Error(`${id} was not deployed`)
    return found
  }
  const resolve = (value: unknown): string => {
    if (typeof value === 'string') return value
    const [[name, argument] = []] = Object.entries(value as Record<string, unknown>)
    if (name === 'Ref') return physical(argument as string)
    if (name === 'Fn::Join') {
      const [separator, parts] = argument as [string, unknown[]]
      return parts.map(resolve).join(separator)
    }
    throw new Error(`${name} is not resolved here`)
  }
  return {
    physical,
    resource: (id) => Resources[id]!,
    the(type, prefix = '') {
      const found = Object.entries(Resources).filter(
        ([id, resource]) => resource.Type === type && id.startsWith(prefix),
      )
      if (found.length !== 1) throw new Error(`${found.length} resources are of type ${type}, not one`)
      return { id: found[0]![0], ...found[0]![1] }
    },
    refersTo(value) {
      const [, id] = /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(value)) ?? []
      if (id === undefined) throw new Error(`${JSON.stringify(value)} refers to nothing`)
      return id
    },
    async text(value) {
      const text = resolve(value)
      const [, secret] = /^\{\{resolve:secretsmanager:(.+):SecretString:::?\}\}$/.exec(text) ?? []
      if (secret === undefined) return text
      return (await cloud.json('secretsmanager', 'secretsmanager.GetSecretValue', { SecretId: secret }))
        .SecretString
    },
  }
}
