import type { StartIntake } from '../../../adapters/sqlite/writer.ts'
import { Problem } from '../../../core/errors.ts'
import { sampleMail } from '../../contract/sample.ts'

interface Message {
  address: string
  raw: Uint8Array
  slow?: boolean
  crash?: boolean
}

/** An intake that stores what it gets without looking into it. */
export const startIntake: StartIntake = ({ blobs, emails }, _writing, data) => ({
  async receive(message) {
    const { address, raw, slow, crash } = message as Message
    if (!address.includes('@')) throw new Problem('invalid_address', 'Give an address.')
    if (slow) await new Promise((resolve) => setTimeout(resolve, 50))
    if (crash) setImmediate(() => JSON.parse('no JSON'))
    if (crash) await new Promise(() => {})
    const { retention_ms } = data as { retention_ms: number }
    const mail = sampleMail([address], { retention_ms })
    await blobs.put(mail.delivery, 'raw', raw)
    const [email] = await emails.store(mail)
    return email!.id
  },
})
