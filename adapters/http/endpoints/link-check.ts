import { Problem } from '../../../core/errors.ts'
import { answers, json } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { LinkCheckAnswer } from '../wire/link-check.ts'

export const checkLinks = endpoint({
  method: 'POST',
  path: '/api/emails/:address/:id/link-check',
  name: 'checkLinks',
  tag: 'Emails',
  description:
    'Requests each of the `links` by HEAD, or by GET where there is no HEAD, and returns the status, the redirects or the error. A request may trigger what the link does, such as a confirmation.',
  summary:
    'Requests each link of an email, which may trigger its action. For the operator; on loopback for everyone',
  access: 'api key',
  inbox: 'header',
  answers: answers('What each link answered', LinkCheckAnswer),
  problems: ['email_not_found', 'link_check_refused'],
  handle: async ({ service, inbox, head, key, param }) => {
    const { linkChecker, apiKeyService, mailbox } = service
    if (!linkChecker.isForEveryone && !apiKeyService.isOperator(key)) {
      throw new Problem(
        'link_check_refused',
        'This service requests links only for its operator. Send the operator’s API key.',
      )
    }
    const { links } = await mailbox.find(inbox, param('id'))
    return json({ success: true, links: await linkChecker.check(links, head.client) })
  },
})
