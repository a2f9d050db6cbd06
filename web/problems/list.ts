import { PROBLEMS } from '../../adapters/http/problems.ts'
import type { ProblemCode } from '../../core/errors.ts'
import { escapeHtml } from '../escape.ts'
import { ADVICE } from './advice.ts'

/** Every problem of the API, as HTML for the build of the pages. */
export function problemsBody(): string {
  const items = Object.entries(PROBLEMS).map(
    ([code, { status, title }]) =>
      `<div id="${code}" tabindex="-1"><dt><code>${code}</code> <span class="fine">${status}</span></dt>` +
      `<dd><strong>${escapeHtml(title)}.</strong> ${escapeHtml(ADVICE[code as ProblemCode])}</dd></div>`,
  )
  return (
    '<div class="page"><div class="intro stack tight"><h1>Problems</h1><p>An error is answered with ' +
    '<code>application/problem+json</code>. Its <code>code</code> is one of these, and its <code>detail</code> ' +
    `describes the error.</p></div><dl class="problem-list card">${items.join('')}</dl></div>`
  )
}

/** The page for a path that does not exist. */
export function notFoundBody(): string {
  return (
    '<div class="page"><div class="intro stack tight"><h1>Page not found</h1><p>This service has no page at this ' +
    'address.</p></div><div class="card stack"><p>You may be looking for one of these:</p><ul class="item-list">' +
    '<li><a href="/">Inbox: read mail of any address</a></li>' +
    '<li><a href="/domains">Domains: receive mail for your own domain</a></li>' +
    '<li><a href="/docs">API documentation</a></li></ul></div></div>'
  )
}
