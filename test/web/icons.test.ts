import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'

const WEB = fileURLToPath(new URL('../../web', import.meta.url))
const source = readFileSync(join(WEB, 'ui/icon.tsx'), 'utf8')
const icons = Array.from(source.matchAll(/^ {2}(\w+): '(M[^']+)',$/gm), ([, name, path]) => ({ name, path }))

test('each icon has a picture of its own, and is used', () => {
  expect(icons.length).toBeGreaterThan(20)
  expect(new Set(icons.map(({ path }) => path)).size).toBe(icons.length)
  const pages = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => readFileSync(join(WEB, file), 'utf8'))
    .join('\n')
  const shown = pages.matchAll(/(?:<Icon name|\bicon)=("\w+"|\{[^}]*\})/g)
  const used = new Set(Array.from(shown, ([, value]) => value!.match(/\w+/g)!).flat())
  expect(icons.filter(({ name }) => !used.has(name!))).toEqual([])
})

test.each(icons)('the icon $name stays on its grid of 20', ({ path }) => {
  const absolute = [...path!.matchAll(/([MLHV])([^A-Za-z]+)/g)].flatMap(([, , numbers]) =>
    numbers!
      .trim()
      .split(/[ ,]|(?=-)/)
      .map(Number),
  )
  expect(absolute.filter((place) => !(place >= 0 && place <= 20))).toEqual([])
})
