import { expect, test } from '@jest/globals'
import { Random } from '../hostile/search/random.ts'
import { codesBelow } from './find-codes.ts'

/*
 * A stated password is given as it is, or not at all: random passwords of the kinds that programs make, in the
 * sentences with which programs state them.
 */

const MAILS = 5000

const STATEMENTS: Array<(password: string) => string> = [
  (password) => `Your password is ${password}`,
  (password) => `Your password is ${password}.\nPlease change it.`,
  (password) => `Your password is: ${password}\n`,
  (password) => `Username: ines\nPassword: ${password}\n`,
  (password) =>
    `Login: ines@acme.example\nYour password: ${password}\n\nSign in at https://acme.example/login`,
  (password) => `Your new password is ${password}`,
  (password) => `Your temporary password is: ${password}\n\nPlease change it after the first login.`,
  (password) => `Your password:\n\n${password}\n\nThe team`,
  (password) => `Your password has been reset. The new password is ${password}`,
  (password) => `Your password is "${password}".`,
  (password) => `Ihr Passwort ist ${password}`,
  (password) => `Ihr neues Passwort lautet: ${password}\n`,
  (password) => `Benutzername: ines\nPasswort: ${password}\n`,
  (password) => `Votre mot de passe est ${password}`,
  (password) => `Identifiant : ines\nMot de passe : ${password}\n`,
  (password) => `Su contraseña es ${password}`,
  (password) => `Usuario: ines\nContraseña: ${password}\n`,
  (password) => `Sua senha é ${password}`,
  (password) => `A sua senha será ${password}`,
  (password) => `La tua password è ${password}`,
  (password) => `Uw wachtwoord is ${password}`,
  (password) => `Twoje hasło to ${password}`,
  (password) => `Login: ines\nHasło: ${password}\n`,
  (password) => `Ваш пароль: ${password}\n`,
  (password) => `Логин: ines\nПароль: ${password}\n`,
  (password) => `パスワード：${password}\n`,
  (password) => `您的密码是 ${password}`,
  (password) => `用户名：ines\n密码：${password}\n`,
  (password) => `비밀번호: ${password}\n`,
  (password) => `Şifreniz: ${password}\n`,
  (password) => `Vaše heslo je ${password}`,
  (password) => `Az Ön jelszava: ${password}\n`,
  (password) => `Ditt lösenord är ${password}`,
  (password) => `Din adgangskode er ${password}`,
  (password) => `Salasanasi on ${password}`,
  (password) => `Mật khẩu của bạn là ${password}`,
]
const SUBJECTS = ['Welcome', 'Your account', 'Your new password', 'Account created']
const WORDS = [
  'kayak',
  'harbour',
  'summer',
  'tiger',
  'orange',
  'river',
  'maple',
  'falcon',
  'winter',
  'garden',
]
const SMALL = 'abcdefghijkmnopqrstuvwxyz'
const CAPITALS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const DIGITS = '23456789'
const MARKS = '!#$%&*+=?@^~'

function some(random: Random, alphabet: string, size: number): string {
  return Array.from({ length: size }, () => random.pick([...alphabet])).join('')
}

/** All three kinds of characters, as generators make sure of. */
function mixed(random: Random, marks = ''): string {
  const body = some(random, SMALL + CAPITALS + DIGITS + marks, 4 + random.below(6))
  return `${some(random, CAPITALS, 1)}${some(random, SMALL, 2)}${body}${some(random, DIGITS, 1)}${some(random, SMALL, 1)}`
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

const PASSWORDS: Array<(random: Random) => string> = [
  (random) => random.pick(WORDS) + some(random, DIGITS, 2 + random.below(3)),
  (random) => capitalized(random.pick(WORDS)) + some(random, DIGITS, 2 + random.below(3)),
  (random) => capitalized(random.pick(WORDS)) + random.pick(['!', '@', '#', '$']) + some(random, DIGITS, 3),
  (random) => capitalized(random.pick(WORDS)) + some(random, DIGITS, 3) + random.pick(['!', '@', '#', '$']),
  (random) => `${some(random, SMALL, 3)}${some(random, SMALL + DIGITS, 5)}${some(random, DIGITS, 1)}`,
  (random) => mixed(random),
  (random) => mixed(random, MARKS),
  (random) => some(random, DIGITS, 4 + random.below(5)),
  (random) => `${some(random, CAPITALS, 2)}${some(random, CAPITALS + DIGITS, 4)}${some(random, DIGITS, 1)}`,
  (random) => [1, 2, 3].map(() => some(random, SMALL + DIGITS, 3) + some(random, DIGITS, 1)).join('-'),
]

const seed = process.env.MAYFLY_SEED ?? String(Date.now())

test(`a stated password is given as a whole or not at all (MAYFLY_SEED=${seed})`, () => {
  const random = new Random(seed)
  const pieces: Array<[text: string, given: string[]]> = []
  let whole = 0
  for (let n = 0; n < MAILS; n++) {
    const password = random.pick(PASSWORDS)(random)
    const text = random.pick(STATEMENTS)(password)
    const given = codesBelow(random.pick(SUBJECTS), text)
    if (given[0] === password) whole++
    else if (given.length > 0) pieces.push([text, given])
  }
  expect(pieces).toEqual([])
  // One whose mark may end the sentence is left out rather than guessed.
  expect(whole).toBeGreaterThan(MAILS * 0.985)
})
