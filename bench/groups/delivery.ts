import type { Traffic } from '../clients/streams.ts'
import { Client } from '../support/calls.ts'
import type { Group } from '../support/figures.ts'
import { httpOf, startService } from '../support/service.ts'

const PER_SECOND = 200
const ADDRESSES = 200

/**
 * How long after the SMTP 250 the event arrives: 200 streams on 200 addresses, and 200 mails of 2
 * KB a second at random moments to random streams, for 30 s. An event can arrive before the 250,
 * which counts as 0; the table therefore also has the time from the last byte of the message. One
 * client process has both ends and therefore one clock.
 */
export const delivery: Group = {
  name: 'delivery',
  async measure({ quick, progress }) {
    progress(`${PER_SECOND} mails a second`)
    const service = await startService()
    const client = new Client('streams.ts')
    try {
      await client.call('open', httpOf(service), ADDRESSES, 'own address')
      const load = { perSecond: PER_SECOND, addresses: ADDRESSES, connections: 20 }
      await client.call('traffic', service.smtp, { ...load, seconds: quick ? 1 : 3 })
      const { fromAnswer, fromLastByte, ...result } = await client.call<Traffic>('traffic', service.smtp, {
        ...load,
        seconds: quick ? 3 : 30,
      })
      return {
        figures: [
          { name: 'mails sent', value: result.perSecond, unit: 'mails/s' },
          { name: 'mails lost', value: result.lost, unit: 'mails', target: { most: 0 } },
          { name: 'from the 250 to the event, p50', value: fromAnswer.p50, unit: 'ms' },
          { name: 'from the 250 to the event, p99', value: fromAnswer.p99, unit: 'ms', target: { most: 10 } },
          { name: 'from the 250 to the event, p99.9', value: fromAnswer.p999, unit: 'ms' },
          { name: 'from the last byte to the event, p50', value: fromLastByte.p50, unit: 'ms' },
          { name: 'from the last byte to the event, p99', value: fromLastByte.p99, unit: 'ms' },
          { name: 'from the last byte to the event, p99.9', value: fromLastByte.p999, unit: 'ms' },
        ],
      }
    } finally {
      await client.end()
      await service.stop()
    }
  },
}
