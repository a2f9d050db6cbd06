import { describe, expect, test } from '@jest/globals'
// @ts-expect-error The package declares no types for it.
import { RelaxedHash } from 'mailauth/lib/dkim/body/relaxed.js'
import { affordableHeader } from '../../../adapters/smtp/affordable-header.ts'
import { affordable } from '../../../adapters/smtp/affordable-message.ts'
import { Random } from '../../hostile/search/random.ts'

const FROM = 'From: a@sender.example\r\n'
const signature = (tags = '') => `DKIM-Signature: v=1; a=rsa-sha256; d=x.example;${tags} b=AAAA\r\n`
/** A signature of this length, with its line end. */
const long = (length: number) => signature(` x=${'x'.repeat(length - signature(' x=;').length)};`)
const lines = (count: number) => 'X: x\r\n'.repeat(count)

describe('the signatures of a header', () => {
  test.each<[what: string, header: string, isAffordable: boolean]>([
    ['ten', signature().repeat(10), true],
    ['eleven', signature().repeat(11), false],
    ['a thousand fields', `${lines(997)}${FROM}${signature()}`, true],
    ['more fields', `${lines(998)}${FROM}${signature()}`, false],
    ['one of 8 KB', long(8192), true],
    ['a longer one', long(8193), false],
    ['a hundred names', signature(` h=${'from:'.repeat(98)}from;`), true],
    ['more names', signature(` h=${'from:'.repeat(99)}from;`), false],
    ['two ways to hash', signature(' c=x/relaxed;') + signature(' c=relaxed/simple;'), true],
    [
      'the same way, by default or in capitals',
      signature() + signature('c=X/SIMPLE;') + signature('c=relaxed;'),
      true,
    ],
    ['three ways to hash', signature() + signature(' c=x/relaxed;') + signature(' c=x/y;'), false],
    // With the empty line, and what is behind it.
    ['4096 lines, times signatures', `${FROM}X: ${'x\r\n '.repeat(1016)}x\r\n${signature().repeat(4)}`, true],
    ['more lines', `${FROM}X: ${'x\r\n '.repeat(1017)}x\r\n${signature().repeat(4)}`, false],
    ['64 KB', `${FROM}${signature()}X: ${'x'.repeat(65536 - (FROM + signature()).length - 7)}\r\n`, true],
    [
      'a longer header',
      `${FROM}${signature()}X: ${'x'.repeat(65536 - (FROM + signature()).length - 6)}\r\n`,
      false,
    ],
  ])('%s: are checked, or all are removed', (_, fields, isAffordable) => {
    const header = `${fields}\r\n`
    const found = affordableHeader(header)
    expect([found.isSigned, found.isPartial]).toEqual([isAffordable, !isAffordable])
    if (isAffordable) expect(found.text).toBe(header)
    else expect(found.text).not.toContain('DKIM-Signature')
  })

  test.each([
    ['of a part of the body', signature(' l=3;')],
    ['with SHA-1', 'DKIM-Signature: v=1; a=rsa-sha1; b=AAAA\r\n'],
  ])('one %s is removed, and the others are checked', (_, one) => {
    expect(affordableHeader(`${FROM}${one}\r\n`)).toEqual({
      text: `${FROM}\r\n`,
      isSigned: false,
      forms: new Set(),
      isPartial: true,
    })
    expect(affordableHeader(`${FROM}${one}${signature()}\r\n`)).toEqual({
      text: `${FROM}${signature()}\r\n`,
      isSigned: true,
      forms: new Set(['simple']),
      isPartial: true,
    })
  })

  test('stay with all fields but those of ARC, and those with too many addresses', () => {
    const others = `${FROM}Return-Path: <a@x.example>\r\nSubject: a\r\n b\r\n`
    const arc = 'ARC-Seal: i=1\r\narc-message-signature: i=1\r\n'
    const addresses = (length: number) => `From: ${'a'.repeat(length - 8)}\r\n`
    const signed = (fields: string) => affordableHeader(`${fields}${signature(' c=relaxed/relaxed;')}\r\n`)
    expect(signed(others + arc)).toMatchObject({
      text: `${others}${signature(' c=relaxed/relaxed;')}\r\n`,
      forms: new Set(['relaxed']),
      isPartial: false,
    })
    expect(signed(addresses(2048)).text).toContain('From: aaa')
    expect(signed(addresses(2049)).text).not.toContain('From: aaa')
  })

  test('if there are none, only the fields that name the sender stay', () => {
    const header = `Subject: s\r\nFROM : a@x.example\r\nReturn-Path: <a@x.example>\r\n\r\n`
    expect(affordableHeader(header)).toEqual({
      text: 'FROM : a@x.example\r\nReturn-Path: <a@x.example>\r\n\r\n',
      isSigned: false,
      forms: new Set(),
      isPartial: false,
    })
  })
})

