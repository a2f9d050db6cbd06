import { expect, test } from '@jest/globals'
import { contentDisposition } from '../../core/content-disposition.ts'

test.each([
  ['report.pdf', `attachment; filename="report.pdf"; filename*=UTF-8''report.pdf`],
  ['a"b\\c%41.txt', `attachment; filename="a_b_c_41.txt"; filename*=UTF-8''a%22b%5Cc%2541.txt`],
  ["o'n(e)*!", `attachment; filename="o'n(e)*!"; filename*=UTF-8''o%27n%28e%29%2A%21`],
  [
    'ä\r\nSet-Cookie: x',
    `attachment; filename="___Set-Cookie: x"; filename*=UTF-8''%C3%A4%0D%0ASet-Cookie%3A%20x`,
  ],
  ['\ud800.txt', `attachment; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
])('%j stays one quoted string and one encoded one', (filename, header) => {
  expect(contentDisposition(filename)).toBe(header)
})
