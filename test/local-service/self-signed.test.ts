import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import {
  CERTIFICATE_FILE,
  createCertificate,
  selfSignedCertificate,
} from '../../local-service/self-signed.ts'

const NAMES = ['mx.mayfly.test', 'localhost', '127.0.0.1', '::1']

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

  test('two certificates have different serial numbers and keys', () => {
    const [one, two] = [1, 2].map(() => new X509Certificate(createCertificate(NAMES, new Date()).cert))
    expect(one?.serialNumber).not.toBe(two?.serialNumber)
    expect(one?.fingerprint256).not.toBe(two?.fingerprint256)
  })

  test('stays the same across restarts, in files that only its user can read', async () => {
    const first = selfSignedCertificate(folder, NAMES)
    expect(selfSignedCertificate(folder, NAMES)).toEqual(first)
    expect(await readFile(join(folder, CERTIFICATE_FILE), 'utf8')).toBe(first.cert)
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
    [
      'it expires soon',
      async (file: string) => {
        const old = createCertificate(NAMES, new Date(Date.now() - 350 * 86_400_000))
        await writeFile(file, old.cert)
        await writeFile(join(file, '..', 'smtp-key.pem'), old.key)
      },
    ],
  ])('is replaced if %s', async (_, change) => {
    selfSignedCertificate(folder, NAMES)
    const file = join(folder, CERTIFICATE_FILE)
    await change(file)
    const changed = await readFile(file, 'utf8')
    const second = selfSignedCertificate(folder, NAMES)
    expect(second.cert).not.toBe(changed)
    expect(new X509Certificate(second.cert).checkHost('localhost')).toBeDefined()
  })

  test('is replaced if a name is missing', () => {
    const first = selfSignedCertificate(folder, NAMES)
    const second = selfSignedCertificate(folder, [...NAMES, 'new.mayfly.test'])
    expect(second.cert).not.toBe(first.cert)
  })
})
