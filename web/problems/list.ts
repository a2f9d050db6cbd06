import { PROBLEMS } from '../../adapters/http/problems.ts'
import type { ProblemCode } from '../../core/errors.ts'
import { ADVICE } from './advice.ts'

/** Every problem of the API, as HTML. Made when the pages are built. */
export function problemsBody(): string {
  const items = Object.entries(PROBLEMS).map(
    ([code, { status, title }]) =>
      `<div id="${code}" tabindex="-1"><dt><code>${code}</code> <span class="fine">${status}</span></dt>` +
      `<dd><strong>${title}.</strong> ${ADVICE[code as ProblemCode]}</dd></div>`,
  )
  return (
    '<div class="page"><div class="intro"><h1>Problems</h1><p>A refused request is answered with ' +
    '<code>application/problem+json</code>. Its <code>code</code> is one of these, and its <code>detail</code> ' +
    `says what was wrong this time.</p></div><dl class="problem-list card">${items.join('')}</dl></div>`
  )
}
