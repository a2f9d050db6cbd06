import { describe, expect, test } from '@jest/globals'
import { READING_LIMITS } from '../../../core/limits.ts'
import { findIn } from '../../../reading/read.ts'

/** A link with a code of its mail does what the code is for. */

function actionOf(subject: string, html: string) {
  const text = html.replace(/<[^>]*>/g, '\n')
  return findIn({ subject, text, html, isTextOfHtml: true }, READING_LIMITS).actionLink
}

describe('a value of an address that is a code of the mail was made for the reader', () => {
  test.each([
    [
      'a password of words',
      'Your temporary login code is lumi-parda-keso-vinu',
      '<p>Copy and paste this temporary login code:</p><p>lumi-parda-keso-vinu</p>',
      'https://kestrel.example/loginwithemail?state=1&password=lumi-parda-keso-vinu&isSignup=false',
      'Click here to log in with this magic link',
      'sign_in',
    ],
    [
      'an invitation code, whatever the words of its button',
      'You are invited to Kestrel',
      '<p>Your invite code</p><p>QML8DJLE</p>',
      'https://kestrel.example/discovery?code=QML8DJLE',
      'Start discovery session',
      'invite',
    ],
    [
      'in the path',
      'You are invited to Kestrel',
      '<p>Your invite code</p><p>QML8DJLE</p>',
      'https://kestrel.example/d/QML8DJLE/start',
      'Start discovery session',
      'invite',
    ],
  ])('%s', (_what, subject, html, url, words, kind) => {
    const mail = (to: string) => `${html}<p><a href="${to}">${words}</a></p>`
    expect(actionOf(subject, mail(url))).toMatchObject({ url, kind })
    const other = url.replace(/lumi-parda-keso-vinu|QML8DJLE/, '$&s')
    expect(actionOf(subject, mail(other.replace('code=', 'page=')))).toBeNull()
  })

  test('but not a short number, which may be anything', () => {
    const mail = (code: string) =>
      `<p>Your invite code: ${code}</p><p><a href="https://kestrel.example/d/${code}/start">Start discovery session</a></p>`
    expect(actionOf('You are invited to Kestrel', mail('48291'))).not.toBeNull()
    expect(actionOf('You are invited to Kestrel', mail('4829'))).toBeNull()
  })
})
