import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { DAY_MS } from '../core/limits.ts'
import type { Certificate } from './config-values.ts'

/** The certificate in the data folder, which clients can trust. */
export const CERTIFICATE_FILE = 'smtp-cert.pem'
const KEY_FILE = 'smtp-key.pem'
const VALID_MS = 365 * DAY_MS
/** A stored certificate that is valid for less than this is replaced. */
const RENEW_MS = 30 * DAY_MS

/**
 * Returns the self-signed certificate of the data folder and creates it if the folder has no
 * certificate for these names. It survives restarts, so that a client which trusts the file keeps
 * working.
 */
export function selfSignedCertificate(folder: string, names: string[]): Certificate {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const files = { cert: join(folder, CERTIFICATE_FILE), key: join(folder, KEY_FILE) }
  const stored = read(files)
  if (stored !== undefined && isUsable(stored, names)) return stored
  const created = createCertificate(names, new Date())
  writeFileSync(files.key, created.key, { mode: 0o600 })
  writeFileSync(files.cert, created.cert, { mode: 0o600 })
  return created
}

function read(files: { cert: string; key: string }): Certificate | undefined {
  try {
    return { cert: readFileSync(files.cert, 'utf8'), key: readFileSync(files.key, 'utf8') }
  } catch {
    return undefined
  }
}

function isUsable({ cert, key }: Certificate, names: string[]): boolean {
  try {
    const certificate = new X509Certificate(cert)
    return (
      certificate.checkPrivateKey(createPrivateKey(key)) &&
      Date.parse(certificate.validTo) > Date.now() + RENEW_MS &&
      names.every((name) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)))
    )
  } catch {
    return false
  }
}

/**
 * An X.509 certificate (RFC 5280) with a P-256 key, which is its own issuer, for these host names
 * and addresses.
 */
export function createCertificate(names: string[], now: Date): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const publicInfo = publicKey.export({ type: 'spki', format: 'der' })
  const keyId = createHash('sha1').update(publicInfo).digest()
  const name = sequence(set(sequence(oid('2.5.4.3'), utf8(names[0] ?? 'mayfly'))))
  const body = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(now.getTime() - DAY_MS), time(now.getTime() + VALID_MS)),
    name,
    publicInfo,
    tagged(
      3,
      sequence(
        extension('2.5.29.14', octets(keyId)),
        // A certificate authority, because clients trust it as a root. Who trusts it trusts its key
        // for its own names and for servers only (RFC 5280, sections 4.2.1.9, 10 and 12).
        extension('2.5.29.19', sequence(TRUE, integer(Buffer.from([0]))), true),
        extension('2.5.29.15', DIGITAL_SIGNATURE_AND_CERT_SIGN, true),
        extension('2.5.29.37', sequence(oid('1.3.6.1.5.5.7.3.1'))),
        extension('2.5.29.30', nameConstraints(names), true),
        extension('2.5.29.17', sequence(...names.map((name) => alternativeName(name)))),
      ),
    ),
  )
  const signature = sign('sha256', body, privateKey)
  const certificate = sequence(body, ECDSA_WITH_SHA256, bits(signature))
  return {
    cert: pem(certificate),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function pem(certificate: Buffer): string {
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

// The parts of DER (ITU-T X.690) that a certificate needs.

function element(tag: number, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content)
  const length =
    body.length < 0x80
      ? [body.length]
      : body.length < 0x100
        ? [0x81, body.length]
        : [0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

const sequence = (...content: Buffer[]): Buffer => element(0x30, ...content)
const set = (...content: Buffer[]): Buffer => element(0x31, ...content)
const integer = (content: Buffer): Buffer => element(0x02, content)
const octets = (content: Buffer): Buffer => element(0x04, content)
const bits = (content: Buffer): Buffer => element(0x03, Buffer.from([0]), content)
const utf8 = (text: string): Buffer => element(0x0c, Buffer.from(text))
const tagged = (number: number, content: Buffer): Buffer => element(0xa0 + number, content)

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = rest.flatMap((part) => {
    const groups = [part & 0x7f]
    for (let left = part >> 7; left > 0; left >>= 7) groups.unshift((left & 0x7f) | 0x80)
    return groups
  })
  return element(0x06, Buffer.from([first * 40 + second, ...bytes]))
}

/** UTCTime, which RFC 5280 requires until 2049. */
function time(ms: number): Buffer {
  const text = new Date(ms).toISOString().replace(/^\d\d|[-:T]|\.\d+/g, '')
  return element(0x17, Buffer.from(text))
}

function extension(id: string, content: Buffer, isCritical = false): Buffer {
  return sequence(oid(id), ...(isCritical ? [TRUE] : []), octets(content))
}

/** A name of the subject; for a constraint, an address has a mask, here of all of its bits. */
function alternativeName(name: string, hasMask = false): Buffer {
  if (isIP(name) === 0) return element(0x82, Buffer.from(name))
  const address = isIP(name) === 4 ? Buffer.from(name.split('.').map(Number)) : ipv6Bytes(name)
  return element(0x87, address, Buffer.alloc(hasMask ? address.length : 0, 0xff))
}

/** Permits these names and addresses. A kind without a name is excluded as a whole. */
function nameConstraints(names: string[]): Buffer {
  const addresses = names.filter((name) => isIP(name) !== 0)
  const excluded = [
    ...(addresses.length === names.length ? [element(0x82)] : []),
    ...(addresses.length === 0 ? [element(0x87, Buffer.alloc(8)), element(0x87, Buffer.alloc(32))] : []),
  ]
  return sequence(
    tagged(0, Buffer.concat(names.map((name) => sequence(alternativeName(name, true))))),
    ...(excluded.length === 0 ? [] : [tagged(1, Buffer.concat(excluded.map((name) => sequence(name))))]),
  )
}

function ipv6Bytes(address: string): Buffer {
  const [before = '', after] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) => text.split(':').filter((group) => group !== '')
  const [head, tail] = [groups(before), groups(after ?? '')]
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return Buffer.from([...head, ...zeros, ...tail].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

const TRUE = element(0x01, Buffer.from([0xff]))
const DIGITAL_SIGNATURE_AND_CERT_SIGN = element(0x03, Buffer.from([2, 0x84]))
const ECDSA_WITH_SHA256 = sequence(oid('1.2.840.10045.4.3.2'))
