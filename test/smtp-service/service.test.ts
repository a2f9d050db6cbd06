import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { createTransport } from 'nodemailer'
import { ENV, PREFIXES } from '../../adapters/aws/env.ts'
import { envelopeOf } from '../../adapters/ses/notification.ts'
import type { SmtpListener } from '../../adapters/smtp/listener.ts'
import { startObjectStore } from '../../bench/support/object-store.ts'
import { MESSAGE_BYTES } from '../../core/limits.ts'
import { startSmtpService } from '../../smtp-service/service.ts'
import { TLS } from '../adapters/smtp/smtp-certificate.ts'
import { BUCKET, type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain } from '../contract/sample.ts'
import { startDns } from '../support/dns-server.ts'
import { collectLog } from '../support/logged.ts'
import { startSecrets } from '../support/secrets.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { startSqs } from '../support/sqs.ts'

const CERTIFICATE_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:certificate-a1B2c3'

describeOnDynamoDb('the SMTP service on AWS', () => {
  let deployment: LocalDeployment
  let environment: Record<string, string>
  let service: SmtpListener
  let domain: string

  beforeAll(async () => {
    deployment = await openLocalDeployment()
    domain = (await putDomain(deployment.store.domains, sampleDomain({ status: 'verified' }))).name
    process.env.AWS_MAX_ATTEMPTS = '1'
    environment = {
      ...deployment.variables,
      [ENV.queueUrl]: 'http://127.0.0.1/queue',
      // As CloudFormation returns the name of a load balancer.
      [ENV.mxHost]: 'MX.Test',
      [ENV.smtpPort]: '0',
    }
    service = await startSmtpService(environment)
  })

  afterAll(async () => {
    await service?.stop(1000)
    await deployment?.close()
  })

  test('does not start with a port above 65535', async () => {
    await expect(startSmtpService({ ...environment, [ENV.smtpPort]: '65536' })).rejects.toThrow(
      `${ENV.smtpPort} must be a number from 0 to 65535, not "65536"`,
    )
  })

  test('logs a mail that failed without the address of its client', async () => {
    const { lines, restore } = collectLog()
    // By another address of this machine than the services of the test have.
    const client = await SmtpClient.open({ host: '127.0.0.2', port: service.port })
    const reply = await client.send('a@sender.example', [`x@${domain}`], 'Subject: x\r\n\r\ny')
    client.close()
    restore()
    expect(reply).toMatch(/^451 /)
    const failed = lines.filter(({ message }) => message === 'smtp: failed')
    expect(failed).toHaveLength(1)
    expect(failed[0]).toMatchObject({ level: 'error', error: expect.stringContaining('ECONNREFUSED') })
    expect(Object.keys(failed[0] ?? {})).toEqual(['level', 'message', 'error'])
  })

  test('gives its name in lower case, the largest size of a message, and no STARTTLS without a certificate', async () => {
    const client = await SmtpClient.open({ host: '127.0.0.1', port: service.port })
    const lines = (await client.say('EHLO client.example')).split(/\r\n250[- ]/)
    client.close()
    expect(lines[0]).toMatch(/^250-mx\.test\b/)
    expect(lines).toContain(`SIZE ${MESSAGE_BYTES}`)
    expect(lines).not.toContain('STARTTLS')
  })

  test('accepts the recipient <postmaster> for a domain of the configuration, no other one', async () => {
    const client = await SmtpClient.open({ host: '127.0.0.1', port: service.port })
    await client.say('EHLO client.example')
    await client.say('MAIL FROM:<a@sender.example>')
    // The domain of these tests was registered by its DNS record.
    expect(await client.say('RCPT TO:<postmaster>')).toMatch(/^55\d /)
    const configured = sampleDomain({ status: 'verified', configured: true })
    await putDomain(deployment.store.domains, configured)
    expect(await client.say('RCPT TO:<postmaster>')).toMatch(/^250 /)
    client.close()
  })

  test('stores mail by STARTTLS in its bucket, and queues it with the verdicts of its DNS server', async () => {
    const sqs = await startSqs()
    const s3 = await startObjectStore()
    const dns = await startDns()
    dns.set('TXT', 'sender.example', ['v=spf1 ip4:127.0.0.1 -all'])
    const secrets = await startSecrets({ [CERTIFICATE_ARN]: [JSON.stringify(TLS)] })
    Object.assign(process.env, {
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      AWS_ENDPOINT_URL_SQS: sqs.url,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
    })
    const own = await startSmtpService({
      ...environment,
      [ENV.queueUrl]: `${sqs.url}/123456789012/notifications`,
      [ENV.tlsSecretArn]: CERTIFICATE_ARN,
      [ENV.dnsServer]: `${dns.address},`,
    })
    const { lines, restore } = collectLog()
    try {
      const transport = createTransport({
        host: '127.0.0.1',
        port: own.port,
        requireTLS: true,
        tls: { ca: TLS.cert, servername: 'mx.mayfly.test' },
      })
      await transport.sendMail({ from: 'a@sender.example', to: `x@${domain}`, subject: 'Hi', text: '739105' })
      transport.close()
      const [envelope, ...others] = sqs.sent.map(({ MessageBody }) => envelopeOf(MessageBody, BUCKET))
      expect(others).toEqual([])
      expect(envelope).toMatchObject({
        mailFrom: 'a@sender.example',
        recipients: [`x@${domain}`],
        verdicts: { spf: 'pass' },
      })
      expect(lines).toMatchObject([{ level: 'info', message: 'smtp: delivered', ids: [envelope!.messageId] }])
      const receivedAt = envelope!.receivedAt!
      expect([receivedAt <= Date.now(), receivedAt > Date.now() - 600_000]).toEqual([true, true])
      const raw = s3.objects.get(`/${BUCKET}/${PREFIXES.raw}${envelope!.messageId}`)
      expect(String(raw)).toContain('739105')
    } finally {
      restore()
      await own.stop(1000)
      for (const server of [sqs, dns, secrets]) await server.close()
      await s3.stop()
    }
  })

  test.each(['a private key that is not JSON', 'null', '{"cert":"c"}', '{"key":"a private key"}'])(
    'a certificate "%s" is reported by the name of its secret, without any of its content',
    async (value) => {
      const secrets = await startSecrets({ [CERTIFICATE_ARN]: [value] })
      process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = secrets.url
      const starting = startSmtpService({ ...environment, [ENV.tlsSecretArn]: CERTIFICATE_ARN })
      await expect(starting).rejects.toThrow(
        `the secret ${CERTIFICATE_ARN} is not JSON with the texts "cert" and "key"`,
      )
      await secrets.close()
    },
  )
})
