import { describe, expect, test } from '@jest/globals'
import { findLinks } from '../../reading/links.ts'

/** An action beside a page for every reader, and beside its own address. */

const TOKEN = 'Q7mVx2LkTz0eSbYw4dRcHn5J'
const OWN = `https://harbour.example/users/token?token=${TOKEN}`
const PAGE = 'https://harbour.example/users/sign_in'

const actionOf = (subject: string, html: string) =>
  findLinks({ subject, text: '', html }, { links: 50, linkBytes: 2048 }).actionLink

describe('a page where every reader signs in', () => {
  const again = `<p>If it has expired, you can request it again from <a href="${PAGE}">the sign-in page</a>.</p>`
  const own = `<p>Alternatively, <a href="${OWN}">you can click this link</a> to be signed in to your account.</p>`
  const shown = `<p>You can also copy this address:</p><p><a href="${OWN}">${OWN}</a></p>`

  test('is no action beside the one link that was made for this reader', () => {
    const mail = `<p>Enter the following code to sign in to Harbour: 167843</p>${own}${shown}${again}`
    expect(actionOf('Sign in to Harbour', mail)).toMatchObject({ url: OWN, kind: 'sign_in' })
    const unclear = `<p>Your parcel:</p><a href="${OWN}">Parcel</a><p><a href="${PAGE}">Sign in</a></p>`
    expect(actionOf('Sign in to Harbour', unclear)?.url).not.toBe(PAGE)
  })

  test('is no action beside other pages either', () => {
    const mail = `<p><a href="https://harbour.example/help">Help</a></p><p><a href="${PAGE}">Sign in</a></p>`
    expect(actionOf('Sign in to Harbour', mail)).toBeNull()
  })
})

test.each([' ', ' <', ' ('])('the words of a link are those before its address: "%s"', (mark) => {
  const url = `https://harbour.example/faces/user?tokenId=${TOKEN}${TOKEN}`
  const mail = `<p>Ann has invited you to join Harbour.</p><a href="${url}">Accept this invitation${mark}${url}</a>`
  expect(actionOf('Welcome', mail.replaceAll(' <h', ' &lt;h'))).toMatchObject({ url, kind: 'invite' })
})
