import type { Properties } from '../../lib/synth.ts'
import { arn } from './requests.ts'

export const ACCOUNT = '123456789012'
const REGION = 'us-east-1'
/** The id of the stack. */
export const STACK = arn('cloudformation', 'stack/Mayfly/x')

export interface Statement {
  Effect: 'Allow' | 'Deny'
  Action: string[]
  Resource: string[]
  Condition?: Record<string, Record<string, string | string[]>>
  [element: string]: unknown
}

/** A role, with what its policies say and with the program that has it. */
export interface Role {
  /** `InboundIngest`: the construct of the role, which is the same in every configuration. */
  name: string
  arn: string
  statements: Statement[]
  /** What policies of AWS allow. */
  managed: Statement[]
  /** Environment variables of its program; undefined if none of this project runs with it. */
  env: Record<string, string> | undefined
  /** The logical id of its function, task definition or revision. */
  runs: string | undefined
}

/** A custom resource of the template, with its properties resolved. */
export interface CustomResource {
  type: string
  properties: Record<string, unknown>
}

/**
 * The policies of a synthesised template, with every reference resolved. Physical names are those
 * of the constructs, so that a resource has the same ARN in every configuration.
 */
export class Policies {
  readonly roles: Role[]
  readonly #resources: Record<string, { Type: string; Properties?: Properties }>

  constructor(template: Properties) {
    this.#resources = template.Resources
    this.roles = this.#of('AWS::IAM::Role').map(([id, role]) => this.#role(id, role))
  }

  /** The statements of the resource that has this ARN, or undefined if it has no policy. */
  resourcePolicy(resource: string): { Version: string; Statement: unknown[] } | undefined {
    const kinds = { BucketPolicy: 'Bucket', QueuePolicy: 'Queues', TopicPolicy: 'Topics' }
    for (const [kind, owners] of Object.entries(kinds)) {
      for (const [, properties] of this.#all().filter(([, { Type }]) => Type.endsWith(`::${kind}`))) {
        const ids = [properties.Properties![owners]].flat().map(({ Ref }) => Ref as string)
        if (!ids.some((id) => isWithin(resource, this.arnOf(id)))) continue
        return this.resolve(properties.Properties!.PolicyDocument) as never
      }
    }
    return undefined
  }

  /** The properties of all resources of a type, resolved. */
  all(type: string): [id: string, properties: Properties][] {
    return this.#of(type).map(([id, properties]) => [id, this.resolve(properties) as Properties])
  }

  /** The custom resources, with their properties resolved. */
  customResources(): { type: string; properties: Properties }[] {
    return this.#all()
      .filter(([, { Type }]) => Type.startsWith('Custom::'))
      .map(([, { Type, Properties = {} }]) => ({
        type: Type,
        properties: this.resolve(Properties) as Properties,
      }))
  }

  /** The key of the account that encrypts the stack, if there is one. */
  key(): string | undefined {
    return this.all('AWS::SQS::Queue')
      .map(([, { KmsMasterKeyId }]) => KmsMasterKeyId)
      .find((key) => key !== undefined)
  }

  /** The resources that the key encrypts. */
  encrypted(): string[] {
    const key = this.key()
    return this.#all()
      .filter(([, { Type }]) => /::(Table|Bucket|Queue|Secret|Topic)$/.test(Type))
      .filter(([, { Properties = {} }]) => JSON.stringify(this.resolve(Properties)).includes(`"${key}"`))
      .map(([id]) => this.arnOf(id))
  }

  arnOf(id: string): string {
    const name = nameOf(id)
    switch (this.#resources[id]?.Type) {
      case 'AWS::DynamoDB::Table':
        return arn('dynamodb', `table/${name}`)
      case 'AWS::S3::Bucket':
        return `arn:aws:s3:::${name.toLowerCase()}`
      case 'AWS::IAM::Role':
        return `arn:aws:iam::${ACCOUNT}:role/${name}`
      case 'AWS::Logs::LogGroup':
        return arn('logs', `log-group:${name}:*`)
      case 'AWS::SecretsManager::Secret':
        return arn('secretsmanager', `secret:${name}-a1B2c3`)
      case 'AWS::Lambda::Function':
        return arn('lambda', `function:${name}`)
      case 'AWS::Events::Rule':
        return arn('events', `rule/${name}`)
      case 'AWS::Events::EventBus':
        return arn('events', `event-bus/${name}`)
      case 'AWS::SQS::Queue':
        return arn('sqs', name)
      case 'AWS::SNS::Topic':
        return arn('sns', name)
    }
    return `${name}.Arn`
  }

