import { Refusal } from './refusal.ts'

/** Parameters of MAIL that the reply to EHLO announces: SIZE, 8BITMIME and SMTPUTF8. */
export const MAIL_PARAMETERS = ['SIZE', 'BODY', 'SMTPUTF8']
/** The one of AUTH, where it is announced (RFC 4954, section 5). */
export const AUTH_PARAMETER = 'AUTH'

/**
 * Returns the refusal of a parameter that was not announced (RFC 5321, section 4.1.1.11). A sender
 * that uses one, such as NOTIFY, would otherwise pass its tests here and fail at another server.
 */
export function unannounced(args: object | false | undefined, announced: string[]): Refusal | undefined {
  const unknown = Object.keys(args || {}).find((name) => !announced.includes(name.toUpperCase()))
  if (unknown === undefined) return undefined
  // The client's own text, in printable ASCII and of a bounded length.
  const name = unknown.replace(/[^\x21-\x7e]/g, '?').slice(0, 40)
  return new Refusal(555, `5.5.4 The parameter ${name} was not announced in the reply to EHLO`)
}

/** The argument of MAIL FROM or RCPT TO with a path in angle brackets: `FROM:<path> parameters`. */
const COMMAND = /^([^:]*:\s*)<((?:"(?:[^"\\]|\\.)*"|[^"<>])*)>(.*)$/su
/** RFC 5321, section 4.1.1.3: a source route is accepted and ignored. */
const SOURCE_ROUTE = /^@[^\s,:@"]+(?:,@[^\s,:@"]+)*:/
const ORDINARY = /^[^\s"@]+@[^\s"@]+$/
/** Stands for a path that smtp-server cannot parse, while it parses the rest of the command. */
const PLACEHOLDER = 'placeholder@localhost'

/** A command whose path has been replaced by one that smtp-server can parse. */
interface ReplacedPath {
  command: string
  path: string
}

/**
 * Takes a path that smtp-server refuses out of a MAIL or RCPT command: one with a quoted local part
 * that contains blanks or "@", or an address without a domain. Undefined for every other command.
 */
export function replacePath(command: string): ReplacedPath | undefined {
  const [, name, route, parameters] = COMMAND.exec(command) ?? []
  if (route === undefined) return undefined
  const path = route.replace(SOURCE_ROUTE, '')
  if (path === '' || ORDINARY.test(path)) return undefined
  return { command: `${name}<${PLACEHOLDER}>${parameters}`, path }
}
