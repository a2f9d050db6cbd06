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
  return {
    // message-commands.ts
    storeEmails: (...args) => run('storeEmails', args),
    markRead: (...args) => run('markRead', args),
    removeEmail: (...args) => run('removeEmail', args),
    removeAllEmails: (...args) => run('removeAllEmails', args),
    purgeEmails: (...args) => run('purgeEmails', args),
    setRead: (...args) => run('setRead', args),
    removeEmails: (...args) => run('removeEmails', args),
    removeOldestEmails: (...args) => run('removeOldestEmails', args),
    checkWriting: (...args) => run('checkWriting', args),
    // late-search.ts
    putFindings: (...args) => run('putFindings', args),
    // blobs.ts
    putPart: (...args) => run('putPart', args),
    beginPart: (...args) => run('beginPart', args),
    appendToPart: (...args) => run('appendToPart', args),
    finishPart: (...args) => run('finishPart', args),
    abandonPart: (...args) => run('abandonPart', args),
    removeParts: (...args) => run('removeParts', args),
    // domains.ts
    changeDomain: (...args) => run('changeDomain', args),
    // keys.ts
    addKey: (...args) => run('addKey', args),
    revokeKey: (...args) => run('revokeKey', args),
    // limits.ts
    takeUse: (...args) => run('takeUse', args),
    leaseNumbers: (...args) => run('leaseNumbers', args),
    // sweep.ts
    sweepBatch: (...args) => run('sweepBatch', args),
    // webhooks.ts
    addWebhook: (...args) => run('addWebhook', args),
    activateWebhook: (...args) => run('activateWebhook', args),
    removeWebhook: (...args) => run('removeWebhook', args),
    recordAttempt: (...args) => run('recordAttempt', args),
    finishWebhookJob: (...args) => run('finishWebhookJob', args),
    // templates.ts
    createTemplate: (...args) => run('createTemplate', args),
    replaceTemplate: (...args) => run('replaceTemplate', args),
    removeTemplate: (...args) => run('removeTemplate', args),
  }
}
