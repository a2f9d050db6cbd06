import { describe, expect, test } from '@jest/globals'
import { codesIn as codes, codesBelow, findCodes } from './find-codes.ts'

describe('a piece of a value is never a code', () => {
  test.each([
    'eyJ0eXAiOi.7d1c9e44b0a24f2c.sGn-71Kx',
    'b7c2d9.e1f4a8',
    '3c9f0a8b:d7e16c44',
    'k7m2p9/x4',
    'k7m2p9=',
    'k7m2p9+x',
    'k7M2!p9Q',
    'k7M2#p9Q',
    '{a81f9c2e',
    'a81f9c2e}',
    'x1=482.913',
    '21.11.26',
  ])('%s', (value) => {
    const given = [
      ...codes(`Your verification code is ${value}`),
      ...codes(`Verification code:\n\n${value}\n`),
    ]
    expect(given.filter((code) => code !== value)).toEqual([])
  })

  test.each([
    ['Your verification code is 48213 90127', '4821390127'],
    ['Your verification code is 482 139 012.', '482139012'],
    ['Your verification code is XK42 99QP.', 'XK42 99QP'],
    ['Your verification code is XK42 B3RX 2026-11', 'XK42 B3RX'],
    ['Your verification code is 7KQ2 31MX-series', '7KQ2'],
    ['Secret key to verify your account: JBSW Y3DP EHPK 3PXP', 'JBSW Y3DP EHPK 3PXP'],
    ['Your verification code is 482913.Do not share it.', '482913'],
    ['Your verification code is {a81f9c2e}', 'a81f9c2e'],
    ['Your verification code is 4829 13ab 77', '4829 13ab 77'],
    ['Your verification code is\n482\t|\t913', '482913'],
    ['Your verification code is\n482\t913', '482913'],
    ['Your verification code is\n4\t8\t2\t-\t9\t1\t3', '482913'],
    ['Your verification code is\n4\t8\t2\t9\t-1\t3', '4829'],
    ['Your verification code is 4 8 2 9 1 3 7 5 0 6', '4829137506'],
    ['Your verification code is 48291 10 minutes left', '48291'],
    ['Your temporary password: Kx9#mP2$vL', 'Kx9#mP2$vL'],
    ['YOUR VERIFICATION CODE IS XK42 THIS TIME', 'XK42'],
  ])('%s', (text, code) => {
    expect(codes(text)).toEqual([code])
  })

  test.each([',', ':', '.'])(
    'a Latin "%s" between a code and a count in Chinese, Japanese or Korean',
    (mark) => {
      expect(codes(`您的验证码是 660271${mark}5分钟内有效。`)).toEqual(['660271'])
      expect(codes(`認証コードは660271${mark}10 分間有効です。`)).toEqual(['660271'])
      expect(codes(`인증번호는 660271${mark}5분 이내에 입력하세요.`)).toEqual(['660271'])
    },
  )
})

describe('groups over lines are one code only if each is short, of the same length, and alone on its line', () => {
  test.each(['482\n913', '482\n\n913', '482 \n\t913 ', '4\n8\n2\n9\n1\n3', '48\n29\n13'])(
    'one: %j',
    (groups) => {
      expect(codes(`Your verification code:\n${groups}`)).toEqual([groups.replace(/\s/g, '')])
    },
  )

  test.each(['482\n- 913', '482 |\n913', '482.\n913', '482\n913 Acme', '48\n29 13', '4829\n1357'])(
    'not one: %j',
    (groups) => {
      expect(codes(`Your verification code:\n${groups}`)).not.toContain(groups.replace(/\D/g, ''))
    },
  )
})

describe('a list of recovery codes is given as a whole', () => {
  const MARKS: Array<[string, (value: string, n: number) => string]> = [
    ['bare', (value) => value],
    ['numbered', (value, n) => `${n + 1}. ${value}`],
    ['with dashes before them', (value) => `- ${value}`],
    ['with bullets before them', (value) => `• ${value}`],
    ['with middle dots before them', (value) => `· ${value}`],
  ]
  describe.each([
    ['5+5 digits', '48213 90127|20194 55183|77120 39481|50192 88213|31902 44718'],
    ['5-5 digits', '48213-90127|20194-55183|77120-39481|50192-88213'],
    ['4 4 digits', '4821 3901|2019 4551|7712 0394'],
    ['3 3 3 digits', '482 139 012|201 945 518|771 203 948'],
    ['letters and digits with a dot', 'a8f2.9dmx|b7e3.4kqz|c6d4.8wny|qkwv.2rtp'],
    ['8 digits', '48213901|20194551|77120394'],
    ['letters', 'abcd efgh|qwnd pzva|lwpe xnvc'],
    ['letters and digits with a blank', '8f3k 29dm|k29s xm31|p0e2 8dka'],
    ['letters and digits with a dash', '8f3k-29dm|k29s-xm31|p0e2-8dka'],
    ['capitals', 'JBSW Y3DP|9XQ2 MM4K|P3PX 8WQA'],
    ['groups without a digit', 'MVV7 NNLE ETKB AUSC|PHLQ WGJF VL5G FO3R|KQ6O GBKY EGZ7 GGFM'],
    [
      '16 of them',
      Array.from({ length: 16 }, (_, n) => `${((n * 7919 + 10007) % 80000) + 10000}-x7k2p`).join('|'),
    ],
  ])('%s', (_shape, joined) => {
    const values = joined.split('|')
    const typed = values.map((value) => (/[a-z]/i.test(value) ? value : value.replace(/\D/g, '')))
    test.each(MARKS)('%s', (_mark, line) => {
      const list = values.map(line).join('\n')
      expect(codes(`Here are your recovery codes.\n\n${list}\n\nEach of them works once.`)).toEqual(typed)
      expect(codes(`Here are your recovery codes.\n\n${list}`)).toEqual(typed)
    })

    test('in cells', () => {
      const html = `<p>Your backup codes</p><table><tr>${values.map((value) => `<td>${value}</td>`).join('')}</tr></table>`
      expect(findCodes({ subject: '', text: 'See the HTML.', html })).toEqual(typed)
    })
  })

  test('a list of other numbers gives nothing', () => {
    expect(codes('Your voucher codes:\n\n48213-90127\n20194-55183\n77120-39481\n')).toEqual([])
  })
})

