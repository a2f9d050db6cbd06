import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from '@jest/globals'
import { shownMs } from '../../local-service/log.ts'

test('a duration is logged to a tenth of a millisecond', () => {
  expect([0, 0.04, 12.345, 1999.96].map(shownMs)).toEqual([0, 0, 12.3, 2000])
})

/** What a program prints that logs on a terminal, or elsewhere. */
async function printed(readable: boolean): Promise<string> {
  const program = `
    import { createLogger } from ${JSON.stringify(new URL('../../local-service/log.ts', import.meta.url).href)}
    const log = await createLogger('debug', ${readable})
    log.trace('not shown')
    log.debug({ mail: { to: 'a@b.example' }, signal: 'SIGTERM' }, 'stopping')`
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { TZ: 'Asia/Kolkata' },
    encoding: 'utf8',
  })
  return stdout
}

/** The time of day where the program runs, which is half an hour off UTC. */
function timeOfDay(): string {
  return new Date().toLocaleTimeString('en-GB', { timeZone: 'Asia/Kolkata' }).slice(0, 5)
}

test('on a terminal, a line has the local time, and what is no mail', async () => {
  const before = timeOfDay()
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours of the terminal
  const lines = (await printed(true)).replace(/\u001b\[\d+m/g, '')
  expect(lines).toMatch(/^\[\d\d:\d\d:\d\d\] DEBUG: stopping\n {4}signal: "SIGTERM"\n$/)
  expect([before, timeOfDay()]).toContain(lines.slice(1, 6))
})

test('elsewhere, a line is JSON with the time in UTC, without process and host', async () => {
  expect(JSON.parse(await printed(false))).toEqual({
    level: 20,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    mail: { to: 'a@b.example' },
    signal: 'SIGTERM',
    msg: 'stopping',
  })
})
