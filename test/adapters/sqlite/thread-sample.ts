import { runWriter } from '../../../adapters/sqlite/thread.ts'
import { Problem } from '../../../core/errors.ts'
import { sampleMail } from '../../contract/sample.ts'

interface Message {
  address: string
  raw: Uint8Array
  slow?: boolean
  crash?: 'throws' | 'exits'
}

/** Code that runs next to the writer: it stores what it gets, unread. */
await runWriter(async ({ blobs, emails }, data) => {
  const { retentionMs } = data as { retentionMs: number }
  const receiving = new Set<Promise<unknown>>()

  async function receive({ address, raw, slow, crash }: Message): Promise<string> {
    if (!address.includes('@')) throw new Problem('invalid_address', 'Give an address.')
    if (slow) await new Promise((resolve) => setTimeout(resolve, 50))
    if (crash === 'throws') setImmediate(() => JSON.parse('no JSON'))
    if (crash === 'exits') setImmediate(() => process.exit())
    if (crash) await new Promise(() => {})
    const mail = sampleMail([address], { retentionMs })
    await blobs.put(mail.messageId, 'raw', raw)
    const [email] = await emails.store(mail)
    return email!.id
  }

  return {
    calls: {
      receive(message: Message) {
        const received = receive(message)
        receiving.add(received)
        return received.finally(() => receiving.delete(received))
      },
    },
    close: async () => void (await Promise.allSettled(receiving)),
  }
})
