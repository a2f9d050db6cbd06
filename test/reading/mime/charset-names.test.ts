import { describe, expect, test } from '@jest/globals'
import { charsetLabel, isInformative } from '../../../reading/mime/charset.ts'

describe('names of one charset', () => {
  test.each([
    ['utf-8', 'UTF-8 "utf-8" \'utf-8\' <utf-8> utf-8; utf-8, utf8mb4 cp65001 utf-8-mac'],
    ['shift_jis', 'cp932 CP932 x-sjis-jp'],
    ['gbk', 'gbk cp936 ms936 windows-936 gb2312 gb_2312-80 GB2312-1980'],
    ['euc-kr', 'cp949 ms949 euckr ks_c_5601-1987 KSC5601 ksc_5601 ks_c5601'],
    ['big5', 'cp950 ms950'],
    ['euc-jp', 'cp51932 eucjp'],
    [
      'iso-2022-jp',
      'jis iso-2022-jp iso2022jp iso-2022-jp-2 csiso2022jp x-iso-2022-jp _iso-2022-jp$sio ISO2022-JP',
    ],
    ['iso-2022-kr', 'iso-2022-kr csiso2022kr ISO2022-KR'],
    ['hz-gb-2312', 'hz'],
    ['utf-16be', 'utf-16-be'],
    ['utf-16le', 'utf-16-le'],
    ['utf-16', 'ucs-2 iso-10646-ucs-2 unicode'],
    [
      'windows-1252',
      'cp1252 cp-1252 cp_1252 win1252 win-1252 windows1252 windows_1252 microsoft-cp1252 ms-1252',
    ],
    ['windows-1250', 'cp1250'],
    ['windows-1259', 'cp1259'],
    [
      'iso-8859-1',
      'iso-8859-1 iso8859-1 iso8859_1 8859-1 latin-8859-1 latin8859-1 iso-8859-1-windows-3.1 iso-8859-1_x cp819 ibm819',
    ],
    ['iso-8859-15', 'iso8859-15 iso-8859_15'],
    ['cp437', 'ibm437 cp437 IBM-437 cspc437 oem437 oem-437 x-cp437 dos-437 dos437 ibm_437 cp437x'],
    ['cp775', 'ibm775'],
    ['cp850', 'ibm850 cspc850multilingual ibm-cp850 csibm-850'],
    ['cp1047', 'ibm1047'],
    ['cp1125', 'cp1125'],
  ])('%s', (label, names) => {
    for (const name of names.split(' ')) expect([name, charsetLabel(name)]).toEqual([name, label])
  })

  test.each([
    'xcp1252',
    'cp1252x',
    'cp1262',
    'x-iso-8859-1',
    'xiso8859-1',
    'iso8859-1x',
    'cp437-x',
    'utf;8',
    'iso-8859-x',
    'iso-2022-cn',
    'xx-iso-2022-jp',
    'xgb2312',
    'xks_c_5601',
    'xibm437',
    'ibm537',
    'ibm43',
    'cp1250-x',
    'koi8-r',
    'toString',
    'x<utf-8',
  ])('%s stays what it is', (name) => {
    expect(charsetLabel(name)).toBe(name.toLowerCase())
  })

  test('blanks and marks around a name are no part of it', () => {
    expect(charsetLabel(' \t"utf8mb4" ;,\r\n')).toBe('utf-8')
    expect(charsetLabel('<"koi8-r">')).toBe('koi8-r')
    expect(charsetLabel('koi8-r ;,>')).toBe('koi8-r')
  })
})

describe('names that say nothing about bytes above 127', () => {
  test.each([
    'ascii',
    'us-ascii',
    'US-ASCII',
    'usascii',
    'ANSI_X3.4-1968',
    'ansi_x3.4-1986',
    'iso646-us',
    'ISO646',
    'iso-ir-6',
    'c',
    '7bit',
    '7-bit',
    'default',
    '',
    '""',
    undefined,
    'x'.repeat(101),
  ])('%s', (name) => {
    expect(charsetLabel(name)).toBeUndefined()
    expect(isInformative(name)).toBe(false)
  })

  test.each([
    'asciix',
    'x-ascii',
    'xus-ascii',
    'iso-ir-66',
    'x-iso-ir-6',
    'cc',
    'xc',
    '7bits',
    '17bit',
    'defaults',
    'xdefault',
    'xansi_x3.4',
    'xiso646',
    'x'.repeat(100),
  ])('but %s does', (name) => {
    expect(isInformative(name)).toBe(true)
  })
})

test('many names can be asked for, again and again', () => {
  for (let round = 0; round < 2; round++)
    for (let n = 0; n < 1100; n++)
      expect(charsetLabel(`cp-125${n % 10}${'"'.repeat(n % 50)}`)).toBe(`windows-125${n % 10}`)
})
