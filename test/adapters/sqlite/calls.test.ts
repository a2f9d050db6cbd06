import { setImmediate as turn } from 'node:timers/promises'
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { Caller, serve } from '../../../adapters/sqlite/calls.ts'
import { commandsOver } from '../../../adapters/sqlite/commands.ts'
import { Problem } from '../../../core/errors.ts'
import { eventually } from '../../support/eventually.ts'

/** Both ends in this thread, connected by message ports as threads are. */
let port1: MessagePort
let port2: MessagePort
let caller: Caller
let messages: object[]

beforeEach(() => {
  ;({ port1, port2 } = new MessageChannel())
  messages = []
  port1.on('message', (message: object) => messages.push(message))
  caller = new Caller(port1)
})
afterEach(() => {
  port1.close()
})

test('the calls of one turn of the event loop go in one message, and so do their answers', async () => {
  serve(port2, async (name, args) => [name, ...args])
  let sent = 0
  port2.on('message', () => sent++)
  const results = await Promise.all([caller.call('a', [1]), caller.call('b', []), caller.call('c', [2, 3])])
  expect(results).toEqual([['a', 1], ['b'], ['c', 2, 3]])
  expect([sent, messages.length]).toEqual([1, 1])
  expect(await commandsOver(caller).removeEmail('a@b', '1')).toEqual(['removeEmail', 'a@b', '1'])
  expect(messages).toHaveLength(2)
})

test('buffers and ports are transferred, not copied', async () => {
  serve(port2, async (_name, [content, port]) => {
    ;(port as MessagePort).postMessage((content as Uint8Array).length)
  })
  const content = new Uint8Array(1000)
  const { port1: own, port2: given } = new MessageChannel()
  const told = new Promise((resolve) => own.once('message', resolve))
  await caller.call('take', [content, given])
  expect(content.length).toBe(0)
  expect(await told).toBe(1000)
  own.close()
})

test('an error arrives with the fields that its receiver uses', async () => {
  const faults: Record<string, unknown> = {
    problem: new Problem('email_not_found', 'not there', { cause: new Error('why') }),
    system: Object.assign(new Error('no space'), { syscall: 'write' }),
    program: new TypeError('x is not a function'),
    text: 'thrown as it is',
  }
  serve(port2, async (name) => {
    throw faults[name]
  })
  const thrown = (name: string) => caller.call(name, []).catch((error: unknown) => error)
  expect(await thrown('problem')).toMatchObject({
    name: 'Problem',
    code: 'email_not_found',
    detail: 'not there',
    cause: { message: 'why' },
  })
  expect(await thrown('system')).toMatchObject({ message: 'no space', syscall: 'write' })
  expect(await thrown('program')).toMatchObject({
    message: expect.stringMatching(/x is not a function\n +at /),
  })
  expect(await thrown('text')).toMatchObject({ message: 'thrown as it is' })
  for (const name of ['system', 'program', 'text']) expect(await thrown(name)).not.toHaveProperty('code')
  expect(await thrown('program')).not.toHaveProperty('cause')
})

test('pending calls fail when the other thread ends, and a late answer is no fault', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  serve(port2, () => released)
  const called = caller.call('a', [])
  await turn()
  caller.end(new Error('the thread ended'))
  caller.end(new Error('once more'))
  const unavailable = { code: 'unavailable', cause: { message: 'the thread ended' } }
  await expect(called).rejects.toMatchObject(unavailable)
  await expect(caller.call('b', [])).rejects.toMatchObject(unavailable)
  release()
  await eventually(
    'a message',
    () => messages,
    ({ length }) => length > 0,
  )
})
