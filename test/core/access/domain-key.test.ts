import { expect, test } from '@jest/globals'
import { hashKey } from '../../../core/access/api-keys.ts'
import { readKeyRecord } from '../../../core/access/domain-key.ts'

test.each([
  [[], null],
  [['key=secret'], hashKey('secret')],
  [[' key= secret '], hashKey('secret')],
  [['key=a=b'], hashKey('a=b')],
  [[`key=${'x'.repeat(256)}`], hashKey('x'.repeat(256))],
  [[`key-sha256=${hashKey('x').toUpperCase()}`], hashKey('x')],
  [['v=spf1 -all', 'key=secret'], hashKey('secret')],
])('the domain key of %j', (texts, hash) => {
  expect(readKeyRecord(texts)).toEqual({ hash })
})

const AFTER_KEY = 'after "key=" stands a key of 1 to 256 characters of ASCII'
const AFTER_HASH = 'after "key-sha256=" stand 64 hexadecimal digits'
const LOWER_CASE = '"key=" is written in lower case'
const NEITHER = 'it begins with neither "key=" nor "key-sha256="'

test.each([
  ['key=', AFTER_KEY],
  ['key= ', AFTER_KEY],
  [' key =secret', AFTER_KEY],
  ['key  = secret', AFTER_KEY],
  [`key=${'x'.repeat(257)}`, AFTER_KEY],
  ['key=clé', AFTER_KEY],
  ['key=a\tb', AFTER_KEY],
  ['key-sha256=abc', AFTER_HASH],
  [`key-sha256=${hashKey('x')}0`, AFTER_HASH],
  [`key-sha256=${hashKey('x').replace(/.$/, 'g')}`, AFTER_HASH],
  ['Key=secret', LOWER_CASE],
  ['KEY = secret', LOWER_CASE],
  ['Key-SHA256=abc', NEITHER],
  ['my key=secret', NEITHER],
  ['key', NEITHER],
  ['key secret=', NEITHER],
  ['=secret', NEITHER],
  ['', NEITHER],
])('what is wrong with %j', (text, fault) => {
  expect(readKeyRecord([text])).toEqual({ hash: undefined, fault })
})

test('of several domain keys the same one counts, in any order of the DNS records', () => {
  expect(readKeyRecord(['key=a', 'key=b'])).toEqual(readKeyRecord(['key=b', 'key=a']))
})
