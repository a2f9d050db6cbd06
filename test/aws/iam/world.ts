import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBStreamsClient } from '@aws-sdk/client-dynamodb-streams'
import { CreateEventBusCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { CreateQueueCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { ENV, PREFIXES } from '../../../adapters/aws/env.ts'
import { ValkeyPublisher } from '../../../adapters/valkey/publisher.ts'
import { ApiKeyService, hashKey } from '../../../core/access/api-keys.ts'
import { newDomain } from '../../../core/access/registration.ts'
import type { Change } from '../../../core/events/ports.ts'
import { receive } from '../../../core/inbox/receive.ts'
import { HOUR_MS, READING_LIMITS } from '../../../core/limits.ts'
import { parseMail } from '../../../reading/read.ts'
import { assembleDomainService } from '../../../service/assemble.ts'
import { type AwsStore, openStore } from '../../../service/aws-store.ts'
import { openLiveStore } from '../../../sse-service/live-store.ts'
import { TLS } from '../../adapters/smtp/smtp-certificate.ts'
import { unique } from '../../contract/sample.ts'
import { startDns, type TestDns } from '../../support/dns-server.ts'
import { EDGE_SECRET } from '../../support/edge-request.ts'
import { startValkey, type ValkeyServer } from '../../support/valkey.ts'
import { elements, openCloud } from '../cloud.ts'
import { createTables } from '../dynamodb-local.ts'
import { EMULATED, startEmulator } from '../emulator.ts'
import { TLS as TARGET } from '../open-internet.ts'
import { ACCOUNT, STACK } from './policies.ts'
import { type Recorder, startRecorder } from './recorder.ts'

export const DOMAIN = 'mail.example.com'
export const PRIVATE_DOMAIN = 'private.example.com'
export const DOMAIN_KEY = 'the key of a private domain'
const OPERATOR_KEY = 'operator-key-0123456789'

/** Everything around the programs: the services of AWS on an emulator, DNS, Valkey, and stored mail. */
export interface World {
  recorder: Recorder
  dns: TestDns
  store: AwsStore
  /** Stores a raw message under a new id, as SES does, and returns the id. */
  putRaw(raw: string): Promise<string>
  /** Stores a mail, as the ingest function does, and returns the id of its email. */
  deliver(address: string, subject: string, parts?: { text?: string; attachment?: string }): Promise<string>
  putObject(bucket: string): Promise<void>
  /** The id of a deployed stack. */
  stackId: string
  /** Creates a receipt rule set with these rules. */
  createRuleSet(name: string, rules: string[]): Promise<void>
  /** Activates a rule set of another owner. */
  activateTheirs(): Promise<void>
  /** Registers a private domain that waits for its confirmation, with an email. */
  addPrivate(name: string, keyPresented: boolean): Promise<void>
  /** A file with the certificate of webhook targets. */
  certificate: string
  /** Returns a new API key. */
  newKey(): Promise<string>
  /** Calls a listener with each change of the mail table until it is stopped. */
  follow(listener: (change: Change) => void): Promise<{ stop(): Promise<void> }>
  /** Publishes the changes of the mail table to Valkey until it is stopped, as lambdas/publish.ts does. */
  publishChanges(): Promise<{ stop(): Promise<void> }>
  /** Registers the domains again as they were, verified. */
  restoreDomains(): Promise<void>
  /** Sends a message to a queue, and returns it as Lambda passes it on. */
  record(queue: string, body: string): Promise<{ messageId: string; body: string; receiptHandle: string }>
  /** The environment of a program of a template, here: its secrets, queues and caches exist. */
  environment(env: Record<string, string>, accessKey: string): Record<string, string>
  close(): Promise<void>
}

/** The names of the resources, which are those of their constructs (policies.ts). */
const QUEUES = ['InboundQueue', 'WebhooksQueue']
const BUCKETS = ['storagemessages', 'edgepagesfiles', 'ssecode']
const TABLES = { mailTable: 'StorageInboxes', keysTable: 'StorageKeys' }
const BUS = 'ReceivedEventsBus'
const SECRETS: Record<string, string> = {
  [ENV.originSecretArn]: EDGE_SECRET,
  [ENV.operatorKeysArn]: OPERATOR_KEY,
  [ENV.tlsSecretArn]: JSON.stringify(TLS),
}

export const VERDICTS = { spam: null, virus: null, spf: null, dkim: null, dmarc: null }

let clients = 0
/** An address that has made no API key yet. */
const nextClient = () => `198.51.100.${++clients}`

function plainMail(subject: string, text: string): string {
  return `Subject: ${subject}\r\n\r\n${text}\r\n`
}

export function mailWith(subject: string, text: string, attachment: string): string {
  return [
    `Subject: ${subject}`,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    text,
    '--b',
    'Content-Disposition: attachment; filename=a.txt',
    '',
    attachment,
    '--b--',
    '',
  ].join('\r\n')
}

export async function openWorld(): Promise<World> {
  const closing: (() => unknown)[] = []
  const emulator = await startEmulator({ MINISTACK_ACCOUNT_ID: ACCOUNT })
  closing.push(emulator.stop)
  const recorder = await startRecorder(emulator.endpoint)
  const dns = await startDns()
  const valkey: ValkeyServer = await startValkey()
  closing.push(recorder.close, dns.close, valkey.kill)
  const client = { ...EMULATED, endpoint: emulator.endpoint }
  const s3 = new S3Client({ ...client, forcePathStyle: true })
  const sqs = new SQSClient(client)
  const dynamo = new DynamoDBClient(client)
  const secrets = new SecretsManagerClient(client)
  const events = new EventBridgeClient(client)
  const streams = new DynamoDBStreamsClient(client)
  closing.push(...[s3, sqs, dynamo, secrets, events, streams].map((one) => () => one.destroy()))
  for (const Bucket of BUCKETS) await s3.send(new CreateBucketCommand({ Bucket }))
  for (const QueueName of QUEUES) await sqs.send(new CreateQueueCommand({ QueueName }))
  await events.send(new CreateEventBusCommand({ Name: BUS }))
  const { mailStreamArn } = await createTables(dynamo, TABLES)
  const arns = new Map<string, string>()
  for (const [name, SecretString] of Object.entries(SECRETS)) {
    const { ARN } = await secrets.send(new CreateSecretCommand({ Name: name, SecretString }))
    arns.set(name, ARN!)
  }
  const bucket = BUCKETS[0]!
  const store = openStore({ ...TABLES, bucket, dynamo, s3 })
  const restoreDomains = () =>
    assembleDomainService(store).configure(
      [
        { name: DOMAIN, key: null },
        { name: PRIVATE_DOMAIN, key: DOMAIN_KEY },
      ],
      'verified',
    )
  await restoreDomains()
  const cloud = openCloud(emulator.endpoint)
  const ses = (Action: string, parameters: Record<string, string>) =>
    cloud.query('ses', { Action, ...parameters })
  const ruleSets = new Set<string>()
  const createRuleSet = async (RuleSetName: string, rules: string[]) => {
    if (ruleSets.has(RuleSetName)) return
    ruleSets.add(RuleSetName)
    await ses('CreateReceiptRuleSet', { RuleSetName })
    for (const name of rules)
      await ses('CreateReceiptRule', { RuleSetName, 'Rule.Name': name, 'Rule.Enabled': 'true' })
  }
  const created = await cloud.query('cloudformation', {
    Action: 'CreateStack',
    StackName: 'Mayfly',
    TemplateBody: JSON.stringify({ Resources: { Topic: { Type: 'AWS::SNS::Topic' } } }),
  })
  const stackId = elements(created, 'StackId')[0]!
  recorder.alias(stackId, STACK)
  await ses('VerifyDomainIdentity', { Domain: DOMAIN })
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-iam-'))
  closing.push(() => rm(folder, { recursive: true, force: true }))
  const certificate = join(folder, 'ca.pem')
  await writeFile(certificate, TARGET.cert)
  const deliver = async (
    address: string,
    subject: string,
    { text = 'Your code is 739105.', attachment }: { text?: string; attachment?: string } = {},
  ) => {
    const raw = attachment === undefined ? plainMail(subject, text) : mailWith(subject, text, attachment)
    const envelope = {
      messageId: unique(),
      mailFrom: 'a@x.example',
      recipients: [address],
      verdicts: VERDICTS,
    }
    const stored = await receive(store, envelope, Buffer.from(raw), {
      read: (bytes, save) => parseMail(bytes, save, READING_LIMITS),
      retentionMs: HOUR_MS,
    })
    if (stored.length !== 1) throw new Error(`the mail to ${address} was not stored`)
    return stored[0]!.id
  }
  const follow = async (listener: (change: Change) => void) => {
    const report = () => {}
    const options = { ...TABLES, bucket, dynamo, s3, mailStreamArn, report, pollMs: () => 50, streams }
    const { changeFeed } = openLiveStore(options)
    changeFeed.subscribe(listener)
    await changeFeed.start()
    return { stop: () => changeFeed.stop() }
  }
  const queueUrl = (name: string) => `${recorder.url}/${ACCOUNT}/${name}`
  return {
    recorder,
    dns,
    store,
    async putRaw(raw) {
      const id = unique()
      await s3.send(new PutObjectCommand({ Bucket: bucket, Key: PREFIXES.raw + id, Body: raw }))
      return id
    },
    deliver,
    async putObject(Bucket) {
      await s3.send(new PutObjectCommand({ Bucket, Key: 'an-object', Body: 'x' }))
    },
    stackId,
    createRuleSet,
    async activateTheirs() {
      await createRuleSet('theirs', [])
      await ses('SetActiveReceiptRuleSet', { RuleSetName: 'theirs' })
    },
    async addPrivate(name, keyPresented) {
      const key = { keyHash: hashKey(DOMAIN_KEY), keyPresented }
      const state = { ...newDomain(name, 'pending', Date.now()), ...key }
      await store.domains.change(name, undefined, state)
      await deliver(`bot@${name}`, 'of an earlier registration')
    },
    certificate,
    newKey: async () =>
      (await new ApiKeyService(store.keys, store.limits, Date.now, randomBytes).issue(nextClient(), '')).key,
    follow,
    async publishChanges() {
      const publisher = new ValkeyPublisher(valkey.url)
      const { stop } = await follow((change) => void publisher.publish(change))
      return {
        async stop() {
          await stop()
          publisher.close()
        },
      }
    },
    restoreDomains,
    async record(queue, body) {
      const QueueUrl = `${emulator.endpoint}/${ACCOUNT}/${queue}`
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: body }))
      const { Messages } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }))
      const { MessageId, ReceiptHandle } = Messages![0]!
      return { messageId: MessageId!, body, receiptHandle: ReceiptHandle! }
    },
    environment(env, accessKey) {
      const local = Object.fromEntries(
        Object.entries(env).map(([name, value]) => {
          const real = arns.get(name) ?? (name === ENV.mailStreamArn ? mailStreamArn : undefined)
          if (real !== undefined) {
            recorder.alias(real, value)
            return [name, real]
          }
          const [, queue] = /^https:\/\/sqs\..*\/(\w+)$/.exec(value) ?? []
          return [name, queue === undefined ? value : queueUrl(queue)]
        }),
      )
      return {
        ...local,
        ...(env[ENV.valkeyUrl] && { [ENV.valkeyUrl]: valkey.url }),
        [ENV.dnsServer]: dns.address,
        AWS_REGION: EMULATED.region,
        AWS_ENDPOINT_URL: recorder.url,
        AWS_ACCESS_KEY_ID: accessKey,
        AWS_SECRET_ACCESS_KEY: 'test',
      }
    },
    async close() {
      for (const close of closing.reverse()) await close()
    },
  }
}
