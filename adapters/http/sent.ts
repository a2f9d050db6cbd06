import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'

/** Whether the answer is a stream's, which has written its own headers. */
export function isSent(answer: Response): boolean {
  return answer === RESPONSE_ALREADY_SENT || answer.headers.has('x-hono-already-sent')
}
