import { answers, json } from '../answer.ts'
import { endpoint } from '../endpoint.ts'
import { UsernameAnswer } from '../wire/access.ts'

// 1
export const randomUsername = endpoint({
  method: 'GET',
  path: '/api/random-username',
  name: 'randomUsername',
  summary: 'A username that no other caller gets',
  access: 'public',
  answers: answers('A username', UsernameAnswer),
  handle: async ({ service }) => json({ username: await service.usernames.take() }),
})
