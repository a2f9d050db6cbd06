import { describe, expect, test } from '@jest/globals'
import { headerDate } from '../../../reading/mime/date.ts'

/** The time at which it is ten o'clock in a zone, without the date. */
function tenIn(zone: string): string | undefined {
  return headerDate(`Sat, 21 Nov 2026 10:00:00 ${zone}`)?.replace(/^2026-11-(\d\d)T(.*):00.000Z$/, '$1 $2')
}

describe('names of time zones', () => {
  test.each([
    ['UT UTC GMT Z WET', '21 10:00'],
    ['WEST BST CET MET MEZ', '21 09:00'],
    ['CEST MEST MESZ SAST EET', '21 08:00'],
    ['EEST MSK TRT', '21 07:00'],
    ['MSD GST', '21 06:00'],
    ['PKT', '21 05:00'],
    ['IST', '21 04:30'],
    ['WIB ICT', '21 03:00'],
    ['SGT HKT PHT AWST CCT', '21 02:00'],
    ['JST KST', '21 01:00'],
    ['ACST', '21 00:30'],
    ['AEST', '21 00:00'],
    ['AEDT', '20 23:00'],
    ['NZST', '20 22:00'],
    ['NZDT', '20 21:00'],
    ['BRT ART ADT', '21 13:00'],
    ['AST CLT EDT', '21 14:00'],
    ['EST CDT', '21 15:00'],
    ['CST MDT', '21 16:00'],
    ['MST PDT', '21 17:00'],
    ['PST AKDT', '21 18:00'],
    ['AKST', '21 19:00'],
    ['HST', '21 20:00'],
  ])('%s', (zones, expected) => {
    for (const zone of zones.split(' ')) expect([zone, tenIn(zone)]).toEqual([zone, expected])
  })

  test.each([
    ['Greenwich, GMT', '21 10:00', '21 09:00'],
    ['W. Europe, Central Europe, Central European, Romance', '21 09:00', '21 08:00'],
    ['E. Europe, FLE, GTB, Israel, South Africa', '21 08:00', '21 07:00'],
    ['Russian', '21 07:00', '21 06:00'],
    ['Arabian', '21 06:00', '21 05:00'],
    ['India', '21 04:30', '21 03:30'],
    ['China, Singapore, Taipei', '21 02:00', '21 01:00'],
    ['Tokyo, Japan, Korea', '21 01:00', '21 00:00'],
    ['AUS Eastern', '21 00:00', '20 23:00'],
    ['New Zealand', '20 22:00', '20 21:00'],
    ['E. South America', '21 13:00', '21 12:00'],
    ['Atlantic', '21 14:00', '21 13:00'],
    ['Eastern', '21 15:00', '21 14:00'],
    ['Central', '21 16:00', '21 15:00'],
    ['Mountain', '21 17:00', '21 16:00'],
    ['Pacific', '21 18:00', '21 17:00'],
    ['Alaskan', '21 19:00', '21 18:00'],
    ['Hawaiian', '21 20:00', '21 19:00'],
  ])('of Windows: %s', (zones, standard, summer) => {
    for (const zone of zones.split(', ')) {
      expect([zone, tenIn(`${zone} Standard Time`)]).toEqual([zone, standard])
      expect([zone, tenIn(`${zone} Time`)]).toEqual([zone, standard])
      expect([zone, tenIn(`${zone} Daylight Time`)]).toEqual([zone, summer])
      expect([zone, tenIn(`${zone} Summer Time`)]).toEqual([zone, summer])
    }
  })

  test.each([
    ['est', '21 15:00'],
    ['EST (Eastern)', '21 15:00'],
    ['EST more', '21 15:00'],
    ['nowhere', '21 10:00'],
    ['Nowhere Standard Time', '21 10:00'],
    ['Nowhere Daylight Time', '21 10:00'],
    ['GMT Standard Times', '21 10:00'],
    ['Eastern Standard Timely', '21 10:00'],
    ['Eastern\t Daylight   Time', '21 14:00'],
  ])('%j', (zone, expected) => {
    expect(tenIn(zone)).toBe(expected)
  })
})

