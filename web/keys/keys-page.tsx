import { useState } from 'preact/hooks'
import { GenerateKey } from './generate-key.tsx'
import { LookUp } from './look-up.tsx'
import { UseHere } from './use-here.tsx'

export function KeysPage() {
  const [generated, setGenerated] = useState<string>()
  return (
    <div class="page">
      <div class="intro stack tight">
        <h1>API keys</h1>
        <p>
          An API key reads whole emails, waits for codes, deletes emails and creates webhooks. Keys are free
          and need no account. A key allows 120 requests a minute and is valid for 30 days.
        </p>
        <p class="fine">The inbox page needs no key.</p>
      </div>
      <div class="stack">
        <section class="card stack" aria-labelledby="generate">
          <h2 id="generate">Generate a key</h2>
          <GenerateKey purpose="" onKey={setGenerated} />
          {generated !== undefined && <UseHere apiKey={generated} />}
        </section>
        <section class="card stack" aria-labelledby="look-up">
          <h2 id="look-up">Look up or revoke a key</h2>
          <LookUp />
        </section>
      </div>
    </div>
  )
}
