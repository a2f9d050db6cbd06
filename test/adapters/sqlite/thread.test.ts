import { describe, expect, test } from '@jest/globals'
import type { StoreError } from '../../../adapters/sqlite/errors.ts'
import { uniqueAddress } from '../../contract/sample.ts'
import { eventually } from '../../support/eventually.ts'
import { openTemporary } from './store-temporary.ts'

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

  test('passes on its refusals unchanged', async () => {
    const store = await openTemporary({ thread })
    await expect(store.call('receive', { address: 'nobody' })).rejects.toMatchObject({
      name: 'Problem',
      code: 'invalid_address',
      detail: 'Give an address.',
    })
    await store.close()
  })

  test.each(['none', 'constructor', 'toString'])(
    'refuses the call %s, which does not exist',
    async (name) => {
      const store = await openTemporary({ thread })
      await expect(store.call(name)).rejects.toThrow(`the store has no command ${name}`)
      await store.close()
    },
  )

  test('completes its calls when the store closes', async () => {
    const store = await openTemporary({ thread })
    const received = Array.from({ length: 20 }, () =>
      store.call('receive', { address: uniqueAddress(), raw: new Uint8Array(10), slow: true }),
    )
    await store.close()
    expect(new Set(await Promise.all(received)).size).toBe(20)
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
