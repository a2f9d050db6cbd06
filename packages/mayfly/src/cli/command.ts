import type { Mayfly } from '../../../client/src/node.ts'
import type { Output } from './output.ts'

/** 0 it was found or done, 1 there was nothing (in time), 2 wrong usage, 3 the service cannot be reached. */
export type ExitCode = 0 | 1 | 2 | 3

export interface Option {
  type: 'string' | 'boolean'
  /** What stands for its value in the help. */
  value?: string
  help: string
}

export interface Call {
  mayfly: Mayfly
  out: Output
  /** The arguments that are no options. */
  args: string[]
  options: Record<string, string | boolean | undefined>
}

export interface Command {
  /** Such as `ADDRESS [ID]`; those in brackets may be left out. */
  args: string
  summary: string
  options?: Record<string, Option>
  examples: string[]
  /** It prints one string: also in a pipe, unless JSON is asked for. */
  plain?: boolean
  run(call: Call): Promise<ExitCode>
}

/** The caller's mistake, and what would be right. */
export class UsageError extends Error {}
