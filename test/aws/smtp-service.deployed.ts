import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { CreateBucketCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { CreateSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTransport } from 'nodemailer'
import { envelopeOf } from '../../adapters/ses/notification.ts'
import { bundleService } from '../../lib/bundling/bundles.ts'
import { assembleDomainService } from '../../service/assemble.ts'
import { openStore } from '../../service/aws-store.ts'
import { TLS } from '../adapters/smtp/smtp-certificate.ts'
import { startDns, type TestDns } from '../support/dns-server.ts'
import { ended } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { createTables } from './dynamodb-local.ts'
import { describeOnEmulator, EMULATED, type Emulator, startEmulator } from './emulator.ts'

const ROUNDS = Number(process.env.MAYFLY_CRASH_ROUNDS ?? 6)
const BUCKET = 'messages'
const DOMAIN = 'mail.example'

/**
 * Runs the bundled program of the container with the queue, the bucket and the table of the
 * emulator.
 */
describeOnEmulator('the SMTP service', () => {
  let emulator: Emulator
  let dns: TestDns
  let folder: string
  let env: Record<string, string>
  let s3: S3Client
  let sqs: SQSClient
  let secrets: SecretsManagerClient
  let queueUrl: string
  const children: ChildProcess[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-smtp-'))
    await bundleService('smtp-service', folder)
    emulator = await startEmulator()
    dns = await startDns()
    const client = { ...EMULATED, endpoint: emulator.endpoint }
    s3 = new S3Client({ ...client, forcePathStyle: true })
    sqs = new SQSClient(client)
    await s3.send(new CreateBucketCommand({ Bucket: BUCKET }))
    queueUrl = (await sqs.send(new CreateQueueCommand({ QueueName: 'received' }))).QueueUrl!
    const dynamo = new DynamoDBClient(client)
    const { mailTable, keysTable } = await createTables(dynamo)
    const store = openStore({ mailTable, keysTable, bucket: BUCKET, dynamo, s3 })
    await assembleDomainService(store).configure([{ name: DOMAIN, key: null }], 'verified')
    secrets = new SecretsManagerClient(client)
    const { ARN } = await secrets.send(
      new CreateSecretCommand({ Name: 'certificate', SecretString: JSON.stringify(TLS) }),
    )
    env = {
      AWS_REGION: EMULATED.region,
      AWS_ACCESS_KEY_ID: EMULATED.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: EMULATED.credentials.secretAccessKey,
      AWS_ENDPOINT_URL: emulator.endpoint,
      MAYFLY_MAIL_TABLE: mailTable,
      MAYFLY_BUCKET: BUCKET,
      MAYFLY_QUEUE_URL: queueUrl,
      MAYFLY_MX_HOST: 'MX.mail.example',
      MAYFLY_DNS_SERVER: dns.address,
      MAYFLY_SMTP_PORT: '0',
      MAYFLY_TLS_SECRET_ARN: ARN!,
    }
  })

  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    s3?.destroy()
    sqs?.destroy()
    secrets?.destroy()
    await dns?.close()
    await emulator?.stop()
    if (folder) await rm(folder, { recursive: true, force: true })
  })

  async function start(): Promise<{ child: ChildProcess; port: number; ended: Promise<unknown> }> {
    const child = spawn(process.execPath, ['index.mjs'], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    children.push(child)
    const ended = once(child, 'exit')
    const port = Promise.withResolvers<number>()
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const { message, port: number } = JSON.parse(line)
      if (message === 'ready') port.resolve(number)
    })
    void ended.then(([code]) => port.reject(new Error(`ended with ${code}`)))
    return { child, port: await port.promise, ended }
  }

  test('an unusable certificate is reported by name, without any of its content', async () => {
    const { ARN } = await secrets.send(
      new CreateSecretCommand({ Name: 'no-json', SecretString: 'a private key that is no JSON' }),
    )
    for (const [arn, reason] of [
      [ARN!, `the secret ${ARN} is not JSON with the texts`],
      [`${ARN}-none`, `the secret ${ARN}-none cannot be read: ResourceNotFoundException`],
    ]) {
      const child = spawn(process.execPath, ['index.mjs'], {
        cwd: folder,
        env: { ...env, MAYFLY_TLS_SECRET_ARN: arn },
      })
      const { code, output } = await ended(child)
      expect([code, output]).toEqual([1, expect.stringContaining(reason!)])
      expect(output).not.toContain('private key')
    }
  })

  /** Receives all notifications from the queue and removes them. */
  async function announced() {
    const found: NonNullable<ReturnType<typeof envelopeOf>>[] = []
    for (;;) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: queueUrl, MaxNumberOfMessages: 10 }),
      )
      if (Messages.length === 0) return found
      found.push(...Messages.map(({ Body }) => envelopeOf(Body!, BUCKET)!))
      const Entries = Messages.map(({ ReceiptHandle }, i) => ({ Id: String(i), ReceiptHandle }))
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }))
    }
  }

  const raw = async (key: string) => {
    const { Body } = await s3.send(new GetObjectCommand({ Bucket: BUCKET, Key: `inbound/${key}` }))
    return Body!.transformToString()
  }

  test('mail by STARTTLS is in the bucket and in the queue once it is answered with 250', async () => {
    dns.set('TXT', 'sender.example', ['v=spf1 ip4:127.0.0.1 -all'])
    const { child, port, ended } = await start()
    const transport = createTransport({ host: '127.0.0.1', port, tls: { rejectUnauthorized: false } })
    const sent = await transport.sendMail({
      from: 'a@sender.example',
      to: [`Bot+1@${DOMAIN}`, `c@${DOMAIN}`],
      subject: 'Code',
      text: 'Your code is 739105',
    })
    transport.close()
    expect(sent.response).toMatch(/^250 2\.0\.0 Ok: [0-9A-Z-]+$/)
    const [envelope, ...others] = await announced()
    expect(others).toEqual([])
    expect(envelope).toMatchObject({
      mailFrom: 'a@sender.example',
      recipients: [`bot+1@${DOMAIN}`, `c@${DOMAIN}`],
      verdicts: { spam: null, virus: null, spf: 'pass', dkim: 'gray', dmarc: 'gray' },
    })
    expect(await raw(envelope!.messageId)).toContain('Your code is 739105')
    child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  test('a message of 30 MB is streamed to the bucket, and one for a foreign domain is rejected', async () => {
    const { child, port, ended } = await start()
    const client = await SmtpClient.open({ host: '127.0.0.1', port })
    const line = `${'A'.repeat(76)}\r\n`
    expect(
      await client.send('a@sender.example', [`x@${DOMAIN}`], `Subject: large\r\n\r\n${line.repeat(400_000)}`),
    ).toMatch(/^250/)
    expect(await client.send('a@sender.example', ['x@strange.example'], 'x')).toMatch(/^550/)
    const [envelope, ...others] = await announced()
    expect(others).toEqual([])
    expect((await raw(envelope!.messageId)).length).toBeGreaterThan(31_000_000)
    child.kill('SIGKILL')
    await ended
  })

  test(`loses no accepted mail when it is killed in ${ROUNDS} rounds`, async () => {
    const accepted: string[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const { child, port, ended } = await start()
      // After some mails and not after some time, in which a busy machine may accept none.
      const until = accepted.length + 1 + Math.floor(Math.random() * 20)
      const enough = Promise.withResolvers<void>()
      const sending = Array.from({ length: 4 }, async (_, connection) => {
        const client = await SmtpClient.open({ host: '127.0.0.1', port })
        for (let n = 0; ; n++) {
          const subject = `round-${round}-${connection}-${n}`
          const reply = await client.send('a@sender.example', [`x@${DOMAIN}`], `Subject: ${subject}\r\n\r\nx`)
          if (/^250/.test(reply)) accepted.push(/Ok: (\S+)/.exec(reply)![1]!)
          if (accepted.length >= until) enough.resolve()
        }
      })
      await Promise.race([enough.promise, Promise.all(sending)])
      await sleep(Math.random() * 20)
      child.kill('SIGKILL')
      await ended
      await Promise.allSettled(sending)
    }
    const keys = new Set((await announced()).map(({ messageId }) => messageId))
    process.stderr.write(`${accepted.length} mails accepted in ${ROUNDS} rounds, ${keys.size} announced\n`)
    expect(accepted.length).toBeGreaterThan(0)
    expect(accepted.filter((key) => !keys.has(key))).toEqual([])
    for (const key of keys) expect(await raw(key)).toMatch(/^Subject: round-/)
  }, 3_600_000)
})
