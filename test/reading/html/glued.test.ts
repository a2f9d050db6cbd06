import { describe, expect, test } from '@jest/globals'
import { belongApart } from '../../../reading/html/glued.ts'

describe('the texts of two elements without a blank between them', () => {
  test.each([
    ['447190', 'This code is valid'],
    ['840 663', 'and expires in '],
    ['L0nDv8Qe', 'to set new password.'],
    ['EARLY-9F3K-W2', 'in the app'],
    ['482913', 'then, go on'],
    ['Your code is', '840 663'],
    ['482913', 'para'],
    ['Анна! Введите', '40 71 55'],
    ['Tell them the PIN', '663012'],
  ])('belong apart: "%s" and "%s"', (before, text) => {
    expect(belongApart(before, text)).toBe(true)
  })

  test.each([
    ['4829', '13'],
    ['48', '29 13'],
    ['4829', '1375'],
    ['XK42', '99QP'],
    ['XK', '42Q9'],
    ['730518', 'x9k'],
    ['331906', '874250'],
    ['Password: Welcome', '2026'],
    ['XKD', '4829'],
    ['Hi kim', '4829'],
    ['Hi player', '482913'],
    ['Sommer', '202612'],
    ['Password: Sommer', '202612'],
    ['code is ACME', '482913'],
    ['4829', 'para'],
    ['kX7p', 'QmN'],
    ['2nd', 'of the month'],
    ['Harbour', 'Point'],
    ['harbour', 'lamp and more'],
    ['a1', '482913'],
    ['1234567890123456789012345', 'and more'],
  ])('are one: "%s" and "%s"', (before, text) => {
    expect(belongApart(before, text)).toBe(false)
  })
})
