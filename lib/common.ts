import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { ENV, type MailProviderName } from '../adapters/aws/env.ts'
import type { Config } from './config/resolved.ts'
import type { HandlerSettings } from './handler-function.ts'
import { localName } from './names.ts'
import { Emptier } from './operations/emptier.ts'
import { Storage } from './storage.ts'

/** What a part with functions that use the storage needs. */
export interface FunctionsProps {
  storage: Storage
  handlers: HandlerSettings
  environment: Record<string, string>
}

/** The values that all parts of one deployment share. */
export interface Common {
  config: Config
  handlers: HandlerSettings
  bundles: string
  storage: Storage
  emptier: Emptier
  originSecret: Secret
  operatorKeys: ISecret | undefined
  /**
   * A name of this deployment, unique in the Region: dimension of metrics and tag of SES
   * identities.
   */
  name: string
  usesSes: boolean
}

/** With the environment variables of the programs that answer requests or verify domains. */
export type ServiceCommon = Common & FunctionsProps

/** Creates the storage and the origin secret in the scope. */
export function addCommon(scope: Construct, config: Config, bundles: string): Common {
  const { logRetentionDays, encryptionKey, operatorKeys } = config
  const handlers = { bundles, logRetentionDays, encryptionKey }
  const originSecret = addOriginSecret(scope, config)
  const emptier = new Emptier(scope, 'Emptier', handlers)
  const storage = new Storage(scope, 'Storage', { ...config, encryptionKey, emptier })
  const name = localName(scope, 100)
  const usesSes = config.inbound.includes('ses')
  return { config, handlers, bundles, storage, emptier, originSecret, operatorKeys, name, usesSes }
}

/** @param mxHost the host that MX records must name */
export function withEnvironment(common: Common, mxHost: string): ServiceCommon {
  const { config, storage, name } = common
  const environment = {
    ...storage.environment,
    [ENV.mxHost]: mxHost,
    [ENV.mailProvider]: providerOf(config),
    ...(config.operatorKeys && { [ENV.operatorKeysArn]: config.operatorKeys.secretArn }),
    [ENV.identityOwner]: name,
    ...(config.dnsServer === undefined ? {} : { [ENV.dnsServer]: config.dnsServer }),
  }
  return { ...common, environment }
}

/** Returns the program that receives mail for verified domains: the first of `inbound`. */
function providerOf({ inbound, receiptRuleSet }: Config): MailProviderName {
  if (inbound[0] === 'smtp') return 'smtp'
  return receiptRuleSet === undefined ? 'ses' : 'ses-shared'
}

/** CloudFront sends this secret, so that origins recognise its requests. */
function addOriginSecret(scope: Construct, { encryptionKey }: Config): Secret {
  return new Secret(scope, 'OriginSecret', {
    description: 'What CloudFront sends to the origins of Mayfly',
    generateSecretString: { passwordLength: 48, excludePunctuation: true },
    ...(encryptionKey && { encryptionKey }),
  })
}
