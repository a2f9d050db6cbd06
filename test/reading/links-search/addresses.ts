import type { ActionKind } from '../../../reading/message.ts'
import type { Random } from '../../hostile/search/random.ts'

/** Paths that programs give to an action, in English as most programs do. */
const PATHS: Record<ActionKind, string[]> = {
  confirm: [
    'verify-email',
    'confirm',
    'account/activate',
    'email/verify',
    'accounts/confirm-email',
    'user/activation',
  ],
  reset: ['reset-password', 'password/reset', 'accounts/password/reset/key', 'recover', 'auth/new-password'],
  sign_in: ['magic-link', 'auth/magic', 'login/token', 'sign-in/email', 'passwordless'],
  invite: ['invitations/accept', 'invite', 'join', 'team/invitations', 'signup/invite'],
}
/** The forms of Rails with Devise. */
const DEVISE: Record<ActionKind, string> = {
  confirm: 'users/confirmation?confirmation_token=',
  reset: 'users/password/edit?reset_password_token=',
  sign_in: 'users/magic_link?user%5Btoken%5D=',
  invite: 'users/invitation/accept?invitation_token=',
}
/** The `type` of a Supabase address. */
const SUPABASE: Record<ActionKind, string> = {
  confirm: 'signup',
  reset: 'recovery',
  sign_in: 'magiclink',
  invite: 'invite',
}
/** Paths that say nothing of the action. */
const NEUTRAL = ['a', 't', 'go', 'auth/callback', 'u/actions', 'verify', 'l']
const PARAMETERS = [
  'token',
  't',
  'key',
  'code',
  'hash',
  'k',
  'oobCode',
  'ticket',
  'otp',
  'secret',
  'id',
  'confirmation',
]
const HEX = [...'0123456789abcdef']
const BASE64URL = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_']
const ALPHANUMERIC = BASE64URL.slice(0, 62)
const LETTERS = BASE64URL.slice(0, 52)
const DIGITS = HEX.slice(0, 10)

function characters(random: Random, alphabet: string[], length: number): string {
  return Array.from({ length }, () => random.pick(alphabet)).join('')
}

function uuid(random: Random): string {
  const [a, b, c, d, e] = [8, 4, 3, 3, 12].map((length) => characters(random, HEX, length))
  return `${a}-${b}-4${c}-a${d}-${e}`
}

function jwt(random: Random): string {
  return `eyJhbGciOiJIUzI1NiJ9.eyJ${characters(random, ALPHANUMERIC, 60)}.${characters(random, BASE64URL, 43)}`
}

function token(random: Random): string {
  return random.pick([
    () => characters(random, HEX, 40),
    () => characters(random, ALPHANUMERIC, 24),
    () =>
      `${characters(random, ALPHANUMERIC, 11)}${random.pick(DIGITS)}-${characters(random, ALPHANUMERIC, 9)}`,
    () => uuid(random),
    () => characters(random, HEX, 64),
  ])()
}

/** What an address is made for, and where. */
export interface Target {
  kind: ActionKind
  /** With the scheme. */
  origin: string
}

const path = (random: Random, kind: ActionKind) => random.pick(PATHS[kind])
const expiry = (random: Random) => `17${characters(random, DIGITS, 8)}`

/** Forms whose addresses say nothing of the action, or another thing. */
export const OPAQUE_FORMS = ['root', 'neutral', 'neutralQuery', 'keycloak']