describe('numbers of time zones', () => {
  test.each([
    ['+0000', '21 10:00'],
    ['-0000', '21 10:00'],
    ['+0001', '21 09:59'],
    ['-0001', '21 10:01'],
    ['+0059', '21 09:01'],
    ['+0060', '21 09:00'],
    ['-0099', '21 11:39'],
    ['+2359', '20 10:01'],
    ['+2400', undefined],
    ['-2360', undefined],
    ['+1400', '20 20:00'],
    ['-1200', '21 22:00'],
    ['+01:30', '21 08:30'],
    ['+1:30', '21 08:30'],
    ['+530', '21 04:30'],
    ['+1', '21 09:00'],
    ['-01', '21 11:00'],
    ['+ 0100', '21 09:00'],
    ['GMT+0100', '21 09:00'],
    ['gmt +1', '21 09:00'],
    ['UTC-01:00', '21 11:00'],
    ['UT-0100', '21 11:00'],
    ['UTC +0100', '21 09:00'],
    ['UT   -1', '21 11:00'],
    ['+-0500', '21 15:00'],
    ['-+0500', '21 15:00'],
    ['--0500', '21 15:00'],
    ['++0500', '21 05:00'],
    ['+0100 W-Europe', '21 09:00'],
    ['+0100 -', '21 09:00'],
    // More digits than a zone has are no zone.
    ['+01000', '21 10:00'],
    // Only GMT and UTC may come before the number.
    ['CET+0500', '21 10:00'],
    ['GMTx+0500', '21 10:00'],
    ['x +0500', '21 10:00'],
  ])('%s', (zone, expected) => {
    expect(tenIn(zone)).toBe(expected)
  })
})

describe('a comment (RFC 5322, 3.2.2)', () => {
  test.each([
    ['names the zone if nothing else does', '21 Nov 2026 10:00 (CET)', '2026-11-21T09:00:00.000Z'],
    ['may have blanks', '21 Nov 2026 10:00 ( CET )', '2026-11-21T09:00:00.000Z'],
    ['does not count besides a zone', '21 Nov 2026 10:00 -0330 (NST)', '2026-11-21T13:30:00.000Z'],
    ['at the beginning is no zone', '(EST) Sat, 21 Nov 2026 10:00:00', '2026-11-21T10:00:00.000Z'],
    ['may be anywhere', 'Sat,(a)21(b)Nov(c)2026(d)10:00(e)EST(f)', '2026-11-21T15:00:00.000Z'],
    ['is not counted twice', '21 Nov 2026 10:00 (EST) (CET)', '2026-11-21T09:00:00.000Z'],
    ['may be empty', '21 Nov 2026 10:00 ()', '2026-11-21T10:00:00.000Z'],
  ])('%s', (_name, value, expected) => {
    expect(headerDate(value)).toBe(expected)
  })
})

describe('the limits of each number', () => {
  test.each([
    ['1 Jan 2026 00:00:00', '2026-01-01T00:00:00.000Z'],
    ['01 Jan 2026 0:00', '2026-01-01T00:00:00.000Z'],
    ['31 Dec 2026 23:59:59', '2026-12-31T23:59:59.000Z'],
    ['31 Dec 2026 23:59:60', '2027-01-01T00:00:00.000Z'],
    ['31 Dec 2026 23:59:61', null],
    ['31 Dec 2026 24:00:00', '2027-01-01T00:00:00.000Z'],
    ['31 Dec 2026 25:00:00', null],
    ['31 Dec 2026 10:59:00', '2026-12-31T10:59:00.000Z'],
    ['31 Dec 2026 10:60:00', null],
    ['0 Dec 2026 10:00:00', null],
    ['32 Dec 2026 10:00:00', null],
    ['2026-01-01 10:00', '2026-01-01T10:00:00.000Z'],
    ['2026-12-01 10:00', '2026-12-01T10:00:00.000Z'],
    ['2026-00-01 10:00', null],
    ['2026-13-01 10:00', null],
    ['1 Jan 00 10:00', '2000-01-01T10:00:00.000Z'],
    ['1 Jan 49 10:00', '2049-01-01T10:00:00.000Z'],
    ['1 Jan 50 10:00', '1950-01-01T10:00:00.000Z'],
    ['1 Jan 99 10:00', '1999-01-01T10:00:00.000Z'],
    ['1 Jan 049 10:00', '1949-01-01T10:00:00.000Z'],
    ['1 Jan 100 10:00', '2000-01-01T10:00:00.000Z'],
    ['1 Jan 0126 10:00', '0126-01-01T10:00:00.000Z'],
    ['1 Jan 9999 10:00', '9999-01-01T10:00:00.000Z'],
    ['1 Jan 10000 10:00', null],
    ['1 Jan 100000 10:00', null],
    ['1 Jan 2 10:00', null],
    ['111 Jan 2026 10:00', null],
  ])('%s', (value, expected) => {
    expect(headerDate(value)).toBe(expected)
  })

  test('each month', () => {
    const names = 'January February March April May June July August September October November December'
    for (const [index, name] of names.split(' ').entries()) {
      const expected = `2026-${String(index + 1).padStart(2, '0')}-05T10:00:00.000Z`
      for (const month of [name, name.slice(0, 3), name.toUpperCase(), `${name.slice(0, 3)}.`])
        expect([month, headerDate(`5 ${month} 2026 10:00 Z`)]).toEqual([month, expected])
      expect(headerDate(`Sun ${name} 5 10:00:00 2026`)).toBe(expected)
    }
  })

  test('only the first 200 characters are read', () => {
    const date = '21 Nov 2026 10:00'
    expect(headerDate(`${date}${' '.repeat(178)}+0100`)).toBe('2026-11-21T09:00:00.000Z')
    expect(headerDate(`${date}${' '.repeat(183)}+0100`)).toBe('2026-11-21T10:00:00.000Z')
  })
})

