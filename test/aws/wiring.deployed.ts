import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { DescribeActiveReceiptRuleSetCommand, SESClient } from '@aws-sdk/client-ses'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '../support/eventually.ts'
import { freshAddress } from '../support/mail.ts'
import { type DeployedHost, startDeployedHost } from './deployed-host.ts'
import { assumeRole } from './deployed-stack.ts'
import { EMULATED } from './emulator.ts'

// biome-ignore lint/suspicious/noExplicitAny: the tests read JSON of any shape
type Json = any

const CRLF = '\r\n'

/**
 * The parts that only the deployed stack has: permissions, queues, large responses, and deletion.
 */
describe('the wiring of the stack, deployed to an emulator', () => {
  let host: DeployedHost

  beforeAll(async () => {
    host = await startDeployedHost()
  }, 300_000)

  afterAll(() => host?.close())

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(host.url + path, { headers, redirect: 'manual' })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: text.startsWith('{') ? JSON.parse(text) : text,
    }
  }

  /** Calls the HTTP API itself, without CloudFront. */
  const direct = async (path: string, headers: Record<string, string>) => {
    const { cloud, template } = host.stack
    const api = template.physical(template.the('AWS::ApiGatewayV2::Api').id)
    const sent = request(cloud.endpoint + path, {
      headers: { ...headers, host: `${api}.execute-api.localhost` },
    }).end()
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: answer.statusCode, body: (await json(answer)) as Json }
  }

  const inbox = async (address: string): Promise<Json[]> =>
    (await get(`/api/public/emails/${encodeURIComponent(address)}`)).body.emails

  const arrival = (address: string): Promise<Json> =>
    eventually(`an email of ${address}`, async () => (await inbox(address))[0])

  const plain = (subject: string, text = 'x') =>
    [`From: a@example.org`, `Subject: ${subject}`, 'Content-Type: text/plain', '', text, ''].join(CRLF)

  const apiKey = async () =>
    (await (await fetch(`${host.url}/api/keys`, { method: 'POST' })).json()).key as string

  const objects = async (): Promise<string[]> => {
    const s3 = new S3Client({ ...EMULATED, endpoint: host.stack.cloud.endpoint, forcePathStyle: true })
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket: host.stack.rule.bucket }))
    s3.destroy()
    return Contents.map(({ Key }) => Key!)
  }

  test('the HTTP API refuses requests that bypass CloudFront', async () => {
    for (const secret of [undefined, '', 'guess']) {
      const headers = { 'cloudfront-viewer-address': '192.0.2.9:1', 'x-mayfly-path': '/api/domains' }
      const answer = await direct(
        '/api/domains',
        secret === undefined ? headers : { ...headers, 'x-mayfly-origin': secret },
      )
      expect(answer).toMatchObject({ status: 403, body: { success: false, code: 'wrong_door' } })
    }
  })

  test.each([
    ['a literal +', '+', '+'],
    ['an encoded +', '+', '%2B'],
    ['a slash', '/', '%2F'],
    ['a question mark', '?', '%3F'],
    ['a hash', '#', '%23'],
    ['a percent sign', '%', '%25'],
    ['an encoded percent sign', '%41', '%2541'],
  ])('%s in an address is decoded once', async (_, character, encoded) => {
    const [local, domain] = freshAddress(host.domain).split('@')
    await host.deliver(plain('here'), [`${local}${character}x@${domain}`])
    const path = `/api/public/emails/${local}${encoded}x%40${domain}`
    const { status, body } = await eventually(
      `an email at ${path}`,
      () => get(path),
      (seen) => seen.body.emails[0],
    )
    expect([status, body.address]).toEqual([200, `${local}${character}x@${domain}`])
  })

  test('verdicts and envelope come from the notification', async () => {
    const address = freshAddress(host.domain)
    const verdicts = { spam: 'PASS', virus: 'PASS', spf: 'GRAY', dkim: 'FAIL', dmarc: 'PROCESSING_FAILED' }
    await host.stack.receive(plain('bounce'), [address], { mailFrom: '<>', verdicts })
    const { id } = await arrival(address)
    const answer = await get(`/api/emails/${address}/${id}`, { 'X-API-Key': await apiKey() })
    expect(answer.body.email).toMatchObject({
      mail_from: null,
      verdicts: { spam: 'pass', virus: 'pass', spf: 'gray', dkim: 'fail', dmarc: 'processing_failed' },
    })
  })

  test('mail without a known recipient is dropped, and its bytes are deleted', async () => {
    const dropped = await host.stack.receive(plain('x'), ['someone@not-registered.example'])
    const address = freshAddress(host.domain)
    const kept = await host.stack.receive(plain('x'), [address, 'b@not-registered.example'])
    await arrival(address)
    await eventually('the deletion of the bytes', objects, (keys) => !keys.includes(dropped))
    expect(await objects()).toContain(kept)
  })

  test('an unreadable notification becomes a dead letter, and does not delay other mail', async () => {
    const { cloud, rule } = host.stack
    const queues = await cloud.json('sqs', 'AmazonSQS.ListQueues', {})
    const dead = queues.QueueUrls.find((url: string) => /InboundDeadLetters/i.test(url))
    const queue = queues.QueueUrls.find((url: string) => /InboundQueue/i.test(url))
    // The queue waits six minutes between two attempts, and longer after nine of them, which is too
    // long for a test.
    const { Attributes: usual } = await cloud.json('sqs', 'AmazonSQS.GetQueueAttributes', {
      QueueUrl: queue,
      AttributeNames: ['RedrivePolicy'],
    })
    const RedrivePolicy = JSON.stringify({ ...JSON.parse(usual.RedrivePolicy), maxReceiveCount: 9 })
    await cloud.json('sqs', 'AmazonSQS.SetQueueAttributes', {
      QueueUrl: queue,
      Attributes: { VisibilityTimeout: '1', RedrivePolicy },
    })
    const bad = [
      'not JSON',
      '{"notificationType":"Received"}',
      JSON.stringify({
        notificationType: 'Received',
        mail: { source: 'a@example.org' },
        receipt: {
          recipients: [`a@${host.domain}`],
          action: { type: 'S3', bucketName: rule.bucket, objectKey: `${rule.prefix}never-written` },
        },
      }),
    ]
    for (const message of bad) await host.stack.announce(message)
    const address = freshAddress(host.domain)
    await host.deliver(plain('good'), [address])
    expect((await arrival(address)).subject).toBe('good')
    const deadLetters = async () => {
      const { Attributes } = await cloud.json('sqs', 'AmazonSQS.GetQueueAttributes', {
        QueueUrl: dead,
        AttributeNames: ['All'],
      })
      return Number(Attributes.ApproximateNumberOfMessages)
    }
    await eventually('the dead letters', deadLetters, (count) => count === bad.length)
  })

  test('a response that is too large for a function is read from the bucket', async () => {
    const address = freshAddress(host.domain)
    const text = `${'0123456789 "quotes" \\ and more '.repeat(250_000)}end`
    await host.deliver(plain('large', text), [address])
    const { id } = await arrival(address)
    const headers = { 'X-API-Key': await apiKey(), 'Accept-Encoding': 'identity' }
    const answer = await get(`/api/emails/${address}/${id}`, headers)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('ratelimit-limit')).toBe('120')
    const fetched = await fetch(answer.headers.get('location')!)
    expect(fetched.headers.get('content-type')).toMatch(/^application\/json/)
    const { email } = (await fetched.json()) as Json
    expect(email.body_text.trim()).toBe(text)
  })

  test('a mail of 39 MB arrives complete', async () => {
    const address = freshAddress(host.domain)
    const line = `${'A'.repeat(76)}${CRLF}`
    const raw = [
      'Subject: heavy',
      'Content-Type: application/octet-stream; name=heavy.bin',
      'Content-Disposition: attachment; filename=heavy.bin',
      'Content-Transfer-Encoding: base64',
      '',
      line.repeat(500_000),
    ].join(CRLF)
    await host.deliver(raw, [address])
    const email = await arrival(address)
    expect(email).toMatchObject({ subject: 'heavy', attachment_count: 1, size: raw.length })
    const path = `/api/emails/${address}/${email.id}/attachments/0`
    const { status, headers } = await get(path, { 'X-API-Key': await apiKey() })
    expect(status).toBe(302)
    const fetched = await fetch(headers.get('location')!)
    expect(fetched.headers.get('content-disposition')).toContain('heavy.bin')
    expect((await fetched.arrayBuffer()).byteLength).toBe((500_000 * 76 * 3) / 4)
  })

  test('a pending domain becomes verified after SES has confirmed it', async () => {
    const name = `pending-${Date.now().toString(36)}.example`
    host.dns.set('MX', name, [`10 ${host.mxHost}`])
    const first = (await get(`/api/domain/verify/${name}`)).body
    expect(first.status).toBe('pending')
    expect(
      first.records.filter((record: Json) => record.type === 'CNAME' && /_domainkey/.test(record.name)),
    ).toHaveLength(3)
    expect((await get('/api/domains')).body.domains.map((domain: Json) => domain.domain)).not.toContain(name)
    // The schedule invokes this function.
    const { cloud, template } = host.stack
    const rule = template.the('AWS::Events::Rule', 'MayflyVerification')
    expect(rule.Properties.ScheduleExpression).toBe('rate(5 minutes)')
    const verify = template.physical(template.refersTo(rule.Properties.Targets[0].Arn))
    const invoked = await fetch(`${cloud.endpoint}/2015-03-31/functions/${verify}/invocations`, {
      method: 'POST',
      headers: {
        Authorization:
          'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/lambda/aws4_request, SignedHeaders=host, Signature=0',
      },
      body: '{}',
    })
    expect([invoked.status, invoked.headers.get('x-amz-function-error')]).toEqual([200, null])
    expect((await get('/api/domains')).body.domains.map((domain: Json) => domain.domain)).toContain(name)
  })

  test('policies are enforced: the task cannot write to a table that it only reads', async () => {
    const { cloud, rule, template } = host.stack
    const { taskDefinition } = await cloud.json(
      'ecs',
      'AmazonEC2ContainerServiceV20141113.DescribeTaskDefinition',
      {
        taskDefinition: template.physical(template.the('AWS::ECS::TaskDefinition').id),
      },
    )
    const credentials = await assumeRole(cloud, taskDefinition.taskRoleArn)
    const s3 = new S3Client({ ...EMULATED, credentials, endpoint: cloud.endpoint, forcePathStyle: true })
    const put = new PutObjectCommand({ Bucket: rule.bucket, Key: `${rule.prefix}x`, Body: 'x' })
    await expect(s3.send(put)).rejects.toMatchObject({ name: 'AccessDenied' })
    s3.destroy()
  })

  test('a task that is stopped ends its streams and exits by itself', async () => {
    const task = await host.stack.startTask()
    const health = await fetch(`http://127.0.0.1:${task.port}/healthz`)
    expect([health.status, await health.json()]).toMatchObject([200, { healthy: true }])
    const refused = await fetch(`http://127.0.0.1:${task.port}/api/sse/a@${host.domain}`)
    expect([refused.status, (await refused.json()) as Json]).toMatchObject([403, { code: 'wrong_door' }])
    const { Properties } = host.stack.template.the('AWS::CloudFront::Distribution')
    const [origin] = Properties.DistributionConfig.Origins.filter((one: Json) => one.VpcOriginConfig)
    const [{ HeaderName, HeaderValue }] = origin.OriginCustomHeaders
    const stream = await fetch(`http://127.0.0.1:${task.port}/api/sse/a@${host.domain}`, {
      headers: {
        [HeaderName]: await host.stack.template.text(HeaderValue),
        'cloudfront-viewer-address': '2001:db8::1:46532',
      },
    })
    expect(stream.status).toBe(200)
    const ended = stream.text()
    expect(await task.stop()).toBe(0)
    expect(await ended).toMatch(/retry: \d+\n\n$/)
  })

  test('deleting the stack deactivates its rule set', async () => {
    const ses = new SESClient({ ...EMULATED, endpoint: host.stack.cloud.endpoint })
    const active = async () => (await ses.send(new DescribeActiveReceiptRuleSetCommand({}))).Metadata?.Name
    expect(await active()).toMatch(/^Mayfly/)
    await host.stack.destroy()
    expect(await active()).toBeUndefined()
    ses.destroy()
  })
})
