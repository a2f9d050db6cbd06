import type { Mayfly } from '../../../client/src/node.ts'
import type { Output } from './output.ts'

/** 0 found or done, 1 nothing found (in time), 2 wrong usage, 3 the service cannot be reached. */
export type ExitCode = 0 | 1 | 2 | 3

export interface Option {
  type: 'string' | 'boolean'
  /** One letter, such as `h` for `-h`. */
  short?: string
  /** The kind of value, for the help. */
  value?: string
  help: string
}

export interface Call {
  mayfly: Mayfly
  out: Output
  /** The arguments that are not options. */
  args: string[]
  options: Record<string, string | boolean | undefined>
}

export interface Command {
  /** Such as `ADDRESS [ID]`; those in brackets are optional. */
  args: string
  summary: string
  options?: Record<string, Option>
  examples: string[]
  /** Prints one string, also in a pipe, unless JSON is requested. */
  plain?: boolean
  run(call: Call): Promise<ExitCode>
}

/** A mistake of the caller; the message says what is right. */
export class UsageError extends Error {}
