import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { EDGE_HEADERS, ENV } from '../../adapters/aws/env.ts'
import { ApiKeyService } from '../../core/access/api-keys.ts'
import { type LocalDeployment, openLocalDeployment } from '../aws/local-deployment.ts'
import { describeOnDynamoDb } from '../aws/on-dynamodb.ts'
import { putDomain, sampleDomain, uniqueAddress } from '../contract/sample.ts'
import { startProgram } from '../support/program.ts'
import { startSecrets, type TestSecrets } from '../support/secrets.ts'

const SECRET = 'origin-secret'
const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:123456789012:secret:origin-a1B2c3'
const HEADERS = {
  [EDGE_HEADERS.secret]: SECRET,
  [EDGE_HEADERS.viewer]: '192.0.2.1:50000',
}

describeOnDynamoDb('the process of the stream service', () => {
  let deployment: LocalDeployment
  let secrets: TestSecrets
  let environment: Record<string, string>

  beforeAll(async () => {
    deployment = await openLocalDeployment()
    secrets = await startSecrets({ [SECRET_ARN]: [SECRET] })
    environment = {
      ...deployment.variables,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets.url,
      [ENV.mailStreamArn]: deployment.tables.mailStreamArn,
      [ENV.mxHost]: 'mx.test',
      [ENV.retentionHours]: '24',
      [ENV.originSecretArn]: SECRET_ARN,
      [ENV.stackName]: 'test',
      [ENV.port]: '0',
    }
  })
  afterAll(async () => {
    await secrets?.close()
    await deployment?.close()
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s answers a wait and ends a stream before the exit',
    async (signal) => {
      const { domains, keys, limits } = deployment.store
      const { name } = await putDomain(domains, sampleDomain({ status: 'verified' }))
      const { key } = await new ApiKeyService(keys, limits, Date.now, randomBytes).issue(signal, '')
      const program = startProgram('sse-service/index.ts', environment)
      try {
        const { port } = (await program.logged('ready')) as unknown as { port: number }
        const address = uniqueAddress(name)
        const ask = (path: string) =>
          fetch(`http://127.0.0.1:${port}/api/${path}`, { headers: { ...HEADERS, 'X-API-Key': key } })
        const stream = await ask(`sse/${address}`)
        const waiting = ask(`emails/${address}/wait?timeout=25`).then((answer) => answer.json())
        // A request that begins later is answered after the wait has begun.
        expect((await ask(`emails/${address}/wait?timeout=1`)).status).toBe(200)
        program.process.kill(signal)
        expect(await program.logged('stopping')).toEqual({ level: 'info', message: 'stopping', signal })
        expect(await waiting).toEqual({ success: true, email: null })
        expect(await stream.text()).toMatch(/\n\nretry: \d+\n\n$/)
        expect(await program.ended).toBe(0)
      } finally {
        program.process.kill('SIGKILL')
      }
    },
  )
})
