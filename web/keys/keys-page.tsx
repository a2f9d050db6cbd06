import { useState } from 'preact/hooks'
import { GenerateKey } from '../ui/generate-key.tsx'
import { LookUp } from './look-up.tsx'
import { UseHere } from './use-here.tsx'

export function KeysPage() {
  const [made, setMade] = useState<string>()
  return (
    <div class="page">
      <div class="intro">
        <h1>API keys</h1>
        <p>
          Free, without an account. A key reads whole mails, waits for codes and deletes. It has 120 requests
          a minute and is valid for 30 days.
        </p>
      </div>
      <section class="card" aria-labelledby="generate">
        <h2 id="generate">Generate a key</h2>
        <GenerateKey purpose="" onKey={setMade} />
        {made !== undefined && <UseHere apiKey={made} />}
      </section>
      <section class="card" aria-labelledby="look-up">
        <h2 id="look-up">Look up or revoke a key</h2>
        <LookUp />
      </section>
    </div>
  )
}
