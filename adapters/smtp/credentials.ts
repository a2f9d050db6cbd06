import { createHash, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SMTPServerOptions } from 'smtp-server'
import { Refusal } from './refusal.ts'

/**
 * Credentials that AUTH accepts: every one, none (AUTH is not offered), or exactly one, which mail
 * then requires.
 */
export type SmtpAuth = 'any' | 'off' | { user: string; password: string }

/** The options of smtp-server for AUTH PLAIN and LOGIN (RFC 4954). */
export function authOptions(auth: SmtpAuth, wrongCredentialsMs: number): SMTPServerOptions {
  if (auth === 'off') return { disabledCommands: ['AUTH'] }
  return {
    authMethods: ['PLAIN', 'LOGIN'],
    authOptional: auth === 'any',
    authRequiredMessage: '5.7.0 Authentication required',
    // Credentials that everyone may use need no protection; a real password is only accepted after
    // STARTTLS, if STARTTLS is offered.
    allowInsecureAuth: auth === 'any',
    onAuth: ({ username, password }, _session, done) => {
      if (auth === 'any' || (isEqual(username, auth.user) && isEqual(password, auth.password))) {
        done(null, { user: username || 'anonymous' })
        return
      }
      const refusal = new Refusal(535, '5.7.8 Wrong user name or password')
      void sleep(wrongCredentialsMs, undefined, { ref: false }).then(() => done(refusal))
    },
  }
}

/** Compares in a time that does not depend on where the texts differ. */
function isEqual(given: string | null | undefined, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given ?? ''), hash(expected))
}
