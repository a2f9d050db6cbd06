import type { Activity } from '../activity.ts'
import { answers, json } from '../answer.ts'
import { endpointsOf } from '../endpoint.ts'
import type { Service } from '../service.ts'
import { ActivityAnswer, activityEntry, arrivedOf } from '../wire/activity.ts'

const EMAILS = 50

/** A host that records the requests of its clients. */
export interface ActivityService extends Service {
  activity: Activity
}

/** Only on loopback, where every client belongs to the user of the machine. */
export const inboxActivity = endpointsOf<ActivityService>()({
  method: 'GET',
  path: '/api/activity/:address',
  name: 'inboxActivity',
  tag: 'Service',
  description:
    'Returns the latest requests that API clients made for the address and the emails that exist. A request that waits names its filter, what it found, and each email that it did not accept with the reasons.',
  summary:
    'The latest requests of API clients for an inbox, what they wait for, and why an email did not match',
  access: 'public',
  inbox: 'header',
  answers: answers('The latest first', ActivityAnswer),
  handle: async ({ service, inbox }) => {
    const { emails } = await service.mailbox.list(inbox, { limit: EMAILS })
    const requests = service.activity.of(inbox.address).map((request) => activityEntry(request, emails))
    return json({ success: true, requests, emails: emails.map(arrivedOf) })
  },
})
