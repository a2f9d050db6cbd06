import { blobCommands } from './blobs.ts'
import type { Caller } from './calls.ts'
import { domainCommands } from './domains.ts'
import type { Search } from './findings.ts'
import { keyCommands } from './keys.ts'
import { findingsCommands } from './late-search.ts'
import { limitCommands } from './limits.ts'
import { messageCommands } from './message-commands.ts'
import { sweepCommands } from './sweep.ts'
import { templateCommands } from './templates.ts'
import type { Committed, Transaction } from './transaction.ts'
import { webhookCommands } from './webhooks.ts'

/** Every change of the store. */
export const COMMANDS = {
  ...messageCommands,
  ...blobCommands,
  ...findingsCommands,
  ...domainCommands,
  ...keyCommands,
  ...limitCommands,
  ...sweepCommands,
  ...webhookCommands,
  ...templateCommands,
}

export type Commands = typeof COMMANDS

type Arguments = { [Name in keyof Commands]: Parameters<Committed<Commands>[Name]> }
type Results = { [Name in keyof Commands]: ReturnType<Commands[Name]> }

/** The commands with the types that a call by name needs. */
export type CommandsByName = {
  [Name in keyof Commands]: (transaction: Transaction, ...args: Arguments[Name]) => Results[Name]
}

/** Runs a command. Resolves when it is committed. */
export type RunCommand = <Name extends keyof Commands>(
  name: Name,
  args: Arguments[Name],
) => Promise<Results[Name]>

export function isCommand(name: string): name is keyof Commands {
  return Object.hasOwn(COMMANDS, name)
}

/** Returns the commands of the writing thread, for another thread. */
export function commandsOver(caller: Caller): Committed<Commands> {
  return committedBy(((name, args) => caller.call(name, args)) as RunCommand)
}

/** Returns the search of the writing thread, for another thread. */
export function searchOver(caller: Caller): Search {
  return (messageIds) => caller.call('search', [messageIds]) as ReturnType<Search>
}

/** Returns every command as a function. @param run runs it, in this thread or in another one */
export function committedBy(run: RunCommand): Committed<Commands> {
  const names = Object.keys(COMMANDS) as (keyof Commands)[]
  return Object.fromEntries(
    names.map((name) => [name, (...args: Arguments[typeof name]) => run(name, args)]),
  ) as unknown as Committed<Commands>
}
