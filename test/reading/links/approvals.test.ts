import { expect, test } from '@jest/globals'
import { findLinks } from '../../../reading/links.ts'

const TOKEN = 'dHw7LLAoS4MapXmoEMq4BFIE'
const actionOf = (subject: string, text: string) =>
  findLinks({ subject, text: `Hello,\n\n${text}\n`, html: null }, { links: 50, linkBytes: 2048 }).actionLink

test('who approves an invitation lets somebody else in, and who accepts one joins', () => {
  const mail = (verb: string) =>
    `Ann would like to join.\n\nPlease visit the link below to ${verb} the invitation: https://kestrel.example/invitation-${verb}/${TOKEN}/`
  expect(actionOf('Invitation request', mail('approve'))).toBeNull()
  expect(actionOf('Invitation', mail('accept'))?.kind).toBe('invite')
  const japanese = `以下のリンクから招待を承認してください。\n\nhttps://kestrel.example/invitations/${TOKEN}`
  expect(actionOf('Kestrel への招待', japanese)?.kind).toBe('invite')
})

test('an answer to an invitation to a meeting is no action', () => {
  const page = (query: string) => `Please answer: https://kestrel.example/assemblies/31825?${query}=attending`
  expect(actionOf('Invitation to Kestrel', page('rsvp'))).toBeNull()
  expect(actionOf('Invitation to Kestrel', page('from'))?.kind).toBe('invite')
})

test('the page of a social network for a new password is the action', () => {
  const url = `https://www.pinterest.com/pw/ines88/?od=${TOKEN}`
  expect(actionOf('Reset your password', `Reset password ${url}`)).toMatchObject({ url, kind: 'reset' })
  expect(actionOf('Reset your password', `Reset password ${url.replace('/pw/', '/pin/')}`)).toBeNull()
})
