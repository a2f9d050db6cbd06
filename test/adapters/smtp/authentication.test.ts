import { createHash, generateKeyPairSync } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { createTransport } from 'nodemailer'
import { Authentication } from '../../../adapters/smtp/authentication.ts'
import { startDns, type TestDns } from '../../support/dns-server.ts'

let dns: TestDns
let authentication: Authentication
const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  // The DNS server of the tests supports no strings of more than 255 bytes.
  modulusLength: 1024,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

beforeAll(async () => {
  dns = await startDns()
  dns.set('TXT', 'sender.example', ['v=spf1 ip4:192.0.2.1 -all'])
  dns.set('TXT', '_dmarc.sender.example', ['v=DMARC1; p=reject'])
  dns.set('TXT', 's1._domainkey.sender.example', [`v=DKIM1; k=rsa; p=${publicKey.toString('base64')}`])
  authentication = new Authentication({ name: 'mx.example', dnsServers: [dns.address] })
})

afterAll(() => dns.close())

/** A mail as it is sent, optionally signed by its domain. */
async function mail(from: string, signed = true): Promise<string> {
  const transport = createTransport({
    streamTransport: true,
    newline: 'windows',
    ...(signed && { dkim: { domainName: 'sender.example', keySelector: 's1', privateKey } }),
  })
  const { message } = await transport.sendMail({
    from,
    to: 'bot@mail.example',
    subject: 'Code',
    text: '739105',
  })
  return text(message as NodeJS.ReadableStream)
}

async function* sent(raw: string): AsyncIterable<Uint8Array> {
  for (let at = 0; at < raw.length; at += 100) yield Buffer.from(raw.slice(at, at + 100))
}

const check = async (raw: string, address = '192.0.2.1', mailFrom: string | null = 'a@sender.example') => {
  const { spf, dkim, dmarc } = await authentication.check(sent(raw), {
    address,
    helo: 'x.example',
    mailFrom,
  })
  return { spf, dkim, dmarc }
}

test('a signed mail from a host that the domain allows passes', async () => {
  const raw = await mail('a@sender.example')
  expect(await check(raw)).toEqual({ spf: 'pass', dkim: 'pass', dmarc: 'pass' })
})

test('a forwarded mail passes by its signature', async () => {
  const raw = await mail('a@sender.example')
  expect(await check(raw, '198.51.100.9')).toEqual({ spf: 'fail', dkim: 'pass', dmarc: 'pass' })
})

test('a forged mail fails', async () => {
  const raw = (await mail('a@sender.example')).replace('739105', '666666')
  expect(await check(raw, '198.51.100.9')).toEqual({ spf: 'fail', dkim: 'fail', dmarc: 'fail' })
})

test('a mail of a domain without any policy neither passes nor fails', async () => {
  const raw = await mail('a@silent.example', false)
  expect(await check(raw, '192.0.2.1', 'a@silent.example')).toEqual({
    spf: 'gray',
    dkim: 'gray',
    dmarc: 'gray',
  })
})

test('a bounce is checked by the name in EHLO', async () => {
  const raw = await mail('a@silent.example', false)
  expect((await check(raw, '192.0.2.1', null)).spf).toBe('gray')
  dns.set('TXT', 'x.example', ['v=spf1 ip4:192.0.2.1 -all'])
  expect((await check(raw, '192.0.2.1', null)).spf).toBe('pass')
  expect((await check(raw, '192.0.2.2', null)).spf).toBe('fail')
  dns.set('TXT', 'x.example', [])
})

test.each([
  ['pass', 'v=spf1 +all'],
  ['fail', 'v=spf1 -all'],
  ['gray', 'v=spf1 ~all'],
  ['gray', 'v=spf1 ?all'],
  ['processing_failed', 'v=spf1 nonsense:'],
])('the verdict is %s for a host by the policy %j', async (verdict, policy) => {
  dns.set('TXT', 'policy.example', [policy])
  const raw = await mail('a@policy.example', false)
  expect((await check(raw, '192.0.2.1', 'a@policy.example')).spf).toBe(verdict)
})

test('a DNS failure leaves the verdicts open, and the mail is accepted', async () => {
  for (const name of ['broken.example', '_dmarc.broken.example']) dns.misbehave(name, 'servfail')
  const raw = await mail('a@broken.example', false)
  expect(await check(raw, '192.0.2.1', 'a@broken.example')).toMatchObject({
    spf: 'processing_failed',
    dmarc: 'processing_failed',
  })
})

test.each(['', '\r\n', 'no header at all', '\0\0\0', 'From: <<<@@\r\nDKIM-Signature: v=1; a=;;;\r\n\r\n'])(
  'a malformed mail neither fails the check nor passes: %j',
  async (raw) => {
    const verdicts = await check(raw)
    expect(verdicts.dkim).not.toBe('pass')
    expect(verdicts.dmarc).not.toBe('pass')
  },
)

test('a DNS server that answers too late does not delay the reply to the sender', async () => {
  const proxy = createSocket('udp4')
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(dns.address) ?? []
  proxy.on('message', (query, from) => {
    const onward = createSocket('udp4')
    onward.on('message', (answer) => {
      // This is later than the time for all lookups, and earlier than the time-out of one query.
      setTimeout(() => {
        proxy.send(answer, from.port, from.address)
        onward.close()
      }, 700)
    })
    onward.send(query, Number(port), host)
  })
  await new Promise<void>((resolve) => proxy.bind(0, '127.0.0.1', resolve))
  const raw = await mail('a@sender.example')
  const sender = { address: '192.0.2.1', helo: 'x.example', mailFrom: 'a@sender.example' }
  const options = { name: 'mx.example', dnsServers: [`127.0.0.1:${proxy.address().port}`] }
  const hasty = await new Authentication({ ...options, lookUpsMs: 20 }).check(sent(raw), sender)
  const patient = await new Authentication({ ...options, lookUpsMs: 20_000 }).check(sent(raw), sender)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  proxy.close()
  expect(hasty).toEqual({
    spam: null,
    virus: null,
    spf: 'processing_failed',
    dkim: 'processing_failed',
    dmarc: 'processing_failed',
  })
  expect(patient.spf).toBe('pass')
})

