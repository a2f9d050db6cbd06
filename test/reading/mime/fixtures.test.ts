import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@jest/globals'
import { readWithAttachments } from '../read-mail.ts'
import { CHUNK_SIZES, chunksOf } from './in-chunks.ts'

/**
 * Everything that is read of each fixture is recorded in __snapshots__. A reading that changes is
 * either a fault, or is written with `-u`; read its diff then.
 */

const FILES = globSync(fileURLToPath(new URL('../../fixtures/mime/*.eml', import.meta.url))).sort()

async function* chunked(bytes: Buffer, size: number): AsyncIterable<Uint8Array> {
  yield* chunksOf(bytes, size)
}

/** A header and an address take one line each, so that a diff can be read. */
expect.addSnapshotSerializer({
  test: (value) => Object.hasOwn(value ?? {}, 'name') && Object.keys(value).length === 2,
  serialize: (value) => JSON.stringify(value),
})

test.each(FILES.map((file) => [basename(file, '.eml'), file]))('%s', async (_name, file) => {
  const raw = readFileSync(file)
  const whole = await readWithAttachments(raw)
  for (const size of CHUNK_SIZES) expect(await readWithAttachments(chunked(raw, size))).toEqual(whole)
  const { codes: _, links: __, actionLink: ___, ...mail } = whole.mail
  expect(mail).toMatchSnapshot()
})
