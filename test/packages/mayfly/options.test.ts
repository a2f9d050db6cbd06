import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { clean, line, table } from '../../../packages/mayfly/src/cli/output.ts'
import { didYouMean, parse } from '../../../packages/mayfly/src/cli/parse.ts'
import { configOf, dataFolder } from '../../../packages/mayfly/src/cli/serve.ts'
import { configIn, VARIABLES } from '../../../packages/mayfly/src/variables.ts'

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n)

describe('options of the service', () => {
  test.each([
    [['--http-port', '9000', '--domains=a.test'], { MAYFLY_HTTP_PORT: '9000', MAYFLY_DOMAINS: 'a.test' }],
    [['--catch-all'], { MAYFLY_CATCH_ALL: 'on' }],
    [['--no-catch-all', '--no-send-apis'], { MAYFLY_CATCH_ALL: 'off', MAYFLY_SEND_APIS: 'off' }],
    [[], {}],
  ])('%j are variables', (args, config) => {
    expect(configOf(args)).toEqual(config)
  })

  test.each([
    [['--htp-port', '1'], /no option `--htp-port`. Did you mean `--http-port`\?/],
    [['--port', '1'], /no option `--port`. Did you mean `--http-port`\?/],
    [['--http-port'], /`--http-port` needs a value/],
    [['--api-keys', 'secret-secret-1234'], /^`--api-keys` would show a secret .* MAYFLY_API_KEYS instead\.$/],
    [['--api-keys=secret-secret-1234'], /MAYFLY_API_KEYS instead\.$/],
    [['--smtp-auth', 'app:secret'], /^`--smtp-auth` would show a secret .* MAYFLY_SMTP_AUTH instead\.$/],
    [['--domains=a.test,b.test=secret'], /^`--domains` would show a secret .* MAYFLY_DOMAINS instead\.$/],
    [['serve'], /`serve` is not an option. A command comes first/],
  ])('%j are a mistake', (args, message) => {
    expect(() => configOf(args)).toThrow(message)
  })

  test('are all variables of docs/configuration.md, and no others', async () => {
    const page = await readFile(new URL('../../../docs/configuration.md', import.meta.url), 'utf8')
    const cells = [...page.matchAll(/^\| (`MAYFLY_.*?) \|/gm)].map(([, cell = '']) => cell)
    const all = cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
    const names = [...new Set(all)]
    expect(names.toSorted()).toEqual(Object.keys(VARIABLES).toSorted())
    const values = Object.fromEntries(names.map((name) => [name, `of ${name}`]))
    const options = Object.entries(values).map(
      ([name, value]) => `--${name.replace('MAYFLY_', '').replaceAll('_', '-').toLowerCase()}=${value}`,
    )
    const { MAYFLY_API_KEYS: _, ...withoutSecrets } = values
    const shown = options.filter((option) => !option.startsWith('--api-keys'))
    expect([configOf(shown), configIn(values)]).toEqual([withoutSecrets, values])
  })

  test('in the environment count if they are not empty', () => {
    const env = { MAYFLY_HTTP_PORT: '9000', MAYFLY_DOMAINS: '', MAYFLY_URL: 'http://a', HOME: '/' }
    expect(configIn(env)).toEqual({ MAYFLY_HTTP_PORT: '9000' })
  })
})

describe('the store of a service', () => {
  test.each([
    ['9000', '/cache/mayfly/data-9000'],
    [undefined, '/cache/mayfly/data-8025'],
  ])('on port %s is in a folder of this port', async (port, folder) => {
    const { XDG_CACHE_HOME } = process.env
    process.env.XDG_CACHE_HOME = '/cache'
    expect(await dataFolder(port === undefined ? {} : { MAYFLY_HTTP_PORT: port })).toBe(folder)
    if (XDG_CACHE_HOME === undefined) delete process.env.XDG_CACHE_HOME
    else process.env.XDG_CACHE_HOME = XDG_CACHE_HOME
  })

  test('on a free port is shared with no other service', async () => {
    const free = { MAYFLY_HTTP_PORT: '0' }
    const folders = [await dataFolder(free), await dataFolder(free)]
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
    expect(folders.map(dirname)).toEqual([tmpdir(), tmpdir()])
    expect(new Set(folders).size).toBe(2)
  })
})

describe('arguments of a command', () => {
  const options = {
    timeout: { type: 'string', help: '' },
    json: { type: 'boolean', help: '' },
  } as const

  test('are options and the rest', () => {
    const { values, positionals } = parse(['a@b.test', '--timeout', '5', '--json', 'ID'], options)
    expect([{ ...values }, positionals]).toEqual([{ timeout: '5', json: true }, ['a@b.test', 'ID']])
  })

  test('with a mistake are explained', () => {
    expect(() => parse(['--json=yes'], options)).toThrow('`--json` takes no value.')
    expect(() => parse(['--timeout'], options)).toThrow('`--timeout` needs a value.')
    expect(didYouMean('--time', ['--timeout', '--json'])).toBe(' Did you mean `--timeout`?')
    expect(didYouMean('cod', ['wait', 'code'])).toBe(' Did you mean `code`?')
    // The nearest one is `--url`.
    expect(didYouMean('--count', ['--url', '--json', '--domain'])).toBe('')
  })
})

describe('text of a mail on a terminal', () => {
  test('moves no cursor and stays on its line', () => {
    expect(clean('\u001b[31mred\u001b[0m\u0007\u202e\u2066 a\tb\nc')).toBe('red a\tb\nc')
    expect(line(' a\r\n\t b\u0000 ')).toBe('a b')
  })

  test('has no control character but tab and line feed, and no mark that changes the direction', () => {
    const removed = [range(0, 8), range(0x0b, 0x1f), range(0x7f, 0x9f), [0x200e, 0x200f]]
    removed.push(range(0x202a, 0x202e), range(0x2066, 0x2069))
    const kept = [9, 10, 0x20, 0x7e, 0xa0, 0x200d, 0x2010, 0x2029, 0x202f, 0x2065, 0x206a]
    const cleaned = (codes: number[]) => codes.map((code) => clean(String.fromCharCode(code)))
    expect(cleaned(removed.flat()).join('')).toBe('')
    expect(cleaned(kept)).toEqual(kept.map((code) => String.fromCharCode(code)))
  })

  test('is in columns, whose last one is not padded', () => {
    expect(
      table([
        ['id', 'a long one', 'x'],
        ['longer', '\u001b[32mb\u001b[0m', 'yy'],
      ]),
    ).toBe('id      a long one  x\nlonger  \u001b[32mb\u001b[0m           yy')
    expect(table([])).toBe('')
  })
})
