import { parseAddress } from '../../../core/address.ts'
import { answers, json } from '../answer.ts'
import { readBody } from '../body.ts'
import { endpointsOf } from '../endpoint.ts'
import type { Service } from '../service.ts'
import { DoneAnswer } from '../wire/access.ts'
import { TestMailBody } from '../wire/requests.ts'

/** A host whose own SMTP listener a page may be shown to work with. */
export interface TestMailService extends Service {
  /** Sends a mail with a code to this address, over SMTP as any sender would. @throws Problem */
  sendTestMail(address: string): Promise<void>
}

/** Only where nobody but the machine's own user can call: elsewhere it would let strangers send. */
export const testMail = endpointsOf<TestMailService>()({
  method: 'POST',
  path: '/api/test-mail',
  name: 'sendTestMail',
  summary: 'Sends a test mail with a code to an address of this machine’s service',
  access: 'public',
  body: TestMailBody,
  answers: answers('It was accepted', DoneAnswer),
  problems: ['invalid_address', 'domain_not_found', 'unavailable'],
  handle: async ({ service, head }) => {
    const { address } = parseAddress((await readBody(head, TestMailBody)).address)
    await service.sendTestMail(address)
    return json({ success: true })
  },
})
