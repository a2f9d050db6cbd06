import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { freshAddress } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'

const SIZE = 5_000_000

/** Messages whose content grows when it is decoded. */
const SHAPES: Record<string, Buffer> = {
  'uuencode with short lines': filled(
    'Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 a.bin\r\n',
    'M\r\n',
  ),
  'control characters': filled('Subject: x\r\n\r\n', `${'\u0001'.repeat(76)}\r\n`),
  'HTML in an 8-bit charset': filled(
    'Content-Type: text/html; charset=windows-1251\r\n\r\n',
    '\xe6'.repeat(76),
  ),
  'a base64 attachment': filled(
    'Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n',
    `${'QUJD'.repeat(19)}\r\n`,
  ),
  'an attached message in an attached message': filled(
    'Content-Type: message/rfc822\r\n\r\nSubject: y\r\n\r\n',
    'The quick brown fox jumps over the dog.\r\n',
  ),
  'many small attachments': filled(
    'Content-Type: multipart/mixed; boundary=b\r\n\r\n',
    '--b\r\nContent-Type: application/pdf\r\n\r\nx\r\n',
  ),
}

function filled(head: string, piece: string): Buffer {
  return Buffer.concat([Buffer.from(head), Buffer.alloc(SIZE, Buffer.from(piece, 'latin1'))]).subarray(
    0,
    SIZE,
  )
}

describe('the disk that a message takes', () => {
  let service: RunningService

  beforeEach(async () => {
    service = await startService()
  })
  afterEach(() => service.stop())

  /** Bytes of the pages that the database uses. */
  function used(): number {
    const db = new DatabaseSync(join(service.dataDir, 'mayfly.db'), { readOnly: true })
    const row = db
      .prepare(
        `SELECT (page_count - freelist_count) * page_size AS bytes
         FROM pragma_page_count, pragma_freelist_count, pragma_page_size`,
      )
      .get()
    db.close()
    return Number(row?.bytes)
  }

  test.each(Object.entries(SHAPES))('is at most 2.5 times its size: %s', async (_, raw) => {
    const before = used()
    const client = await SmtpClient.open(service.smtp)
    expect(await client.send('a@example.com', [freshAddress()], raw)).toMatch(/^250/)
    client.close()
    const factor = (used() - before) / SIZE
    process.stderr.write(`${expect.getState().currentTestName}: ${factor.toFixed(2)}\n`)
    expect(factor).toBeLessThan(2.5)
  })
})
