import { expect, test } from '@jest/globals'
import { READING_LIMITS } from '../../../core/limits.ts'
import { findIn } from '../../../reading/read.ts'

/** A link with a code of its mail was made for the reader. */

function actionOf(subject: string, html: string) {
  const text = html.replace(/<[^>]*>/g, '\n')
  return findIn({ subject, text, html, isTextOfHtml: true }, READING_LIMITS).actionLink
}

const CODE = 'lumi-parda-keso-vinu'

test.each([
  ['in the query', `loginwithemail?state=1&password=${CODE}&isSignup=false`, true],
  ['at its end', `loginwithemail?password=${CODE}`, true],
  ['in the path', `enter/${CODE}/`, true],
  ['as a part of a value', `loginwithemail?password=${CODE}s`, false],
  ['behind a part of a value', `loginwithemail?password=my-${CODE}`, false],
])('a code %s: %s', (_where, path, isFound) => {
  const url = `https://kestrel.example/${path}`
  const mail = `<p>Copy and paste this temporary login code:</p><p>${CODE}</p><p><a href="${url}">Click here to log in with this magic link</a></p>`
  const found = actionOf(`Your temporary login code is ${CODE}`, mail)
  expect(found?.url).toBe(isFound ? url : undefined)
})

test.each([
  ['48291', true],
  ['4829', false],
])('a number of %s', (code, isFound) => {
  const url = `https://kestrel.example/enter/${code}/`
  const mail = `<p>Your code to sign in: ${code}</p><p><a href="${url}">Or click here to log in with this magic link</a></p>`
  expect(actionOf('Sign in to Kestrel', mail)?.url).toBe(isFound ? url : undefined)
})

test('a stated password may be any word of an address', () => {
  const mail = (label: string) =>
    `<p>${label}: kestrel2024</p><p><a href="https://kestrel.example/kestrel2024/">Or click here to log in with this magic link</a></p>`
  expect(actionOf('Sign in to Kestrel', mail('Your verification code'))).not.toBeNull()
  expect(actionOf('Sign in to Kestrel', mail('Password'))).toBeNull()
})

test('a number of four digits is enough in an address that confirms', () => {
  const mail = (url: string) =>
    `<p>Your activation code: 4829</p><p>Or open the link:</p><p><a href="${url}">Verify your email</a></p>`
  const found = (url: string) => actionOf('Confirm your registration', mail(url))?.url
  expect(found('https://kestrel.example/verify/4829')).toBe('https://kestrel.example/verify/4829')
  expect(found('https://kestrel.example/verify/4830')).toBeUndefined()
  expect(found('https://kestrel.example/verify/x?campaign=4829')).toBeUndefined()
})
