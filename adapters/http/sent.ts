/** Whether it is the answer of a stream, which is on its way already. */
export function isSent({ headers }: Response): boolean {
  return headers.has('x-hono-already-sent')
}