test('groups of capitals on one line are one code, though most have no digit', () => {
  expect(codes('Your recovery code:\nMVV7 NNLE ETKB AUSC\n\nKeep it in a safe place.')).toEqual([
    'MVV7 NNLE ETKB AUSC',
  ])
})

test.each(['JBSW+Y3DP', 'a81f|9c2e77', 'a81f;9c2e77'])('no part of %s is given', (value) => {
  expect(findCodes({ subject: '', text: `Your verification token is ${value}`, html: null })).toEqual([])
})

const LISTS = [
  ['48213 90127', '77120 33481', '60918 22735', '15599 80342'],
  ['8f3k-29dm', 'p0wz-11ab', 'zz4t-77hh', 'm3n4-b5v6'],
  ['coral-anvil', 'timber-lotus', 'magnet-violin', 'harbor-pencil'],
]
test.each(LISTS)('recovery codes in columns, on one line or preformatted are all given: %s', (...values) => {
  const [a, b, c, d] = values
  const expected = values.map((value) => (/[a-z]/.test(value) ? value : value.replace(' ', '')))
  const find = (text: string, html: string | null = null) =>
    findCodes({ subject: '', text: `Your recovery codes\n\n${text}\n\nKeep them.`, html })
  expect(find(`${a}    ${b}\n${c}    ${d}`)).toEqual(expected)
  expect(find(values.join(', '))).toEqual(expected)
  expect(find('', `<p>Your recovery codes</p><pre>${values.join('\n')}</pre><p>Keep them.</p>`)).toEqual(
    expected,
  )
})

test('a tag in preformatted text parts no code', () => {
  const html = '<pre>Your verification code is <b>XK</b>42QP</pre>'
  expect(findCodes({ subject: '', text: '', html })).toEqual(['XK42QP'])
})

test('at most two blank lines part the codes of a list', () => {
  const text = (gap: string) => `Your recovery codes:\n\n${['abcd efgh', 'qwnd pzva', 'lwpe xnvc'].join(gap)}`
  expect([codes(text('\n\n\n')), codes(text('\n\n\n\n'))]).toEqual([
    ['abcd efgh', 'qwnd pzva', 'lwpe xnvc'],
    ['abcd efgh'],
  ])
})

test('recovery codes in two columns with two blanks between them', () => {
  const text = 'Your recovery codes:\n\n8f3k-29dm  4x8a-90cd\n2b7q-11zz  9k4m-77aa\n'
  expect(findCodes({ subject: '', text, html: null })).toEqual([
    '8f3k-29dm',
    '4x8a-90cd',
    '2b7q-11zz',
    '9k4m-77aa',
  ])
})

test.each([
  ['Your verification code is [b]598981[/b]', '598981'],
  ['Your verification code: [size=4][b]598981[/b][/size]', '598981'],
  ...['i', 'u', 'B', 'center', 'color', 'font', 'size'].map((tag) => [
    `Your verification code is [${tag}=x]598981[/${tag}]`,
    '598981',
  ]),
  ['Login code: [code]XK42-99QP[/code]\nIt expires in 10 minutes.', 'XK42-99QP'],
])('the markup of a forum is no part of a code: %s', (text, code) => {
  expect(codes(text)).toEqual([code])
})

test.each([
  ['Your OTP is NMP-L3W5SDKD. It will expire soon.', 'L3W5SDKD'],
  ['Your OTP is NMP-CQAKBDYR. It will expire soon.', 'CQAKBDYR'],
  ['Your OTP: ABC-4K7P2Q', '4K7P2Q'],
  ['Your OTP is KJH-605660', '605660'],
  ['Kod OTP: NMP-L3W5SDKD', 'L3W5SDKD'],
  ['Kod OTP anda: NMP-L3W5SDKD', 'L3W5SDKD'],
])('the page shows the three letters before a one-time password: %s', (text, code) => {
  expect(codes(text)).toEqual([code])
})