/** Addresses of an action, as real programs form them. */
export const ACTION_FORMS: Record<string, (random: Random, target: Target) => string> = {
  path: (random, { kind, origin }) => `${origin}/${path(random, kind)}/${token(random)}`,
  // Two of 100 tokens of Python's secrets.token_urlsafe(16) have no digit.
  letters: (random, { kind, origin }) =>
    `${origin}/${path(random, kind)}/${characters(random, LETTERS, 12)}-${characters(random, LETTERS, 9)}`,
  query: (random, { kind, origin }) =>
    `${origin}/${path(random, kind)}?${random.pick(PARAMETERS)}=${token(random)}`,
  fragment: (random, { kind, origin }) =>
    random.pick([
      `${origin}/#/${path(random, kind)}/${token(random)}`,
      `${origin}/${path(random, kind)}#token=${token(random)}`,
      `${origin}/#${path(random, kind)}?token=${token(random)}`,
    ]),
  root: (random, { origin }) => `${origin}/${characters(random, ALPHANUMERIC, 24)}`,
  neutral: (random, { origin }) => `${origin}/${random.pick(NEUTRAL)}/${token(random)}`,
  neutralQuery: (random, { origin }) => `${origin}/${random.pick(NEUTRAL)}?token=${token(random)}`,
  signed: (random, { kind, origin }) =>
    `${origin}/${path(random, kind)}?uid=${characters(random, DIGITS, 5)}&ts=${expiry(random)}&sig=${characters(random, HEX, 40)}`,
  laravel: (random, { kind, origin }) =>
    `${origin}/${path(random, kind)}/${characters(random, DIGITS, 3)}/${characters(random, HEX, 40)}?expires=${expiry(random)}&signature=${characters(random, HEX, 64)}`,
  django: (random, { kind, origin }) =>
    `${origin}/${path(random, kind)}/${random.pick(['MTI', 'NDg3', 'MQ', 'OTAzMQ'])}/c${characters(random, HEX, 5)}-${characters(random, HEX, 32)}/`,
  jwt: (random, { kind, origin }) => `${origin}/${path(random, kind)}?token=${jwt(random)}`,
  uuid: (random, { kind, origin }) => `${origin}/${path(random, kind)}/${uuid(random)}`,
  keycloak: (random, { origin }) =>
    `${origin}/realms/main/login-actions/action-token?key=${jwt(random)}&client_id=account&tab_id=${characters(random, BASE64URL, 11)}`,
  devise: (random, { kind, origin }) =>
    `${origin}/${DEVISE[kind]}${characters(random, BASE64URL, 19)}${random.pick(DIGITS)}`,
  supabase: (random, { kind, origin }) =>
    `${origin}/auth/v1/verify?token=${characters(random, HEX, 56)}&type=${SUPABASE[kind]}&redirect_to=${encodeURIComponent(origin)}`,
}

/**
 * The address that declines an invitation, or reports that the reader did not ask for a mail. It only names the
 * action if the address of the action does.
 */
export function denialAddress(random: Random, form: string, { kind, origin }: Target): string {
  const action = random.pick(kind === 'invite' ? ['decline', 'reject'] : ['cancel', 'report', 'not-me'])
  const plain = `${origin}/${action}?token=${token(random)}`
  if (OPAQUE_FORMS.includes(form)) return plain
  return random.pick([
    plain,
    `${origin}/${path(random, kind)}/${action}/${token(random)}`,
    `${origin}/${path(random, kind)}?token=${token(random)}&action=${action}`,
  ])
}

/** The address of a program that counts clicks, which says nothing of its target. */
export function trackedAddress(random: Random): string {
  return random.pick([
    () =>
      `https://u${characters(random, DIGITS, 7)}.ct.example.net/ls/click?upn=u001.${characters(random, BASE64URL, 120)}`,
    () =>
      `https://click.mail.example.net/f/a/${characters(random, BASE64URL, 22)}~~/${characters(random, BASE64URL, 60)}`,
    () => `https://email.mg.example.net/c/eJ${characters(random, BASE64URL, 110)}`,
    () => `https://links.example.net/e/c/${characters(random, BASE64URL, 80)}/${characters(random, HEX, 16)}`,
  ])()
}

/** Pages that anyone may open, for the offers of notices. */
export const PLAIN_PAGES: Record<string, string[]> = {
  password: ['forgot-password', 'account/security', 'password/forgot'],
  sign_in: ['account/activity', 'settings/security', 'security/devices?utm_source=email'],
  confirmed: ['', 'dashboard', 'login'],
  accepted: ['settings/members', 'teams/blue-heron/members'],
  address: ['support', 'contact', 'help/contact?ref=mail'],
  team: ['teams/blue-heron', 'dashboard', 't/blue-heron?utm_source=email'],
}
