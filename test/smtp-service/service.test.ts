import { afterAll, beforeAll, expect, jest, test } from '@jest/globals'
import { ENV } from '../../adapters/aws/env.ts'
import type { SmtpListener } from '../../adapters/smtp/listener.ts'
import { startSmtpService } from '../../smtp-service/service.ts'
import { type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain } from '../contract/sample.ts'
import { SmtpClient } from '../support/smtp-client.ts'

describeOnDynamoDb('the SMTP service on AWS', () => {
  let deployment: LocalDeployment
  let service: SmtpListener
  let domain: string

  beforeAll(async () => {
    deployment = await openLocalDeployment()
    domain = (await putDomain(deployment.store.domains, sampleDomain({ status: 'verified' }))).name
    process.env.AWS_MAX_ATTEMPTS = '1'
    service = await startSmtpService({
      ...deployment.variables,
      [ENV.queueUrl]: 'http://127.0.0.1/queue',
      [ENV.mxHost]: 'mx.test',
      [ENV.smtpPort]: '0',
    })
  })

  afterAll(async () => {
    await service?.stop(1000)
    await deployment?.close()
  })

  test('logs a mail that failed without the address of its client', async () => {
    const lines: string[] = []
    const logging = jest.spyOn(console, 'log').mockImplementation((line) => void lines.push(String(line)))
    // By another address of this machine than the services of the test have.
    const client = await SmtpClient.open({ host: '127.0.0.2', port: service.port })
    const reply = await client.send('a@sender.example', [`x@${domain}`], 'Subject: x\r\n\r\ny')
    logging.mockRestore()
    expect(reply).toMatch(/^451 /)
    const failed = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === 'smtp: failed')
    expect(failed).toHaveLength(1)
    expect(failed[0]).toMatchObject({ level: 'error', error: expect.stringContaining('ECONNREFUSED') })
    expect(Object.keys(failed[0])).toEqual(['level', 'message', 'error'])
  })
})
