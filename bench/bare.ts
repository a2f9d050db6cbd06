/**
 * The smallest possible service of this kind, for comparison: `npm run bench -- bare`, or `node
 * bench/bare.ts <port>` followed by `node bench/compare.ts 127.0.0.1:<port>`.
 * smtp-server, mailparser's simpleParser (without its HTML), and one row per mail in node:sqlite,
 * synced; mails that arrive together share a transaction. It finds no codes and no links, and
 * publishes nothing.
 */
import { mkdtempSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'

interface Mail {
  recipient: string
  subject: string
  text: string
  raw: Buffer
}

const db = new DatabaseSync(join(mkdtempSync(join(tmpdir(), 'bare-')), 'mails.db'))
db.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE mails (id INTEGER PRIMARY KEY, recipient TEXT, subject TEXT, text TEXT, raw BLOB);
  CREATE INDEX mails_by_recipient ON mails (recipient, id);
`)
const insert = db.prepare('INSERT INTO mails (recipient, subject, text, raw) VALUES (?, ?, ?, ?)')

let waiting: { mail: Mail; stored: () => void }[] = []

function store(mail: Mail): Promise<void> {
  return new Promise((stored) => {
    if (waiting.length === 0) setImmediate(commit)
    waiting.push({ mail, stored })
  })
}

function commit(): void {
  const batch = waiting
  waiting = []
  db.exec('BEGIN')
  for (const { mail } of batch) insert.run(mail.recipient, mail.subject, mail.text, mail.raw)
  db.exec('COMMIT')
  for (const { stored } of batch) stored()
}

const server = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  disableReverseLookup: true,
  logger: false,
  async onData(stream, session, done) {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    const { subject = '', text = '' } = await simpleParser(raw, {
      skipHtmlToText: true,
      skipTextToHtml: true,
      skipImageLinks: true,
    })
    await store({ recipient: session.envelope.rcptTo[0]!.address, subject, text, raw })
    done()
  },
})
server.listen(Number(process.argv[2]), '127.0.0.1', () => {
  console.log(`ready ${(server.server.address() as AddressInfo).port}`)
})
