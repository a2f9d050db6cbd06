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
          Programs need an API key to read whole emails, wait for codes, delete emails and create webhooks.
          Keys are free and need no account. A key allows 120 requests a minute and is valid for 30 days.
        </p>
        <p class="fine">The inbox itself needs no key.</p>
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
