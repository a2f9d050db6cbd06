import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openWriter, type Writer } from '../../../adapters/sqlite/writer.ts'
import { TEMPLATES_BYTES, TEMPLATES_MAX } from '../../../core/limits.ts'
import { temporaryDirectory } from './store-temporary.ts'

let dir: string
let remove: () => void
let store: Writer

const open = () => openWriter({ dir, publish() {} })

beforeEach(() => {
  ;({ dir, remove } = temporaryDirectory())
  store = open()
})

afterEach(async () => {
  await store.close()
  remove()
})

const template = (name: string, content = '{}') => ({ name, content, createdAt: 5 })

test('templates of two scopes are apart, and survive a restart', async () => {
  const { templates } = store
  expect(await templates.create('ses', template('a', '1'))).toBe('saved')
  expect(await templates.create('postmark', template('a', '2'))).toBe('saved')
  expect(await templates.create('ses', template('a', '3'))).toBe('exists')
  expect(await templates.replace('ses', 'a', '4')).toBe('saved')
  expect(await templates.replace('ses', 'b', '4')).toBe('missing')
  await store.close()
  store = open()
  expect(await store.templates.find('ses', 'a')).toEqual(template('a', '4'))
  expect(await store.templates.find('postmark', 'a')).toEqual(template('a', '2'))
  expect(await store.templates.remove('ses', 'a')).toBe(true)
  expect(await store.templates.remove('ses', 'a')).toBe(false)
  expect(await store.templates.find('ses', 'a')).toBeUndefined()
})

test('a list continues after a name', async () => {
  const { templates } = store
  for (const name of ['c', 'a', 'b']) await templates.create('ses', template(name))
  await templates.create('postmark', template('x'))
  expect((await templates.list('ses', '', 2)).map(({ name }) => name)).toEqual(['a', 'b'])
  expect((await templates.list('ses', 'b', 2)).map(({ name }) => name)).toEqual(['c'])
})

test('the bytes of all templates have a bound; a replaced one does not count twice', async () => {
  const { templates } = store
  const half = 'x'.repeat(TEMPLATES_BYTES / 2)
  expect(await templates.create('ses', template('a', half))).toBe('saved')
  expect(await templates.create('postmark', template('b', half))).toBe('saved')
  expect(await templates.create('ses', template('c', 'x'))).toBe('full')
  expect(await templates.replace('ses', 'a', `${half}x`)).toBe('full')
  expect(await templates.replace('ses', 'a', half)).toBe('saved')
})

test('the number of templates has a bound', async () => {
  const { templates } = store
  const other = new DatabaseSync(join(dir, 'mayfly.db'))
  other.exec(`WITH RECURSIVE n(n) AS (SELECT 2 UNION ALL SELECT n + 1 FROM n WHERE n < ${TEMPLATES_MAX})
    INSERT INTO email_templates (scope, name, content, size, created_at) SELECT 'ses', n, '{}', 2, 5 FROM n`)
  other.close()
  expect(await templates.create('postmark', template('the last one'))).toBe('saved')
  expect(await templates.create('ses', template('more'))).toBe('full')
  expect(await templates.replace('ses', '2', '[]')).toBe('saved')
  expect(await templates.remove('ses', '3')).toBe(true)
  expect(await templates.create('ses', template('more'))).toBe('saved')
})
