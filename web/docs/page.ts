import { contentsHtml, referenceHtml } from './reference.ts'

/** The documentation of the API; main.tsx adds the examples, which contain the address of the service. */
export function docsBody(): string {
  return `<div class="page"><div class="intro stack tight"><h1>API documentation</h1>
<p>Choose an address, let your application send mail to it, and read the code. There is nothing to set up first: every address on a <a href="/domains">registered domain</a> receives mail.</p>
<p class="fine">The reference is generated from <a href="/api/openapi.json">the OpenAPI document</a>.</p>
<nav class="stack tight" aria-label="Contents"><input id="find" type="search" placeholder="Find an operation" aria-label="Find an operation" autocomplete="off">
<a href="#examples">Examples</a>${contentsHtml()}</nav></div>
<div class="stack"><section class="card stack" aria-labelledby="examples"><h2 id="examples">Examples</h2><div id="example-tabs"><p class="nothing">Loading…</p></div></section>
<section class="card stack" aria-labelledby="reference"><h2 id="reference">Reference</h2>${referenceHtml()}</section></div></div>`
}
