import { describe, expect, test } from '@jest/globals'
import { codesIn as codes } from './find-codes.ts'

describe('two codes of one sentence are both given', () => {
  test.each([
    'Your verification codes are 412734 and 568391.',
    'Verification codes: 412734, 568391',
    'YOUR VERIFICATION CODES ARE 412734 AND 568391.',
    'Use the verification code 412734 for the app and 568391 for the website.',
    'Ihre Bestätigungscodes lauten 412734 und 568391.',
    'Le code de vérification est 412734 pour le site et 568391 pour le mobile.',
    'Коды подтверждения: 412734 и 568391.',
    '验证码是412734和568391。',
  ])('%s', (text) => {
    expect(codes(text)).toEqual(['412734', '568391'])
  })

  test.each([
    'Use the verification code 412734 for the app and order 568391 for the lock.',
    'Use the verification code 412734 for the app and pay 568391 before Monday.',
    'Use the verification code 412734 and 5683917 will be notified.',
    'Your verification code is 412734. And 568391 is the number of visitors.',
  ])('but no other number: %s', (text) => {
    expect(codes(text)).toEqual(['412734'])
  })
})
