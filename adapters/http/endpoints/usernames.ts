import { answers, json } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { UsernameAnswer } from '../wire/access.ts'

export const randomUsername = endpoint({
  method: 'GET',
  path: '/api/random-username',
  name: 'randomUsername',
  tag: 'Addresses and domains',
  description:
    'Returns an adjective, a noun and a number, such as `swiftotter42`. It is not issued again while mail for it could still exist. Append `@` and one of the domains to get an address; nothing needs to be created.',
  summary: 'A username that no other caller gets',
  access: 'public',
  answers: answers('A username', UsernameAnswer),
  handle: async ({ service }) => json({ username: await service.usernames.take() }),
})
