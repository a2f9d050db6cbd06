import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { mayflyTasks } from '../../../packages/client/src/fixtures/cypress-plugin.ts'
import setupJest from '../../../packages/client/src/fixtures/jest.ts'
import teardownJest from '../../../packages/client/src/fixtures/jest-teardown.ts'
import { remainingMs } from '../../../packages/client/src/fixtures/remaining.ts'
import { startForTests } from '../../../packages/client/src/fixtures/service.ts'
import setupVitest from '../../../packages/client/src/fixtures/vitest.ts'
import type { Email } from '../../../packages/client/src/wire.ts'
import { type RunningMayfly, startMayfly } from '../../../packages/mayfly/src/start.ts'
import { sendMail } from '../../support/mail.ts'

/** packed.installed.ts and all.installed.ts run the fixtures in the real runners. */

describe('the commands for Cypress', () => {
  type Command = (...args: unknown[]) => Promise<unknown>

  const commands: Record<string, Command> = {}
  const calls: [string, unknown][] = []
  let service: RunningMayfly

  beforeAll(async () => {
    service = await startMayfly()
    const tasks: Record<string, Command> = {}
    const register = (event: string, more: object) => Object.assign(event === 'task' ? tasks : {}, more)
    mayflyTasks(register, { url: service.url, apiKey: service.apiKey })
    // Values pass between the browser of Cypress and its tasks as JSON.
    const json = (value: unknown) => JSON.parse(JSON.stringify(value ?? null))
    const task = async (name: string, argument: unknown, options: unknown) => {
      calls.push([name, options])
      return json(await tasks[name]?.(json(argument)))
    }
    const add = (name: string, command: Command) => {
      commands[name] = command
    }
    Object.assign(globalThis, { cy: { task }, Cypress: { Commands: { add } } })
    await import('../../../packages/client/src/fixtures/cypress.ts')
  })
  afterAll(() => service?.stop())
  beforeEach(() => {
    calls.length = 0
  })

  const call = async <T>(name: string, ...args: unknown[]) => (await commands[name]?.(...args)) as T
  const send = (to: string, text: string) => sendMail(service.smtp, { to, subject: 'Hello', text })

  test('return the mail of an address in its order, each once', async () => {
    const address = await call<string>('mayflyInbox', { prefix: 'cy' })
    expect(address).toMatch(/^cy-/)
    await send(address, 'Your code is 739105.')
    await send(address, 'Your code is 111222. Terms: https://shop.example/terms?a=1')
    await send(address, 'Your code is 333444.')
    await send(address, 'Confirm your address: https://shop.example/confirm?t=1')
    expect(await call('mayflyCode', address)).toBe('739105')
    expect(await call('mayflyLink', address, { match: '/terms' })).toBe('https://shop.example/terms?a=1')
    expect(await call('mayflyLink', address)).toBe('https://shop.example/confirm?t=1')
    expect((await call<Email>('mayflyMail', address)).codes).toEqual(['333444'])
    expect(await call('mayflyInbox')).toMatch(/@mayfly\.test$/)
  })

  test('open an address from elsewhere at its end, and keep it', async () => {
    const { address } = await service.inbox()
    await send(address, 'Your code is 739105.')
    await expect(call('mayflyCode', address, { timeout: 0 })).rejects.toThrow('No code arrived')
    await send(address, 'Your code is 111222.')
    expect(await call('mayflyCode', address)).toBe('111222')
  })

  test.each<[what: string, more: object, filter: string]>([
    ['Code', {}, 'code from "ann" with subject "Hi" with "x" in it'],
    ['Link', {}, 'action link from "ann" with subject "Hi" with "x" in it'],
    ['Link', { match: '/a' }, 'link that matches /a from "ann" with subject "Hi" with "x" in it'],
    ['Mail', { has: 'link' }, 'mail from "ann" with subject "Hi" with "x" in it with a link'],
  ])('pass their options on: mayfly%s with %j', async (what, more, filter) => {
    const { address } = await service.inbox()
    const options = { from: 'ann', subject: 'Hi', q: 'x', timeout: 0, ...more }
    await expect(call(`mayfly${what}`, address, options)).rejects.toMatchObject({ filter })
  })

  test('end later than the wait, so that its error is shown', async () => {
    const { address } = await service.inbox()
    await Promise.allSettled([
      call('mayflyInbox'),
      ...['Code', 'Link', 'Mail'].map((what) => call(`mayfly${what}`, address, { timeout: 0 })),
    ])
    expect(calls).toEqual([
      ['mayfly:inbox', { timeout: 65_000, log: true }],
      ['mayfly:code', { timeout: 5000, log: true }],
      ['mayfly:link', { timeout: 5000, log: true }],
      ['mayfly:mail', { timeout: 5000, log: true }],
    ])
  })
})

