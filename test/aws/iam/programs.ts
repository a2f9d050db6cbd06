import { createServer } from 'node:https'
import { ENV } from '../../../adapters/aws/env.ts'
import { notificationOf } from '../../../adapters/ses/notification.ts'
import { hashKey } from '../../../core/access/api-keys.ts'
import { sampleWebhook, unique } from '../../contract/sample.ts'
import { startProgram } from '../../support/program.ts'
import { SmtpClient } from '../../support/smtp-client.ts'
import { PUBLIC_ADDRESS, TLS } from '../open-internet.ts'
import { useApi } from './api.ts'
import { deployWith } from './deployment.ts'
import { type Running, type RunningFunction, startFunction } from './running.ts'
import { useStreams } from './streams.ts'
import { verifyDomains, verifyEndpoint } from './verification.ts'
import { DOMAIN, mailWith, VERDICTS } from './world.ts'

type Use = (running: RunningFunction, given: Running) => Promise<unknown>

/** A program of lambdas/ in a process of its own. */
const lambda =
  (handler: string, use: Use) =>
  async (given: Running): Promise<void> => {
    const running = await startFunction(handler, given.env)
    try {
      await use(running, given)
    } finally {
      await running.stop()
    }
  }

/**
 * How each program is run, by the name of its role (policies.ts). It does everything that it can do:
 * a permission that none of this needs is superfluous.
 */
export const PROGRAMS: Record<string, (given: Running) => Promise<void>> = {
  InboundIngest: lambda('ingest', storeMail),
  InboundReconcilerReconcile: lambda('reconcile', queueLostMail),
  SmtpTask: receiveBySmtp,
  WebhooksSender: sendWebhooks,
  VerificationVerify: lambda('verify', verifyDomains),
  VerificationEndpoint: lambda('verification', verifyEndpoint),
  RestHandler: lambda('api', (api, { world }) => useApi(api, world)),
  ValkeyPublish: lambda('publish', (publish) => publish.invoke({ Records: [] })),
  SseTask: (given) => useStreams(given, {}),
  Sse: (given) => useStreams(given, { AWS_LAMBDA_HTTP_ENDPOINT: '127.0.0.1:0' }),
  ReceivingSwitch: lambda('receipt-switch', switchReceiving),
  Canary: lambda('canary', sendCanary),
  UpgradeGuard: lambda('upgrade-guard', deployWith),
  EmptierEmpty: lambda('empty', deployWith),
  SseCheck: lambda('endpoint-check', deployWith),
  Setup: lambda('setup', deployWith),
}

/** Stores mail, mail that was stored already, and mail for no domain, and fails to read one. */
async function storeMail(ingest: RunningFunction, { world, accessKey }: Running): Promise<void> {
  const envelope = (messageId: string, recipients: string[]) =>
    notificationOf(
      { messageId, mailFrom: 'a@x.example', recipients, verdicts: VERDICTS, receivedAt: Date.now() },
      'storagemessages',
    )
  const deliver = async (body: string, attempt = 1) => {
    const record = await world.record('InboundQueue', body)
    const attributes = { ApproximateReceiveCount: String(attempt) }
    return ingest.invoke({ Records: [{ ...record, attributes }] })
  }
  const recipients = [`a@${DOMAIN}`, `b@${DOMAIN}`]
  await world.store.webhooks.add(
    sampleWebhook(Date.now(), { target: { address: recipients[0]! }, status: 'live' }),
    20,
  )
  const mail = envelope(await world.putRaw(mailWith('x', 'y', 'z')), recipients)
  await deliver(mail)
  await deliver(mail)
  // A copy that met conflicts is listed, so that other functions store it too.
  world.recorder.conflict(accessKey, 3)
  await deliver(envelope(await world.putRaw('Subject: x\r\n\r\ny'), [recipients[1]!]))
  await deliver(envelope(await world.putRaw('Subject: x\r\n\r\ny'), ['a@unknown.example']))
  await deliver(envelope(unique(), [`a@${DOMAIN}`]), 20)
}

async function queueLostMail(reconcile: RunningFunction, { world }: Running): Promise<void> {
  const by = 'inbound-smtp.us-east-1.amazonaws.com'
  await world.putRaw(`Received: from a\r\n by ${by} with SMTP id abc for bot@${DOMAIN};\r\n\r\nx`)
  const { queued } = await reconcile.invoke({}, { aheadMs: 2 * 3_600_000 })
  if (queued === 0) throw new Error('no message was queued again')
}

async function receiveBySmtp({ env }: Running): Promise<void> {
  const program = startProgram('smtp-service/index.ts', { ...env, [ENV.smtpPort]: '0' })
  try {
    const { port } = await program.logged('ready')
    const client = await SmtpClient.open({ host: '127.0.0.1', port: port as number })
    const reply = await client.send('a@x.example', [`bot@${DOMAIN}`], 'Subject: x\r\n\r\ny')
    if (!reply.startsWith('250')) throw new Error(reply)
  } finally {
    program.process.kill('SIGTERM')
    await program.ended
  }
}

/** Attempts that fail, succeed and end a webhook. */
async function sendWebhooks(given: Running): Promise<void> {
  const { world } = given
  const answers = [204, 500, 204, 410]
  const target = createServer(TLS, (_, response) => response.writeHead(answers.shift() ?? 204).end())
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  const { port } = target.address() as { port: number }
  const env = {
    ...given.env,
    NODE_OPTIONS: `--import=${new URL('../open-internet-route.ts', import.meta.url)}`,
    NODE_EXTRA_CA_CERTS: world.certificate,
  }
  try {
    await lambda('webhooks', async (sender) => {
      const address = `webhook-${unique()}@${DOMAIN}`
      const webhook = sampleWebhook(Date.now(), {
        keyHash: hashKey(await world.newKey()),
        url: `https://[${PUBLIC_ADDRESS}]:${port}/`,
        target: { address },
        status: 'pending',
      })
      await world.store.webhooks.add(webhook, 20)
      const id = await world.deliver(address, 'x')
      const job = { webhook: webhook.id, address, attempts: 0, due: 0 }
      for (const email of ['', id, id, id]) {
        const body = JSON.stringify({ ...job, email })
        const { batchItemFailures } = await sender.invoke({ Records: [{ messageId: unique(), body }] })
        if (batchItemFailures.length > 0) throw new Error('an attempt was not handled')
      }
    })({ ...given, env })
  } finally {
    target.closeAllConnections()
    target.close()
  }
}

async function switchReceiving(receiving: RunningFunction, { world, env }: Running): Promise<void> {
  await world.createRuleSet(env[ENV.ruleSet]!, env[ENV.rules]!.split(','))
  // The emulator refuses the last request, which is recorded nevertheless.
  await receiving.invoke({ receive: false }).catch((error: Error) => {
    if (!/Unknown action: UpdateReceiptRule/.test(error.message)) throw error
  })
}

/** The mail does not arrive, because no SES sends it: only its sending is of interest here. */
async function sendCanary(canary: RunningFunction): Promise<void> {
  await canary.invoke({}, { remainingMs: 0 }).catch((error: Error) => {
    if (!/did not arrive/.test(error.message)) throw error
  })
}
