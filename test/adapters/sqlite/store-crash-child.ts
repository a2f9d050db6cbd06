/**
 * Stores mail into the given directory, several at a time, and reports each stored one, without
 * end.
 */
import { writeSync } from 'node:fs'
import { openStore } from '../../../adapters/sqlite/store.ts'
import { sampleMail, uniqueAddress } from '../../contract/sample.ts'

const store = await openStore({ dir: process.argv[2]! })

async function storeForEver(): Promise<never> {
  for (;;) {
    const address = uniqueAddress()
    const mail = sampleMail([address])
    await store.blobs.put(mail.messageId, 'raw', Buffer.alloc(2000))
    await store.blobs.put(mail.messageId, 'body', Buffer.alloc(300_000))
    const [email] = await store.emails.store(mail)
    // Written at once: a buffered line would be lost when this process is killed.
    writeSync(1, `${JSON.stringify({ address, id: email!.id, messageId: mail.messageId })}\n`)
  }
}

await Promise.all(Array.from({ length: 8 }, storeForEver))