describe('the set-up of a run', () => {
  const env = { ...process.env }

  beforeEach(() => {
    for (const name of ['MAYFLY_URL', 'MAYFLY_TIMEOUT']) delete process.env[name]
  })
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
    Object.assign(process.env, env)
    Reflect.deleteProperty(globalThis, 'stopMayfly')
  })

  test.each<[string, () => Promise<unknown>, string]>([
    ['Jest', () => setupJest({ testTimeout: 20_000 }), '19000'],
    ['a project of Jest', () => setupJest({ testTimeout: 20_000 }, { testTimeout: 30_000 }), '29000'],
    ['Jest without a time-out', () => setupJest(), '4000'],
    ['Vitest', () => setupVitest({ config: { testTimeout: 20_000 } }), '19000'],
    ['Vitest without a time-out', () => setupVitest(), '4000'],
  ])('of %s gives waits less than a test', async (_what, setup, waitMs) => {
    process.env.MAYFLY_URL = 'http://127.0.0.1:9'
    await setup()
    await teardownJest()
    expect(process.env.MAYFLY_TIMEOUT).toBe(waitMs)
  })

  test('of Jest has an end, which a run without a set-up does not need', async () => {
    await teardownJest()
    let stops = 0
    Object.assign(globalThis, {
      stopMayfly: async () => {
        stops++
      },
    })
    await teardownJest()
    expect(stops).toBe(1)
  })

  test('starts a service and describes it in the environment', async () => {
    const stop = async () => {}
    const service = { url: 'http://a', smtp: { host: '127.0.0.1', port: 25 }, apiKey: 'key', stop }
    mockPackage(() => ({ startMayfly: async () => service }))
    expect(await startForTests()).toBe(stop)
    const { MAYFLY_URL, MAYFLY_API_KEY, SMTP_HOST, SMTP_PORT } = process.env
    expect([MAYFLY_URL, MAYFLY_API_KEY, SMTP_HOST, SMTP_PORT]).toEqual(['http://a', 'key', '127.0.0.1', '25'])
  })

  test('of Jest starts a service, and the end of the run stops it', async () => {
    let stops = 0
    const stop = async () => {
      stops++
    }
    const service = { url: 'http://a', smtp: { host: '127.0.0.1', port: 25 }, apiKey: 'key', stop }
    mockPackage(() => ({ startMayfly: async () => service }))
    await setupJest()
    await teardownJest()
    expect(stops).toBe(1)
  })

  test('says what to install when the service is missing', async () => {
    mockPackage(() => {
      throw new Error('Cannot find package')
    })
    await expect(startForTests()).rejects.toThrow(
      'Install the package `mayfly`, which is the service for the tests, or set MAYFLY_URL to a running one.',
    )
  })

  /** In place of the installed package, which exists only after a build. */
  function mockPackage(module: () => object): void {
    jest.resetModules()
    jest.unstable_mockModule('mayfly', module, { virtual: true })
  }
})

test.each([
  ['without a limit', 0, 5000, undefined],
  ['of a minute', 60_000, 10_000, 48_000],
  ['of four seconds, a quarter of which is for the report', 4000, 1000, 2000],
  ['whose time is over', 5000, 6000, 0],
])('in a test %s: of %d ms after %d ms remain %s', (_, timeoutMs, elapsedMs, remaining) => {
  expect(remainingMs(timeoutMs, elapsedMs)).toBe(remaining)
})
