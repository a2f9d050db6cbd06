import type { Activity } from '../activity.ts'
import { answers, json } from '../answer.ts'
import { endpointsOf } from '../endpoint.ts'
import type { Service } from '../service.ts'
import { ActivityAnswer, activityEntry } from '../wire/activity.ts'

/** A host that records the requests of its clients. */
export interface ActivityService extends Service {
  activity: Activity
}

/** Only on loopback, where every client belongs to the user of the machine. */
export const inboxActivity = endpointsOf<ActivityService>()({
  method: 'GET',
  path: '/api/activity/:address',
  name: 'inboxActivity',
  summary: 'The latest requests of API clients for an inbox, and those that wait',
  access: 'public',
  inbox: 'header',
  answers: answers('The latest first', ActivityAnswer),
  handle: ({ service, inbox }) =>
    json({ success: true, requests: service.activity.of(inbox.address).map(activityEntry) }),
})
