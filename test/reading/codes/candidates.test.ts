import { describe, expect, test } from '@jest/globals'
import { findCandidates } from '../../../reading/codes/candidates.ts'

/** The candidates of a text; a "?" marks those that need a clear introduction. */
const found = (text: string) =>
  findCandidates(text).map(({ value, doubtful }) => (doubtful ? `${value}?` : value))

describe('what a token with a digit is as a code', () => {
  test.each([
    // numbers
    ['482', []],
    ['4829', ['4829']],
    ['48291355', ['48291355']],
    ['482913556', ['482913556?']],
    ['4829135567', ['4829135567?']],
    ['48291355678', []],
    // years and days
    ['1599', ['1599']],
    ['1600', ['1600?']],
    ['1999', ['1999?']],
    ['2099', ['2099?']],
    ['2100', ['2100']],
    ['20261121', ['20261121?']],
    ['20261231', ['20261231?']],
    ['20260930', ['20260930?']],
    ['20261321', ['20261321']],
    ['20260021', ['20260021']],
    ['20261100', ['20261100']],
    ['20261132', ['20261132']],
    ['19990101', ['19990101?']],
    // counts
    ['1000', ['1000?']],
    ['999000', ['999000?']],
    ['100000', ['100000?']],
    ['100', []],
    ['4800', ['4800']],
    ['481000', ['481000?']],
    ['4821000', ['4821000']],
    ['0000', ['0000']],
    // letters and digits
    ['XK42', ['XK42']],
    ['xk42qp', ['xk42qp?']],
    ['XK42QPMT7ABC', ['XK42QPMT7ABC']],
    ['XK42QPMT7ABCD', []],
    ['X42', []],
    // units
    ['1080p', []],
    ['14th', []],
    ['1234abcdef', []],
    ['A1000AM', ['A1000AM']],
    ['1000AMX', ['1000AMX']],
    ['X1000min', ['X1000min?']],
    ['1234abcdefg', ['1234abcdefg?']],
    ['1000XY', ['1000XY']],
    // names
    ['iPhone14', []],
    ['Harbour365', []],
    ['abc123', []],
    ['ab1234', []],
    ['a1234', ['a1234?']],
    ['aBcd1234', []],
    ['aBcdEfg12', []],
    ['AB1234', ['AB1234']],
    ['1Password', []],
    ['12Password', []],
    ['123Password', ['123Password?']],
    ['1Pass', ['1Pass?']],
    ['1Passwo', []],
    ['sha512', []],
    ['SHA2561', ['SHA2561']],
    ['SHA257', ['SHA257']],
    ['XSHA256', ['XSHA256']],
    // a prefix, and the ending of a word
    ['G-482913', ['482913']],
    ['G-4829', ['4829']],
    ['G-48291355', ['48291355']],
    ['G-482', []],
    ['GG-4829', []],
    ['G-482913556', []],
    ['FB-482913', ['482913']],
    ['AB-482913', ['482913?']],
    ['ABCD-482913', ['482913?']],
    ['ABCDE-482913', []],
    ['AB-48291', []],
    ['AB-4829135', []],
    ['482913-ni', ['482913']],
    ['4829-a', ['4829']],
    ['482913-abcde', ['482913']],
    ['482913-abcdef', ['482913-abcdef?']],
    ['482-ni', []],
    ['48291355-ni', ['48291355']],
    ['482913551-ni', []],
    ['a482913-ni', []],
    ['ngu-482913', ['482913?']],
    ['n-4829', ['4829?']],
    ['n-48291355', ['48291355?']],
    ['n-482913551', []],
    ['ngu-482', ['ngu-482?']],
    ['ng-482913a', []],
    ['abcd-482913', []],
    // groups
    ['482-913', ['482913']],
    ['4829-1355', ['48291355']],
    ['48-29-13', ['482913']],
    ['48-29', ['4829']],
    ['20-26', ['2026']],
    ['4-8-2-9', ['4829']],
    ['482-913-556', []],
    ['48291-35567', []],
    ['48291-355', []],
    ['482-9135', ['4829135?']],
    ['4829-135', ['4829135?']],
    ['482-91355', []],
    ['XK42-99QP', ['XK42-99QP']],
    ['XK42-99QP-7M3D', ['XK42-99QP-7M3D']],
    ['xk42-99qp', ['xk42-99qp?']],
    ['XK42-99Q', []],
    ['XY-9K2', ['XY-9K2']],
    ['9K2-XY', ['9K2-XY']],
    ['X2Y-AB', ['X2Y-AB']],
    ['XY-9KK', []],
    ['X-9K2', []],
    ['XYAB-9K2', ['XYAB-9K2']],
    ['9K2-XYAB', ['9K2-XYAB']],
    ['9K2-XYABC', []],
    ['9K2-X', []],
    ['XY-9K2-A', []],
    ['XYABC-9K2', []],
    ['AB-1C-D2-E3', ['AB-1C-D2-E3']],
    ['A-1-B-2', []],
    ['AB-1C-D2-E3-F4-G5-H6-I7', ['AB-1C-D2-E3-F4-G5-H6-I7']],
    ['AB-1C-D2-E3-F4-G5-H6-I7-J8', []],
    ['ABCD1-EFGH2-IJKL3-MNOP4', ['ABCD1-EFGH2-IJKL3-MNOP4']],
    ['ABCD1-EFGH2-IJKL3-MNOP4-Q', []],
    ['ABCDEF1-ABCDEF2-ABCDEF3', []],
    // stops
    ['482.913', ['482913?']],
    ['73.91.05', ['739105?']],
    ['21.11.26', []],
    ['11.21.26', []],
    ['26.11.31', []],
    ['31.12.99', []],
    ['32.12.99', ['321299?']],
    ['31.13.99', ['311399?']],
    ['12.31.99', []],
    ['13.31.99', ['133199?']],
    ['12.32.99', ['123299?']],
    ['01.01.99', []],
    ['00.01.99', ['000199?']],
    ['01.00.99', ['010099?']],
    ['99.01.01', []],
    ['99.13.01', ['991301?']],
    ['99.12.32', ['991232?']],
    ['21-11-26', ['211126?']],
    ['21-11', ['2111']],
    ['210-110-26', []],
    ['99.12.00', ['991200?']],
    ['99.12.31', []],
    ['482.913.556', []],
    ['482.9135', []],
    ['$482.913', []],
    ...[...'.,:/-'].map((mark): [string, string[]] => [`482.913${mark}5`, []]),
    ...[...'.,:/-'].map((mark): [string, string[]] => [`73.91.05${mark}5`, []]),
    ['73.91.055', []],
    ['482.913 is it', ['482913?']],
    ['482.913.', ['482913?']],
  ])('%s', (text, values) => {
    expect(found(text)).toEqual(values)
    expect(found(`Code ${text} `)).toEqual(values)
  })
})