  /** Returns a value of the template with its references resolved. */
  resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.resolve(item))
    if (typeof value !== 'object' || value === null) return value
    const [[name, argument] = ['', {}]] = Object.entries(value) as [[string, Properties]?]
    if (name === 'Ref') return this.#ref(argument as never)
    if (name === 'Fn::GetAtt') return this.#attribute(argument[0], argument[1])
    if (name === 'Fn::Join')
      return (argument[1] as unknown[]).map((part) => this.resolve(part)).join(argument[0])
    if (name === 'Fn::Sub')
      return String(argument).replace(/\$\{([\w:]+)\}/g, (_, reference) => this.#ref(reference))
    if (name === 'Fn::Select') return 'selected'
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.resolve(item)]))
  }

  #ref(id: string): string {
    const pseudo: Record<string, string> = {
      'AWS::AccountId': ACCOUNT,
      'AWS::Partition': 'aws',
      'AWS::Region': REGION,
      'AWS::URLSuffix': 'amazonaws.com',
      'AWS::StackId': STACK,
    }
    if (pseudo[id] !== undefined) return pseudo[id]
    const { Type: type, Properties: properties = {} } = this.#resources[id] ?? {}
    if (type === 'AWS::SES::ReceiptRuleSet') return properties.RuleSetName
    if (type === 'AWS::SQS::Queue') return `https://sqs.us-east-1.amazonaws.com/${ACCOUNT}/${nameOf(id)}`
    if (type === 'AWS::SNS::Topic' || type === 'AWS::SecretsManager::Secret') return this.arnOf(id)
    return type === 'AWS::S3::Bucket' ? nameOf(id).toLowerCase() : nameOf(id)
  }

  #attribute(id: string, name: string): string {
    if (name === 'Arn') return this.arnOf(id)
    if (name === 'StreamArn') return `${this.arnOf(id)}/stream/x`
    return `${nameOf(id)}.${name}`
  }

  #role(id: string, properties: Properties): Role {
    const policies = this.#of('AWS::IAM::Policy').filter(([, { Roles }]) =>
      Roles.some((role: Properties) => role.Ref === id),
    )
    const { runs, env } = this.#program(id)
    return {
      name: nameOf(id).replace(/(?:Task)?Role$/, ''),
      arn: this.arnOf(id),
      statements: policies
        .flatMap(([, { PolicyDocument }]) => this.resolve(PolicyDocument.Statement) as Properties[])
        .map(
          (statement) =>
            ({
              ...statement,
              Action: [statement.Action].flat(),
              Resource: [statement.Resource].flat(),
            }) as Statement,
        ),
      managed: (this.resolve(properties.ManagedPolicyArns ?? []) as string[]).map(managedStatement),
      env,
      runs,
    }
  }

  /** What runs with a role: a function, a task or the revision of a web function. */
  #program(roleId: string): Pick<Role, 'runs' | 'env'> {
    const isRole = (value: Properties | undefined) => value?.['Fn::GetAtt']?.[0] === roleId
    for (const [id, { Type, Properties: properties = {} }] of this.#all()) {
      if (Type === 'AWS::Lambda::Function' && isRole(properties.Role))
        return { runs: id, env: this.resolve(properties.Environment?.Variables ?? {}) as never }
      if (Type === 'AWS::ECS::TaskDefinition' && isRole(properties.TaskRoleArn)) {
        const pairs = properties.ContainerDefinitions[0].Environment as { Name: string; Value: unknown }[]
        return {
          runs: id,
          env: Object.fromEntries(pairs.map(({ Name, Value }) => [Name, this.resolve(Value)])) as never,
        }
      }
      if (Type === 'AWS::Lambda::WebFunctionRevision' && isRole(properties.ServiceConfig.ExecutionRoleArn))
        return { runs: id, env: this.resolve(properties.ServiceConfig.EnvironmentVariables) as never }
    }
    return { runs: undefined, env: undefined }
  }

  #all() {
    return Object.entries(this.#resources)
  }

  #of(type: string): [string, Properties][] {
    return this.#all()
      .filter(([, { Type }]) => Type === type)
      .map(([id, { Properties = {} }]) => [id, Properties])
  }
}

/** The logical id without the name of the construct of the whole service, and without its hash. */
function nameOf(id: string): string {
  return id.replace(/^Mayfly/, '').replace(/[0-9A-F]{8}$/, '')
}

/** The statement of a policy of AWS (aws-managed-policy/latest/reference). */
function managedStatement(policy: string): Statement {
  if (!policy.endsWith('/AWSLambdaBasicExecutionRole')) throw new Error(`${policy} is not known here`)
  const Action = ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents']
  return { Effect: 'Allow', Action, Resource: ['*'] }
}

export function isWithin(resource: string, owner: string): boolean {
  return resource === owner || resource.startsWith(`${owner}/`)
}