describe('the body of a signed message', () => {
  const RELAXED = signature(' c=relaxed/relaxed;')
  const passed = async (body: string, signatures = RELAXED, step = body.length + 1000) => {
    const header = `${FROM}${signatures}\r\n`
    const examined = { isPartial: false }
    const pieces: Uint8Array[] = []
    const message = (async function* () {
      const raw = Buffer.from(header + body)
      for (let at = 0; at < raw.length; at += step) yield raw.subarray(at, at + step)
    })()
    for await (const piece of affordable(message, examined)) pieces.push(piece)
    return { body: Buffer.concat(pieces).toString().slice(header.length), ...examined }
  }

  test.each<[what: string, body: string, isWhole: boolean]>([
    ['a line of 64 KB', 'x'.repeat(65_536), true],
    ['a longer line', 'x'.repeat(65_537), false],
    // Places within 16 bytes count as one, and the first byte of a body as none.
    ['16,384 empty lines', `x${`\n\n${'x'.repeat(14)}`.repeat(16_384)}`, true],
    ['more empty lines', `x${`\n\n${'x'.repeat(14)}`.repeat(16_385)}`, false],
  ])('%s: is read, or ends there', async (_, body, isWhole) => {
    const found = await passed(body)
    expect(found.isPartial).toBe(!isWhole)
    expect(found.body === body.replaceAll('\n', '\r\n')).toBe(isWhole)
  })

  const withTabs = (count: number) => `x${`\t${'x'.repeat(14)}\r\n`.repeat(count)}`

  test.each([
    ['as it is', signature(), withTabs(20_000)],
    ['relaxed', RELAXED, withTabs(20_000).replaceAll('\t', ' ')],
  ])('may have any white space if it is hashed in one form: %s', async (_, signatures, expected) => {
    expect(await passed(withTabs(20_000), signatures)).toEqual({ body: expected, isPartial: false })
  })

  test.each([
    [1024, true],
    [1025, false],
  ])('hashed in two forms, may have %d places that one of them changes: %s', async (count, isWhole) => {
    expect((await passed(withTabs(count), signature() + RELAXED)).isPartial).toBe(!isWhole)
  })

  test.each(['one', 'two', 'three', 'four'])(
    'has the hash of its relaxed form: text of seed %s',
    async (seed) => {
      const random = new Random(seed)
      const pieces = [
        ' ',
        '\t',
        '\r',
        '\n',
        '\r\n',
        ' \r\n',
        '  ',
        'x',
        'line of text',
        '\u00a0',
        '=20',
        '\0',
      ]
      let body = ''
      while (body.length < 200_000) body += random.pick(pieces)
      const hash = (text: string) => {
        const hashed = new RelaxedHash('rsa-sha256')
        hashed.update(Buffer.from(text))
        return hashed.digest('base64') as string
      }
      // Each step has its own ends of chunks.
      for (const step of [1000, 65_537, 70_001, 99_999])
        expect(hash((await passed(body, RELAXED, step)).body)).toBe(hash(body))
    },
  )

  test.each([
    ['as it is', signature()],
    ['relaxed', RELAXED],
  ])('has CR LF for each bare LF if it is hashed %s', async (_, signatures) => {
    const { body } = await passed('one\ntwo\r\n\n\r\nthree\n', signatures)
    expect(body).toBe('one\r\ntwo\r\n\r\n\r\nthree\r\n')
  })

  test('costs nothing without a signature, and is read as a whole', async () => {
    const body = 'x'.repeat(70_000)
    expect(await passed(body, '')).toEqual({ body, isPartial: false })
  })

  test('ends with a line that no sender has signed', async () => {
    const { body } = await passed(`Pay at once.\r\n${'x'.repeat(70_000)}`)
    expect(body).toMatch(/^\r\n[0-9a-f-]{36}\r\n$/)
  })
})
