import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

/** Whether it is the answer of a stream, which is on its way already. */
export function isSent(answer: Response): boolean {
  return answer === RESPONSE_ALREADY_SENT || answer.headers.has('x-hono-already-sent')
}
