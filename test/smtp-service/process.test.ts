import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ENV } from '../../adapters/aws/env.ts'
import { envelopeOf } from '../../adapters/ses/notification.ts'
import { type ObjectStore, startObjectStore } from '../../bench/support/object-store.ts'
import { BUCKET, type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain } from '../contract/sample.ts'
import { startProgram } from '../support/program.ts'
import { SmtpClient } from '../support/smtp-client.ts'
import { startSqs, type TestSqs } from '../support/sqs.ts'

describeOnDynamoDb('the process of the SMTP service', () => {
  let deployment: LocalDeployment
  let s3: ObjectStore
  let sqs: TestSqs
  let domain: string
  let environment: Record<string, string>

  beforeAll(async () => {
    ;[deployment, s3, sqs] = await Promise.all([openLocalDeployment(), startObjectStore(), startSqs()])
    domain = (await putDomain(deployment.store.domains, sampleDomain({ status: 'verified' }))).name
    environment = {
      ...deployment.variables,
      AWS_ENDPOINT_URL_S3: s3.endpoint,
      AWS_ENDPOINT_URL_SQS: sqs.url,
      [ENV.queueUrl]: `${sqs.url}/123456789012/notifications`,
      [ENV.mxHost]: 'mx.example',
      [ENV.smtpPort]: '0',
    }
  })

  afterAll(async () => {
    await s3?.stop()
    await sqs?.close()
    await deployment?.close()
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends idle sessions, and the process ends after the message that is under way',
    async (signal) => {
      const program = startProgram('smtp-service/index.ts', environment)
      try {
        const { port } = (await program.logged('ready')) as unknown as { port: number }
        const [busy, idle] = [
          await SmtpClient.open({ host: '127.0.0.1', port }),
          await SmtpClient.open({ host: '127.0.0.1', port }),
        ]
        await busy.say('MAIL FROM:<a@sender.example>')
        await busy.say(`RCPT TO:<${signal}@${domain}>`)
        expect(await busy.say('DATA')).toMatch(/^354 /)
        const last = idle.reply()
        program.process.kill(signal)
        expect(await program.logged('stopping')).toEqual({ level: 'info', message: 'stopping', signal })
        expect(await last).toMatch(/^421 /)
        expect(await busy.say('Subject: x\r\n\r\ny\r\n.')).toMatch(/^250 /)
        expect(await program.ended).toBe(0)
        const { QueueUrl, MessageBody } = sqs.sent.at(-1)!
        expect(QueueUrl).toBe(environment[ENV.queueUrl])
        expect(envelopeOf(MessageBody, BUCKET)!.recipients).toEqual([`${signal.toLowerCase()}@${domain}`])
        expect(program.lines.map(({ level, message }) => [level, message])).toEqual([
          ['info', 'ready'],
          ['info', 'stopping'],
          ['info', 'smtp: delivered'],
        ])
      } finally {
        program.process.kill('SIGKILL')
      }
    },
  )
})
