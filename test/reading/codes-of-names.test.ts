import { describe, expect, test } from '@jest/globals'
import { findCodes } from './find-codes.ts'

const codesIn = (text: string) =>
  findCodes({ subject: 'Your account', text: `Hello Ines,\n\n${text}\n\nKestrel`, html: null })

describe('a code above a password is the name of a user, if the lexicon does not know its kind', () => {
  test.each([
    ['Student code: QX7K2M\nPassword: kX7pQ2mN', ['kX7pQ2mN']],
    ['Employee code: 104822\nTemporary password: kX7pQ2mN', ['kX7pQ2mN']],
    ['Neptun-kód: QX7K2M\nIdeiglenes jelszó: kX7pQ2mN', ['kX7pQ2mN']],
    ['Verification code: 104822\nPassword: kX7pQ2mN', ['104822', 'kX7pQ2mN']],
    ['Student code: 104822', ['104822']],
  ])('%j', (text, codes) => {
    expect(codesIn(text).sort()).toEqual(codes)
  })

  test('in a table, too', () => {
    const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`
    const html = `<p>We have reset it.</p><table>${row('Neptun-kód', 'QX7K2M')}${row('Ideiglenes jelszó', 'Korte-4829')}</table>`
    expect(findCodes({ subject: 'Ideiglenes jelszó', text: '', html })).toEqual(['Korte-4829'])
  })
})
