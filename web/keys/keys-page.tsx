import { useState } from 'preact/hooks'
import { isLoopbackName } from '../../core/access/loopback.ts'
import { ownKeyFile } from '../inbox/snippets.ts'
import { baseUrl } from '../lib/base.ts'
import { Command } from '../ui/command.tsx'
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
          Tests and scripts need an API key. Keys are free and need no account. A key allows 120 requests a
          minute and is valid for 30 days.
        </p>
        <p class="fine">The inbox itself needs no key.</p>
        {isLoopbackName(location.hostname) && <OwnMachine />}
      </div>
      <div class="stack">
        <section class="card stack" aria-labelledby="generate">
          <h2 id="generate">Generate a key</h2>
          <GenerateKey purpose="" onKey={({ key }) => setGenerated(key)} />
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

/** The service has written the operator's key, which has no limits, to a file of its user. */
function OwnMachine() {
  return (
    <div class="box stack tight">
      <h2>On your own machine</h2>
      <p class="fine">
        You need none: the SDKs and the command find the service’s own key, which has no limits. For other
        programs:
      </p>
      <Command text={`export MAYFLY_API_KEY=$(cat ${ownKeyFile(baseUrl())})`} />
    </div>
  )
}
