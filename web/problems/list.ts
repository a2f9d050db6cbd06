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
    '<div class="page"><div class="intro stack tight"><h1>Problems</h1><p>Every error is JSON with a ' +
    '<code>code</code> from this list and a <code>detail</code>.</p>' +
    `<p id="unknown" class="notice" role="status" hidden></p></div><dl class="problem-list ruled card">${items.join('')}</dl></div>`
  )
}

/** The page for a path that does not exist. */
export function notFoundBody(): string {
  return (
    '<div class="page"><div class="intro stack tight"><h1>Page not found</h1><p>There is no page at this ' +
    'address.</p></div><div class="card stack"><p>You may be looking for one of these:</p><ul class="ruled">' +
    '<li><a class="button menu-item" href="/">Inbox: read mail of any address</a></li>' +
    '<li><a class="button menu-item" href="/domains">Domains: receive mail for your own domain</a></li>' +
    '<li><a class="button menu-item" href="/docs">API documentation</a></li></ul></div></div>'
  )
}