/** Of the text of `mail`. */
const BODY_HASH = createHash('sha256').update('739105\r\n').digest('base64')

/** A signature that passes no check, with its own domain. */
const signature = (n: number, tags = '') =>
  `DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=d${n}.example; s=s;${tags} h=from; bh=${BODY_HASH}; b=AAAA\r\n`
const signatures = (count: number, tags = (_n: number) => '') =>
  Array.from({ length: count }, (_, n) => signature(n, tags(n))).join('')

describe('what a sender can make the check cost', () => {
  /** The DNS queries of a check, and its verdicts. */
  const counted = async (raw: string) => {
    const before = dns.questions
    return { ...(await check(raw)), queries: dns.questions - before }
  }

  test('ten signatures are checked, and one that passes is enough', async () => {
    const raw = signatures(9) + (await mail('a@sender.example'))
    expect(await counted(raw)).toMatchObject({ dkim: 'pass', dmarc: 'pass' })
  })

  test.each([
    ['eleven signatures', signatures(10)],
    ['a thousand signatures', signatures(999)],
    ['a header field of 10 KB', signature(0, ` x=${'x'.repeat(10_000)};`)],
    ['a thousand names of fields', signature(0, ` z=${'from:'.repeat(1000)};`)],
    ['a thousand fields', 'X-Field: x\r\n'.repeat(1000)],
    ['a header of 200 KB', `X-Large: ${'x'.repeat(200_000)}\r\n`],
    [
      'three ways to hash the body',
      `${signature(0).replace('relaxed/relaxed', 'x/y')}${signature(1).replace('relaxed/relaxed', 'simple/simple')}`,
    ],
    ['500 lines beside ten signatures', `${signatures(9)}X-Folded: ${'x\r\n '.repeat(500)}x\r\n`],
  ])('%s: no signature is checked', async (_, fields) => {
    const outcome = await counted(fields + (await mail('a@sender.example')))
    expect(outcome).toMatchObject({ spf: 'pass', dkim: 'gray' })
    // SPF and DMARC of the sender.
    expect(outcome.queries).toBeLessThanOrEqual(4)
  })

  test.each([
    ['of the beginning of the body', signatures(5, (n) => ` l=${n};`)],
    ['with SHA-1', signatures(5).replaceAll('sha256', 'sha1')],
  ])('a signature %s is not checked', async (_, fields) => {
    const raw = fields + (await mail('a@silent.example', false))
    const outcome = await counted(raw)
    expect(outcome).toMatchObject({ dkim: 'gray' })
    expect(outcome.queries).toBeLessThanOrEqual(4)
  })

  test.each([
    ['white space that each line changes', 'a  b\r\n'.repeat(100_000)],
    ['tabs', 'One\tline of text.\r\n'.repeat(20_000)],
    ['lines that end with a blank', 'One line of text. \r\n'.repeat(20_000)],
    ['lines that end with a blank and a bare LF', 'One line of text. \n'.repeat(20_000)],
  ])('a body of %s is hashed in one form, and not in two', async (_, text) => {
    const raw = `${await mail('a@sender.example')}${text}\r\n`
    expect(await check(raw)).toMatchObject({ dkim: 'fail' })
    const other = signature(1).replace('relaxed/relaxed', 'simple/simple')
    expect(await check(other + raw)).toMatchObject({ spf: 'pass', dkim: 'gray' })
  })

  test.each([
    ['empty lines', '\r\n'.repeat(150_000)],
    ['empty lines that end with a bare LF', '\n'.repeat(300_000)],
    ['a line of 200 KB', 'x'.repeat(200_000)],
  ])('a body of %s is not hashed', async (_, text) => {
    const raw = await mail('a@sender.example')
    expect(await check(`${raw}${text}\r\n`)).toMatchObject({ spf: 'pass', dkim: 'gray' })
  })

  test.each(['\n', '\r\n', ' \n', '\t\r\n', ' \t\r\n'])(
    'a forged text below more lines %j than are hashed does not pass',
    async (line) => {
      const raw = await mail('a@sender.example')
      // The place where a chunk of the check ends is another one each time.
      for (let n = 0; n < 4; n++) {
        const text = `${' '.repeat(n)}${line.repeat(400_000 / line.length)}Pay at once.\r\n`
        const { dkim, dmarc } = await check(raw + text, '198.51.100.9')
        expect([dkim, dmarc]).not.toContain('pass')
      }
    },
  )

  test('a large body of ordinary lines is hashed', async () => {
    const raw = await mail('a@sender.example')
    expect(await check(`${raw}${'One line of text.\r\n'.repeat(50_000)}`)).toMatchObject({ dkim: 'fail' })
  })

  test('a message asks at most 20 queries', async () => {
    const includes = Array.from({ length: 9 }, (_, n) => `include:i${n}.example`)
    dns.set('TXT', 'many.example', [`v=spf1 ${includes.join(' ')} -all`])
    for (let n = 0; n < 9; n++) dns.set('TXT', `i${n}.example`, ['v=spf1 ip4:198.51.100.1 -all'])
    const before = dns.questions
    const raw = signatures(10) + (await mail('a@many.example', false))
    const { dkim } = await check(raw, '192.0.2.1', 'a@many.example')
    expect(dkim).toBe('gray')
    expect(dns.questions - before).toBeLessThanOrEqual(20)
  })
})
