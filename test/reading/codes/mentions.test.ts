import { describe, expect, test } from '@jest/globals'
import { isName, isNamedElsewhere, isNameToo, isSender } from '../../../reading/codes/names.ts'
import { candidateOf, mailText } from './mail-text.ts'

describe('the name of the sender at the end of a subject, which the text repeats', () => {
  const sender = (subject: string, text: string) => {
    const mail = mailText(text, subject)
    return isSender(mail, mail.text.indexOf('DHIS2'))
  }
  test.each([...'-—–|·'])('behind %s', (mark) => {
    expect(sender(`New password ${mark} DHIS2`, 'Sign in to DHIS2.')).toBe(true)
    expect(sender(`New password ${mark} DHIS2 Cloud`, 'Sign in to DHIS2 Cloud.')).toBe(true)
  })
  test.each([
    ['New password - DHIS2', 'Sign in.'],
    ['New password - DHIS2 Cloud', 'Sign in to DHIS2.'],
    ['New password -DHIS2', 'Sign in to DHIS2.'],
    ['New password: DHIS2', 'Sign in to DHIS2.'],
    ['New password', 'It is - DHIS2, DHIS2'],
  ])('but not in "%s" above "%s"', (subject, text) => {
    expect(sender(subject, text)).toBe(false)
  })
})

describe('capitals, or letters and digits, that are a name', () => {
  const name = (text: string, value: string, subject = '') => {
    const mail = mailText(text, subject)
    return isName(mail, candidateOf(mail, value))
  }
  test.each([
    ['IMPORTANT: your code', 'IMPORTANT', ''],
    ['Hello\nIMPORTANT: your code', 'IMPORTANT', ''],
    ['ACME is Acme', 'ACME', ''],
    ['SSH2 and SSH2_MSG', 'SSH2', ''],
    ['sign in to WSO2', 'WSO2', 'WSO2 - Password'],
    ['sign in to WSO2', 'WSO2', '[WSO2] - Password'],
    ['sign in to WSO2', 'WSO2', 'WSO2: Password'],
    ['sign in to WSO2', 'WSO2', 'WSO2 | Password'],
  ])('%j: %s, below "%s"', (text, value, subject) => {
    expect(name(text, value, subject)).toBe(true)
  })
  test.each([
    ['IMPORTANT: 4829', 'IMPORTANT', ''],
    ['IMPORTANT your code', 'IMPORTANT', ''],
    ['see IMPORTANT: your code', 'IMPORTANT', ''],
    ['SSH2: your code', 'SSH2', ''],
    ['SSH2 and SSH2-MSG', 'SSH2', ''],
    ['sign in to WSO2', 'WSO2', 'WSO2 Password'],
    ['sign in to WSO22', 'WSO22', 'WSO22 - Password'],
    ['sign in to WS2', 'WS2', 'WS2 - Password'],
    ['sign in to WSO2', 'WSO2', 'Your WSO2 - Password'],
    ['sign in to WSO3', 'WSO3', 'WSO2 - Password'],
  ])('but not %j: %s, below "%s"', (text, value, subject) => {
    expect(name(text, value, subject)).toBe(false)
  })
})

test.each([
  ['ACME, Acme', true],
  ['Acme, ACME', true],
  ['ACME, acme', true],
  ['ACME, ACME', false],
  ['ACME', false],
  ['ACME, Acmes', false],
  ['ACME, myAcme', false],
  ['ACME, Acme2', true],
  [`ACME ${'ACME '.repeat(18)}Acme`, true],
  [`ACME ${'ACME '.repeat(19)}Acme`, false],
])('in %j the value is written otherwise too: %s', (text, isToo) => {
  expect(isNameToo(mailText(text), 'ACME')).toBe(isToo)
})

describe('a value that another place has amid words that do not present it as a code', () => {
  const named = (text: string, subject = '') => {
    const mail = mailText(`X7K2MQ\n\n${text}`, subject)
    return isNamedElsewhere(mail, { start: subject.length + 2, value: 'X7K2MQ' })
  }
  test.each([
    ['Welcome to X7K2MQ today', ''],
    ['Sign in to X7K2MQ', ''],
    ['X7K2MQ welcomes you', ''],
    ['X7K2MQ - Password reset', ''],
    ['Your code was changed. Sign in to X7K2MQ', ''],
    ['Your code was changed for X7K2MQ', ''],
    ['您的X7K2MQ密码', ''],
    ['', 'X7K2MQ'],
    ['', ' X7K2MQ '],
    ['', 'Sign in to X7K2MQ'],
    [`${'X7K2MQ\n'.repeat(18)}to X7K2MQ today`, ''],
    [`X7K2MQ${' '.repeat(64)}is a code`, ''],
    [`Your code${' '.repeat(160)}for X7K2MQ`, ''],
    ['X7K2MQ', 'Your code of X7K2MQ'],
    ['', 'Your code [Harbour] X7K2MQ'],
  ])('%j, below "%s"', (text, subject) => {
    expect(named(text, subject)).toBe(true)
  })
  test.each([
    ['', ''],
    ['X7K2MQ', ''],
    ['"X7K2MQ".', ''],
    ['to AX7K2MQ today', ''],
    ['to X7K2MQ7 today', ''],
    ['to X7K2MQ_7 today', ''],
    ['to _X7K2MQ today', ''],
    ['to éX7K2MQ today', ''],
    ['Value: X7K2MQ today', ''],
    ['Enter X7K2MQ today', ''],
    ['Please enter the X7K2MQ today', ''],
    ['X7K2MQ を入力してください', ''],
    ['Never share X7K2MQ today', ''],
    ['Your code is X7K2MQ today', ''],
    ['Your code X7K2MQ today', ''],
    ['Your code - X7K2MQ today', ''],
    ['Your code => X7K2MQ today', ''],
    ['kode anda X7K2MQ hari', ''],
    ['X7K2MQ is your code', ''],
    ['X7K2MQ - your code', ''],
    ['', 'Harbour - X7K2MQ'],
    ['', '[Harbour] X7K2MQ'],
    ['', '【Harbour】X7K2MQ'],
    ['', 'Harbour | X7K2MQ'],
    [`${'X7K2MQ\n'.repeat(19)}to X7K2MQ today`, ''],
  ])('but not %j, below "%s"', (text, subject) => {
    expect(named(text, subject)).toBe(false)
  })
})
