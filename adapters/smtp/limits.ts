import { isLoopback } from '../../core/access/client.ts'
import {
  MINUTE_MS,
  SECOND_MS,
  SMTP_ALL_COMMANDS_WITHOUT_MAIL,
  SMTP_COMMANDS_WITHOUT_MAIL,
  SMTP_CONNECTIONS_MAX,
  SMTP_CONNECTIONS_PER_CLIENT,
  SMTP_CONNECTIONS_RESERVED,
} from '../../core/limits.ts'

export interface SmtpLimits {
  connections: number
  /** For one client; an IPv6 /64 is one client. */
  connectionsPerClient: number
  /** The last connections, which only clients that have few get. */
  connectionsReserved: number
  /** Whether the client's connections are not limited. */
  isTrusted: (client: string) => boolean
  /** Commands that are not part of a mail, such as NOOP, since the last mail. */
  commandsWithoutMail: number
  /** Commands of any kind since the last mail, whatever their replies. */
  allCommandsWithoutMail: number
  /** Silence before the greeting, where a client may begin with TLS. */
  firstByteMs: number
  /**
   * Silence before a command, at least 5 minutes (RFC 5321, section 4.5.3.2.7): applications keep their
   * connection for the next mail.
   */
  commandMs: number
  /** Silence within the data of a message (RFC 5321, section 4.5.3.2). */
  dataMs: number
  /** Time from the greeting, or from the last mail, until the next mail is complete. */
  mailMs: number
  /** Delay of the reply to wrong credentials. */
  wrongCredentialsMs: number
}

export const DEFAULT_LIMITS: SmtpLimits = {
  connections: SMTP_CONNECTIONS_MAX,
  connectionsPerClient: SMTP_CONNECTIONS_PER_CLIENT,
  connectionsReserved: SMTP_CONNECTIONS_RESERVED,
  isTrusted: isLoopback,
  commandsWithoutMail: SMTP_COMMANDS_WITHOUT_MAIL,
  allCommandsWithoutMail: SMTP_ALL_COMMANDS_WITHOUT_MAIL,
  firstByteMs: 100,
  commandMs: 5 * MINUTE_MS,
  dataMs: 2 * MINUTE_MS,
  mailMs: 10 * MINUTE_MS,
  wrongCredentialsMs: SECOND_MS,
}
