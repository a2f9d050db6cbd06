import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, createSecureContext, createServer } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  CERTIFICATE_FILE,
  createCertificate,
  selfSignedCertificate,
} from '../../local-service/self-signed.ts'

const NAMES = ['mx.mayfly.test', 'localhost', '127.0.0.1', '::1']

/** Writes a certificate that was created before this number of days, with its key. */
async function writeOld(file: string, days: number): Promise<void> {
  const old = createCertificate(NAMES, new Date(Date.now() - days * 86_400_000))
  await writeFile(file, old.cert)
  await writeFile(join(file, '..', 'smtp-key.pem'), old.key)
}

describe('the self-signed certificate', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mayfly-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  test('is valid for its names and addresses, and signed by its own key', () => {
    const { cert, key } = createCertificate(NAMES, new Date())
    const certificate = new X509Certificate(cert)
    expect(certificate.subjectAltName).toBe(
      'DNS:mx.mayfly.test, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    )
    expect(certificate.checkHost('mx.mayfly.test')).toBeDefined()
    expect(certificate.checkHost('other.test')).toBeUndefined()
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.ca).toBe(true)
    expect(Date.parse(certificate.validFrom)).toBeLessThan(Date.now())
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now())
    expect(() => createSecureContext({ cert, key })).not.toThrow()
  })

  test.each(['2001:db8::7', '::ffff:192.0.2.1', 'fe80::1:2'])('names the address %s', (address) => {
    const { cert } = createCertificate([address], new Date())
    expect(new X509Certificate(cert).checkIP(address)).toBeDefined()
  })

  test('is well formed at every length of its names', () => {
    for (let length = 1; length < 300; length++) {
      const names = Array.from({ length: Math.ceil(length / 60) }, (_, n) =>
        'n'.repeat(Math.min(60, length - 60 * n)),
      )
      const certificate = new X509Certificate(createCertificate(names, new Date()).cert)
      expect(certificate.subjectAltName?.split(', ')).toEqual(names.map((name) => `DNS:${name}`))
      expect(certificate.subject).toBe(`CN=${names[0]}`)
      expect(certificate.issuer).toBe(certificate.subject)
    }
  })

  test('is valid from the day before its creation, for a year', () => {
    const now = new Date('2029-12-31T23:59:59Z')
    const certificate = new X509Certificate(createCertificate(NAMES, now).cert)
    expect(new Date(certificate.validFrom)).toEqual(new Date('2029-12-30T23:59:59Z'))
    expect(new Date(certificate.validTo)).toEqual(new Date('2030-12-31T23:59:59Z'))
  })

  test.each([
    ['another host', 'DNS:evil.example', 'sslserver', /permitted subtree violation/],
    ['another address', 'IP:192.0.2.1', 'sslserver', /permitted subtree violation/],
    ['an address of IPv6', 'IP:2001:db8::1', 'sslserver', /permitted subtree violation/],
    ['a client', 'DNS:localhost', 'sslclient', /purpose/],
    ['its own names', 'DNS:localhost,IP:127.0.0.1', 'sslserver', /OK/],
  ])('lets its key vouch for no other certificate: %s', async (_whom, names, purpose, expected) => {
    const { cert, key } = createCertificate(NAMES, new Date())
    await writeFile(join(folder, 'ca.pem'), cert)
    await writeFile(join(folder, 'ca.key'), key)
    const request = `openssl req -newkey rsa:2048 -nodes -keyout leaf.key -subj /CN=x -addext subjectAltName=${names}`
    const script = `${request} | openssl x509 -req -CA ca.pem -CAkey ca.key -copy_extensions copy -out leaf.pem
      openssl verify -x509_strict -purpose ${purpose} -CAfile ca.pem leaf.pem`
    const { stdout, stderr } = spawnSync('sh', ['-c', script], { cwd: folder, encoding: 'utf8' })
    expect(stdout + stderr).toMatch(expected)
  })

  test.each([['x.test'], ['192.0.2.1'], ['x.test', '192.0.2.1']])(
    'vouches only for %s and %s',
    async (...names) => {
      const { cert } = createCertificate(names, new Date())
      await writeFile(join(folder, 'ca.pem'), cert)
      const show =
        'openssl x509 -in ca.pem -noout -text -ext nameConstraints,basicConstraints,keyUsage,extendedKeyUsage'
      const { stdout } = spawnSync('sh', ['-c', show], { cwd: folder, encoding: 'utf8' })
      // Extensions exist in version 3 only (RFC 5280, section 4.1.2.1).
      expect(stdout).toMatch(/Version: 3 \(0x2\)/)
      expect(stdout).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/)
      expect(stdout).toMatch(/Name Constraints: critical/)
      expect(stdout).toMatch(/Extended Key Usage: \s+TLS Web Server Authentication/)
      const excluded = stdout.slice(stdout.indexOf('Excluded:'))
      expect([stdout.includes('Excluded:'), /IP:0\.0\.0\.0/.test(excluded), /DNS:\s/.test(excluded)]).toEqual(
        [names.length === 1, names[0] === 'x.test' && names.length === 1, names[0] === '192.0.2.1'],
      )
    },
  )

  test('is accepted by a client that trusts it, for its names only', async () => {
    const { cert, key } = createCertificate(NAMES, new Date())
    const server = createServer({ cert, key }, (socket) => socket.end('hello'))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const answerTo = (servername: string) =>
      new Promise((resolve) => {
        const socket = connect({ host: '127.0.0.1', port, ca: cert, servername })
        socket.on('data', (data) => resolve(String(data))).on('error', (error) => resolve(error.message))
      })
    expect(await answerTo('localhost')).toBe('hello')
    expect(await answerTo('other.example')).toMatch(/does not match/)
    server.close()
  })

  test('is created in a folder that only its user can open', async () => {
    const own = join(folder, 'a', 'b')
    selfSignedCertificate(own, NAMES)
    expect((await stat(own)).mode & 0o777).toBe(0o700)
  })

  test('two certificates have different serial numbers and keys', () => {
    const [one, two] = [1, 2].map(() => new X509Certificate(createCertificate(NAMES, new Date()).cert))
    expect(one?.serialNumber).not.toBe(two?.serialNumber)
    expect(one?.fingerprint256).not.toBe(two?.fingerprint256)
  })

  test('stays the same across restarts, in files that only its user can read', async () => {
    const first = selfSignedCertificate(folder, NAMES)
    expect(selfSignedCertificate(folder, NAMES)).toEqual(first)
    expect(await readFile(join(folder, CERTIFICATE_FILE), 'utf8')).toBe(first.cert)
    // Files of several certificates are joined.
    expect(first.cert).toMatch(/^-----BEGIN CERTIFICATE-----\n[\w+/=\n]+\n-----END CERTIFICATE-----\n$/)
    for (const file of [CERTIFICATE_FILE, 'smtp-key.pem']) {
      expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600)
    }
  })

  test.each([
    ['its files are damaged', async (file: string) => writeFile(file, 'x')],
    [
      'its key is another one',
      async (file: string) => writeFile(file, createCertificate(NAMES, new Date()).cert),
    ],
    ['it expires within 30 days', async (file: string) => writeOld(file, 336)],
  ])('is replaced if %s', async (_, change) => {
    selfSignedCertificate(folder, NAMES)
    const file = join(folder, CERTIFICATE_FILE)
    await change(file)
    const changed = await readFile(file, 'utf8')
    const second = selfSignedCertificate(folder, NAMES)
    expect(second.cert).not.toBe(changed)
    expect(new X509Certificate(second.cert).checkHost('localhost')).toBeDefined()
  })

  test('is kept for 31 days before it expires', async () => {
    const file = join(folder, CERTIFICATE_FILE)
    await writeOld(file, 334)
    const old = await readFile(file, 'utf8')
    expect(selfSignedCertificate(folder, NAMES).cert).toBe(old)
  })

  test('is replaced if a name is missing', () => {
    const first = selfSignedCertificate(folder, NAMES)
    const second = selfSignedCertificate(folder, [...NAMES, 'new.mayfly.test'])
    expect(second.cert).not.toBe(first.cert)
  })
})
