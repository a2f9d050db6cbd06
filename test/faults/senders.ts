import { freshAddress } from '../support/mail.ts'
import type { RunningService } from '../support/service.ts'
import { SmtpClient } from '../support/smtp-client.ts'

/** A mail that was answered with 250. */
export interface Sent {
  address: string
  id: string
  size: number
}

export interface Sending {
  sent: Sent[]
  /** The replies other than 250, by their code. */
  refused: Record<string, number>
  /**
   * Starts no more mails; resolves when the last ones are answered or their connections are closed.
   */
  stop(): Promise<void>
}

/** Sends small and large mails over several connections until it is stopped or the service ends. */
export function keepSending(service: RunningService, connections = 6): Sending {
  const sending: Sending = { sent: [], refused: {}, stop: async () => {} }
  let over = false
  const all = Promise.all(
    Array.from({ length: connections }, async () => {
      try {
        const client = await SmtpClient.open(service.smtp)
        for (let i = 0; !over; i++) {
          const address = freshAddress()
          const message = `Subject: s\r\n\r\n${'x'.repeat(i % 8 === 7 ? 400_000 : i % 500)}`
          const reply = await client.send('s@example.org', [address], message)
          const id = /^250 2\.0\.0 Ok: ([0-9A-Z]{26})$/.exec(reply)?.[1]
          // The client writes the line break before the dot.
          if (id !== undefined) sending.sent.push({ address, id, size: message.length + 2 })
          else sending.refused[reply.slice(0, 9)] = (sending.refused[reply.slice(0, 9)] ?? 0) + 1
        }
        client.close()
      } catch {
        // The service has ended.
      }
    }),
  )
  sending.stop = async () => {
    over = true
    await all
  }
  return sending
}

/** The faults of the mails that were answered with 250: each must exist, complete, once. */
export async function missing(service: RunningService, sent: Sent[]): Promise<string[]> {
  const wrong: string[] = []
  for (const { address, id, size } of sent) {
    const answer = await fetch(`${service.http}/api/public/emails/${address}`)
    const { emails } = (await answer.json()) as { emails: { id: string; size: number }[] }
    if (emails.length !== 1 || emails[0]!.id !== id || emails[0]!.size !== size) {
      wrong.push(
        `${address} ${id} ${size}: ${JSON.stringify(emails?.map((email) => [email.id, email.size]))}`,
      )
    }
  }
  return wrong
}
