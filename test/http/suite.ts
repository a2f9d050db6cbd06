import { afterAll, beforeAll, describe } from '@jest/globals'
import { accessContract } from './access.ts'
import { addressContract } from './addresses.ts'
import { domainContract } from './domains.ts'
import { emailContract } from './email.ts'
import { generalContract } from './general.ts'
import type { Host } from './host.ts'
import { keyContract } from './keys.ts'
import { listContract } from './list.ts'
import { Requests } from './requests.ts'
import { pageSessionContract } from './sessions.ts'
import { streamContract } from './streams.ts'

/**
 * The HTTP contract, checked by requests against a running service: the one-machine service, the
 * deployed stack, or any other that calls itself Mayfly.
 */
export function httpContract(name: string, start: () => Promise<Host>): void {
  describe(`HTTP contract: ${name}`, () => {
    let host: Host
    const requests = new Requests(() => host)

    beforeAll(async () => {
      host = await start()
    }, 600_000)

    afterAll(async () => {
      requests.closeStreams()
      await host?.close()
    })

    generalContract(requests)
    domainContract(requests)
    listContract(requests)
    emailContract(requests)
    addressContract(requests)
    accessContract(requests)
    keyContract(requests)
    pageSessionContract(requests)
    streamContract(requests)
  })
}
