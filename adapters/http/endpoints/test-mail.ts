import { answers, json } from '../answer.ts'
import { readBody } from '../body.ts'
import { endpointsOf } from '../endpoint.ts'
import type { Service } from '../service.ts'
import { DoneAnswer } from '../wire/access.ts'
import { TestMailBody } from '../wire/requests.ts'

/** A host with its own SMTP listener, to which its page can send a test mail. */
export interface TestMailService extends Service {
  /** Sends a mail with a code to this address, over SMTP as any sender would. @throws Problem */
  sendTestMail(address: string): Promise<void>
}

/** Served on loopback only: elsewhere strangers could send mail with it. */
export const testMail = endpointsOf<TestMailService>()({
  method: 'POST',
  path: '/api/test-mail',
  name: 'sendTestMail',
  tag: 'Service',
  description:
    'Sends a mail with a verification code to the address by SMTP, as an application would. Only a service on loopback has it.',
  summary: 'Sends a test mail with a code to an address of this machine’s service',
  access: 'public',
  body: TestMailBody,
  answers: answers('It was accepted', DoneAnswer),
  problems: ['invalid_address', 'domain_not_found', 'unavailable'],
  handle: async ({ service, head }) => {
    const body = await readBody(head, TestMailBody)
    const { address } = await service.domainService.address(body.address)
    await service.sendTestMail(address)
    return json({ success: true })
  },
})