test.each([
  'Your verification code is NMP-L3W5SDKD',
  'Your OTP is NMPQ-L3W5SDKD',
  'Your OTP is NMP-L3W5SDKD-77',
  'Your OTP is NMP-L3W5SDKDXY',
])('other prefixes belong to the code: %s', (text) => {
  expect(codes(text)).not.toContain('L3W5SDKD')
})

test('no fewer than six characters behind a prefix are a code', () => {
  expect(codes('Your OTP is NMP-L3W5S')).not.toContain('L3W5S')
})

test('four small letters before a dash belong to the code, fewer are the beginning of a word', () => {
  expect(codes('Your verification code is abcd-551902')).toEqual(['abcd-551902'])
  expect(codes('Ikhodi yakho yokuqinisekisa ngu-551902')).toEqual(['551902'])
})

test('digits in groups may be in the order of a scale', () => {
  expect(codes('Code 123 456')).toEqual(['123456'])
  expect(codes('Your code is 1 2 3 4 5 6, please tick one.')).toEqual(['123456'])
  expect(codes('Code: rate us\n\n1 2 3 4 5\n')).toEqual([])
})

test.each([
  ['copper-lantern', 'Your code is copper-lantern.'],
  ['kxqzpv', 'Your code: kxqzpv'],
  ['XKQZPV', 'Your code: XKQZPV'],
  ['kxqzpv', 'Your code is "kxqzpv".'],
])('%s is a code of letters in a short mail, or in one that says what for: %s', (code, text) => {
  const long = 'The forest is quiet in the morning and the birds begin to sing. '.repeat(7)
  expect(codes(text)).toEqual([code])
  expect(codes(`Sign in to Kestrel.\n\n${text}\n\n${long}`)).toEqual([code])
  expect(codes(`${text}\n\n${long}`)).toEqual([])
})

test('of codes for one site ten are given, without a list of them', () => {
  const find = (count: number) =>
    codes(Array.from({ length: count }, (_, n) => `@harbour.example #${482913 + n * 7}`).join('\n')).length
  expect([find(9), find(10), find(11)]).toEqual([9, 10, 10])
})

test('a UUID alone below a sentence that asks to enter it is a code', () => {
  const uuid = 'ace4c343-b5b8-4296-850d-e3da0b6b4a70'
  const text = `To accept the invitation, use the following code:\n\n${uuid}\n\nIf you did not make this request, ignore it. It expires in 14 hours.`
  expect(codesBelow('Kestrel', text)).toEqual([uuid])
  expect(codesBelow('Kestrel', text.replace('use the following code', 'quote'))).toEqual([])
})

test('numbers with units are a time', () => {
  expect(codesBelow('Kestrel', 'Your verification code: 9tp9x6\nValid for 15m0s.')).toEqual(['9tp9x6'])
})

test('a postal code below its town is none', () => {
  const text = (town: string) =>
    `Your account was confirmed. Verify it with the code 610384.\n\nCounty Library\n410 N Main St\n${town}\n47331\n765-555-0142`
  expect(codesBelow('Kestrel', text('Cedar Hollow, IN'))).toEqual(['610384'])
  for (const line of ['Hello, Al', 'Hello Anna Becker, MD'])
    expect(codesBelow('Kestrel', `${line}\n48291\nis your verification code.`)).toEqual(['48291'])
})

describe('what follows a code is no group and no list of it', () => {
  test.each([
    'Your verification code: 482913 10Min.',
    'Your verification code: 482913 24H',
    'Code: 482913 v2',
    'Your verification code:\n482913 A',
    ...[
      'insights\nsecurity\ncontacts',
      '800-555-0199 | 800-555-0133 | 800-555-0144',
      '10115 | 20095 | 80331',
      'Check-in Check-out\n2026-12-20 2026-12-27\n2027-01-03 2027-01-10',
      'front-end back-end\nfull-stack web-apps',
      '1 57.53\n2 80.10\n3 91.20',
      'Flights\n#1 LH1234\n#2 LH2077\n#3 LH0455',
      '"AB1234"\n"AB1235"\n"AB1299"',
    ].map((list) => `Your verification code is 482913.\n\n${list}\n`),
  ])('%j', (text) => {
    expect(codesBelow('Sign in', text)).toEqual(['482913'])
  })

  test('nor is a word below a list one of its values', () => {
    const list = '594115,\n955750,\n667272'
    expect(codesBelow('Your codes', `Your recovery codes:\n\n${list}\n\nThanks\nKestrel`)).toEqual([
      '594115',
      '955750',
      '667272',
    ])
  })

  test('a list of codes for a password is one of codes', () => {
    const list = '1\t355464\n2\t988224\n3\t569835'
    expect(codesBelow('Your codes', `Your backup codes for your password:\n\n${list}\n`)).toEqual([
      '355464',
      '988224',
      '569835',
    ])
  })
})
