import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import packageJson from '../../package.json' with { type: 'json' }
import { CACHE, goVersion, npmPackage, npmVersion } from './installed.ts'
import { byMayfly, byOthers, type Seen } from './mime/parsers.ts'
import { SHAPES } from './mime/shapes.ts'
import { acceptedOnly, recordRow } from './row.ts'

const FOLDERS: [name: string, folder: string, files: string][] = [
  ['enmime', join(CACHE, 'mails/enmime'), '*/*.raw'],
  ['mail-parser', join(CACHE, 'mails/mail-parser'), '*'],
  ['eml-format', join(npmPackage('eml-format'), 'test/fixtures'), '*.eml'],
]

const MAILS = FOLDERS.flatMap(([name, folder, files]) =>
  globSync(join(folder, files))
    .map((path) => ({ name: `${name}/${relative(folder, path)}`, path }))
    .sort((a, b) => a.name.localeCompare(b.name)),
)

const temporary = mkdtempSync(join(tmpdir(), 'shapes-'))
afterAll(() => rmSync(temporary, { recursive: true }))

/** The messages of shapes.ts as files, because a parser is a program. */
function writtenShapes(): typeof MAILS {
  return Object.entries(SHAPES).map(([name, raw], i) => {
    const path = join(temporary, `${i}.eml`)
    writeFileSync(path, raw, 'latin1')
    return { name: `shapes/${name}`, path }
  })
}

/** A long value by its beginning and a hash, so that an accepted difference cannot become another one. */
function short(value: string): string {
  if (value.length <= 60) return JSON.stringify(value)
  const hash = createHash('sha256').update(value).digest('hex')
  return `${JSON.stringify(value.slice(0, 40))}… ${hash.slice(0, 8)}`
}

/** What at least two of the three other parsers see; undefined if no two agree. */
function majority(others: (Seen | null)[], field: keyof Seen): string | undefined {
  const values = others.map((seen) => seen?.[field])
  return values.find((value, i) => value !== undefined && values.indexOf(value) !== i)
}

test('public mails are read as two of three other parsers read them, or the difference is accepted', async () => {
  expect(MAILS.length).toBeGreaterThan(100)
  const shapes = writtenShapes()
  const mails = [...MAILS, ...shapes]
  const others = await byOthers(mails.map(({ path }) => path))
  const found: string[] = []
  for (const [i, { name, path }] of mails.entries()) {
    const mine = await byMayfly(path)
    for (const field of Object.keys(mine) as (keyof Seen)[]) {
      const theirs = majority(others[i]!, field)
      // Without a text, an email has the text of its HTML.
      if (theirs === undefined || (field === 'text' && theirs === '' && mine.html !== '')) continue
      if (mine[field] !== theirs) found.push(`${name}: ${field} is ${short(mine[field])}`)
    }
  }
  const accepted = acceptedOnly(found)
  const [, mailParser] = readFileSync(join(CACHE, 'mails/installed'), 'utf8').trim().split(' ')
  recordRow({
    suite: 'Public mails beside three parsers',
    version: [
      `mails of enmime ${goVersion('github.com/jhillyerd/enmime/v2')}, PyPI ${mailParser!.replace('==', ' ')}, npm eml-format ${npmVersion('eml-format')}`,
      `parsers: npm mailparser ${packageJson.devDependencies.mailparser}, postal-mime ${npmVersion('postal-mime')}, Go enmime`,
    ].join('; '),
    examined: `${MAILS.length} mails and ${shapes.length} shapes: subject, From, To, date, text, HTML, names, sizes and hashes of attachments`,
    accepted,
    failedIn030: 'nothing; the same differences',
  })
})
