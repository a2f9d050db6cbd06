import { MessageChannel } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { Caller } from '../../../adapters/sqlite/calls.ts'
import { StoreError } from '../../../adapters/sqlite/errors.ts'
import { LatestId } from '../../../adapters/sqlite/messages.ts'
import { type Beside, serveWriter, type ThreadMessage } from '../../../adapters/sqlite/thread.ts'
import type { Writer } from '../../../adapters/sqlite/writer.ts'
import { putDomain, sampleDomain, sampleMail, uniqueAddress } from '../../contract/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { openTemporary, temporaryDirectory } from './store-temporary.ts'

const thread = { module: new URL('./thread-sample.ts', import.meta.url), data: { retentionMs: 5000 } }

describe('code that runs next to the writer', () => {
  test('stores by the ports of that thread, and answers', async () => {
    const store = await openTemporary({ thread })
    const published: string[] = []
    store.changeFeed.subscribe((one) => {
      if (one.type === 'email') published.push(one.email.id)
    })
    const address = uniqueAddress()
    const raw = new TextEncoder().encode('Subject: hello')
    const id = await store.call('receive', { address, raw })
    const [email] = (await store.emails.page(address, { limit: 2 })).emails
    expect(email!.id).toBe(id)
    expect(email!.expiresAt - email!.receivedAt).toBe(5000)
    expect(published).toEqual([id])
    await store.close()
  })

  test('a listener that subscribes twice is told twice, and once when one of them ended', async () => {
    const store = await openTemporary({ thread })
    const told: string[] = []
    const listener = ({ type }: { type: string }) => void told.push(type)
    const endFirst = store.changeFeed.subscribe(listener)
    store.changeFeed.subscribe(listener)
    const receive = () => store.call('receive', { address: uniqueAddress(), raw: new Uint8Array(1) })
    await receive()
    expect(told).toEqual(['email', 'email'])
    endFirst()
    await receive()
    expect(told).toEqual(['email', 'email', 'email'])
    await store.close()
  })

  test('passes on its refusals unchanged', async () => {
    const store = await openTemporary({ thread })
    await expect(store.call('receive', { address: 'nobody' })).rejects.toMatchObject({
      name: 'Problem',
      code: 'invalid_address',
      detail: 'Give an address.',
    })
    await store.close()
  })

  test.each(['throws', 'exits'])('ends the store loudly when it breaks the thread: it %s', async (crash) => {
    const failures: StoreError[] = []
    const store = await openTemporary({ thread, onFailure: (error) => failures.push(error) })
    const unavailable = { code: 'unavailable' }
    const pending = store.call('receive', { address: uniqueAddress(), raw: new Uint8Array(1), crash })
    await expect(pending).rejects.toMatchObject(unavailable)
    await eventually(
      '1 failure of the thread',
      () => failures,
      ({ length }) => length === 1,
    )
    expect(failures[0]!.message).toMatch(/writing thread failed/)
    await expect(store.emails.check()).rejects.toMatchObject(unavailable)
    await store.close()
    expect(failures).toHaveLength(1)
  })
})

describe('the writer behind a port', () => {
  let dir: string
  let remove: () => void
  let channel: MessageChannel
  let caller: Caller
  let posted: ThreadMessage[]
  let mailListeners: Int32Array<SharedArrayBuffer>
  let writer: Writer
  let ended: string[]

  const beside: Beside = {
    calls: { echo: async (...args) => args, close: async () => 'is not this one' },
    close: async () => void ended.push('beside'),
  }
  const serve = (start = async () => beside) => {
    const data = { writer: { dir }, mailListeners, latestId: LatestId.memory(), data: 'data' }
    return serveWriter(channel.port2, data, async (opened, given) => {
      expect(given).toBe('data')
      writer = opened
      return start()
    })
  }

  beforeEach(() => {
    ;({ dir, remove } = temporaryDirectory())
    channel = new MessageChannel()
    caller = new Caller(channel.port1)
    posted = []
    ended = []
    channel.port1.on('message', (message: ThreadMessage & { answers?: [] }) => {
      if (message.answers === undefined) posted.push(message)
    })
    mailListeners = new Int32Array(new SharedArrayBuffer(4))
  })
  afterEach(() => {
    channel.port1.close()
    remove()
  })

  test('reports that it is ready, and then the changes that have listeners', async () => {
    await serve()
    const store = () => caller.call('storeEmails', [sampleMail([uniqueAddress()]), new Map()])
    await store()
    expect(posted).toEqual([{ ready: true }])
    await putDomain(writer.domains, sampleDomain())
    await store()
    mailListeners[0] = 1
    await store()
    const changes = posted.map((message) => 'changes' in message && message.changes.map(({ type }) => type))
    expect(changes).toEqual([false, ['domain'], ['email']])
    await caller.call('close', [])
  })

  test('answers calls beside its own commands, and refuses those that do not exist', async () => {
    await serve()
    expect(await caller.call('echo', [1, 2])).toEqual([1, 2])
    expect(await caller.call('sweep', [])).toEqual({ messages: 0, keys: 0, uses: 0, webhooks: 0 })
    for (const name of ['none', 'constructor', 'toString'])
      await expect(caller.call(name, [])).rejects.toThrow(`the store has no command ${name}`)
    await caller.call('close', [])
  })

  test('closes what is beside it first, and refuses later calls', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    await serve(async () => ({ ...beside, close: () => promise.then(beside.close) }))
    const closed = caller.call('close', []).then(() => ended.push('writer'))
    for (const name of ['close', 'echo', 'checkWriting'])
      await expect(caller.call(name, [])).rejects.toMatchObject({ code: 'unavailable' })
    // The program beside the writer may still write.
    await writer.emails.check()
    resolve()
    await closed
    expect(ended).toEqual(['beside', 'writer'])
    await expect(writer.dispatch('checkWriting', [])).rejects.toMatchObject({ code: 'unavailable' })
  })

  test('reports why it cannot start, and throws what is no reason of the store', async () => {
    await serve(() => Promise.reject(new StoreError('no start')))
    await eventually(
      'a message',
      () => posted,
      ({ length }) => length === 1,
    )
    expect(posted).toEqual([{ refused: 'no start' }])
    await writer.close()
    await expect(serve(() => Promise.reject(new Error('a mistake')))).rejects.toThrow('a mistake')
    await writer.close()
  })
})
