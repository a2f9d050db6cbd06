import { describe, expect, test } from '@jest/globals'
import { findCodes } from './find-codes.ts'

const codesIn = (subject: string, text: string) =>
  findCodes({ subject, text: `Hello Ines,\n\n${text}\n\nKestrel, 1 Harbour Street`, html: null })

describe('the code of a purchase is none to type', () => {
  test.each([
    ['es', 'Confirmación de compra', 'Billete: 7482913005518\nCódigo de seguridad: D4F088A127'],
    ['en', 'Your receipt', 'Payment received.\nSecurity code: 482913'],
    ['de', 'Bestellbestätigung', 'Sicherheitscode: 482913'],
    ['da', 'Ordrebekræftelse', 'Kode: 482913'],
    ['et', 'Tellimuse kinnitus', 'Täname ostu eest!\nKood: 482913'],
    ['is', 'Kvittun', 'Takk fyrir pöntunina.\nKóði: 482913'],
  ])('%s: %s', (_language, subject, text) => {
    expect(codesIn(subject, text)).toEqual([])
  })

  test.each([
    ['Your receipt', 'Payment received.\nSecurity code: 482913\nIt expires in 10 minutes.'],
    ['Your receipt', 'Payment received.\nEnter this security code: 482913'],
    ['Your verification code', 'Payment received.\nSecurity code: 482913'],
    ['Your receipt', 'Payment received.\nVerify your account with the security code: 482913'],
  ])('unless the mail asks for it: %s, %j', (subject, text) => {
    expect(codesIn(subject, text)).toEqual(['482913'])
  })
})

test('a price in euro is no time in which a code expires', () => {
  expect(codesIn('Bestellbestätigung', 'Summe: 20 EUR\nSicherheitscode: 482913')).toEqual([])
})