test('no number with a unit is a code', () => {
  const units =
    'AM PM GB MB KB TB KG KM MM CM PX DPI MIN H HRS ST ND RD TH USD EUR GBP CHF IRR IRT RUB TRY INR JPY KRW VND BRL PLN UAH AED SAR'
  for (const unit of units.split(' ')) expect([unit, ...found(`1000${unit}`)]).toEqual([unit])
})

test('no name of a format is a code', () => {
  const formats =
    'POP3 IMAP4 IPV4 IPV6 HTTP2 HTTP3 UTF8 UTF16 UTF32 SHA1 SHA256 SHA384 SHA512 BASE32 BASE64 OAUTH1 OAUTH2 X509 H264 H265'
  for (const format of formats.split(' ')) expect([format, ...found(format)]).toEqual([format])
})

test('a number of six digits looks like a code most, a long one least', () => {
  const look = (text: string) => findCandidates(text).map((one) => one.look)
  const texts = [
    '482913',
    '482 913',
    '482-913',
    'G-482913',
    '48291',
    '48291355',
    '482913556',
    'XK42',
    'XK42-99QP',
    '482.913',
    'XK42 99QP',
    'X 4 K 2',
    'AB-482913',
    '482-9135',
    'XY-9K2',
  ]
  expect(texts.flatMap(look)).toEqual([3, 2.5, 2.5, 3, 2, 2, 1, 2, 2, 2, 2, 2, 2, 2, 2])
})

test('a code is where its text is, without the ending of a word', () => {
  const shown = (text: string) => findCandidates(text).map(({ start, end }) => text.slice(start, end))
  const texts = [
    'a 482913 b',
    'a 482913-ni b',
    'a ngu-482913 b',
    'a G-482913 b',
    'a AB-482913 b',
    'a 482.913 b',
    'a 4 8 2 9 b',
  ]
  expect(texts.flatMap(shown)).toEqual([
    '482913',
    '482913',
    '482913',
    'G-482913',
    'AB-482913',
    '482.913',
    '4 8 2 9',
  ])
})

test('only what has no letters is a number', () => {
  const digits = (text: string) => findCandidates(text).map((one) => one.digits)
  const numbers = ['482913', '482 913', 'G-482913', 'AB-482913', '482-9135', '482.913', '4 8 2 9', '482-913']
  const others = ['XK42', 'XK42-99QP', 'XY-9K2', 'XK42 99QP', 'X 4 K 2']
  expect(new Set(numbers.flatMap(digits))).toEqual(new Set([true]))
  expect(new Set(others.flatMap(digits))).toEqual(new Set([false]))
})