describe('forms', () => {
  test.each([
    ['Sat, 21 Nov 2026 10:11:12 +0000', '2026-11-21T10:11:12.000Z'],
    ['Sat 21 Nov 2026 10:11:12 +0000', '2026-11-21T10:11:12.000Z'],
    ['Sat., 21 Nov 2026 10:11:12 +0000', '2026-11-21T10:11:12.000Z'],
    ['Saturday,  21  November,  2026  10:11:12', null],
    ['21 Nov 2026, 10:11:12', '2026-11-21T10:11:12.000Z'],
    ['21-Nov-2026 10.11.12', '2026-11-21T10:11:12.000Z'],
    ['21 - Nov - 2026 10:11', '2026-11-21T10:11:00.000Z'],
    ['21 Nov 2026 10:11:12.345 Z', '2026-11-21T10:11:12.000Z'],
    ['21 Nov 2026 10:11:12,345 Z', '2026-11-21T10:11:12.000Z'],
    ['21 Nov 2026 10:11:12EST', '2026-11-21T15:11:12.000Z'],
    ['21 nov 2026 10:11:12', '2026-11-21T10:11:12.000Z'],
    ['Sat, 21 Nov 2026', null],
    ['Sat, 21 Nov 2026 10', null],
    ['Sat, Nov 2026 10:11', null],
    ['x21 Nov 2026 10:11', null],
    ['1 Sat, 21 Nov 2026 10:11', null],
    ['Sat Nov 21 10:11:12 2026', '2026-11-21T10:11:12.000Z'],
    ['Sat, Nov  1 10:11:12 2026', '2026-11-01T10:11:12.000Z'],
    ['Nov 21 10:11 2026', '2026-11-21T10:11:00.000Z'],
    ['November 21 10:11 2026', '2026-11-21T10:11:00.000Z'],
    ['Sat Nov 21 10:11:12 EST 2026', '2026-11-21T15:11:12.000Z'],
    ['Sat Nov 21 10:11:12 -0500 2026', '2026-11-21T15:11:12.000Z'],
    ['Sat Nov 21 10:11:12 GMT+01:00 2026', '2026-11-21T09:11:12.000Z'],
    ['Sat Nov 21 10:11:12 Eastern Daylight Time 2026', '2026-11-21T14:11:12.000Z'],
    ['Sat Nov 21 10:11:12 2026 EST', '2026-11-21T15:11:12.000Z'],
    ['Sat Nov 21 10:11:12 2026 -0500', '2026-11-21T15:11:12.000Z'],
    ['Sat Nov 21 10:11:12 26', null],
    ['1 Nov 21 10:11:12 2026', '2021-11-01T10:11:12.000Z'],
    ['Sat Nov 21 10:61:12 2026', null],
    ['2026-11-21T10:11:12Z', '2026-11-21T10:11:12.000Z'],
    ['2026-11-21t10:11:12z', '2026-11-21T10:11:12.000Z'],
    ['2026-11-21 10:11', '2026-11-21T10:11:00.000Z'],
    ['2026-11-21T9:11:12.123-05:00', '2026-11-21T14:11:12.000Z'],
    ['2026-11-21T10:11:12,9 +0100', '2026-11-21T09:11:12.000Z'],
    ['2026/11/21 10:11:12', '2026-11-21T10:11:12.000Z'],
    ['2026.11.21 10:11:12', '2026-11-21T10:11:12.000Z'],
    ['2026-1-2 10:11:12', '2026-01-02T10:11:12.000Z'],
    ['Sat,Nov 21 2026 1:2:3 Z', '2026-11-21T01:02:03.000Z'],
    ['2026-11-21', null],
    ['on 2026-11-21 10:11', null],
    ['  Sat, 21 Nov 2026 10:11:12 +0000  ', '2026-11-21T10:11:12.000Z'],
    [undefined, null],
  ])('%j', (value, expected) => {
    expect(headerDate(value)).toBe(expected)
  })
})

test('a year of four digits below 100 is that year', () => {
  expect(headerDate('21 Nov 0050 10:00:00 +0000')).toBe('0050-11-21T10:00:00.000Z')
})
