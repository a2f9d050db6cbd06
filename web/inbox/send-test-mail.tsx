import { useState } from 'preact/hooks'
import { ask } from '../lib/api.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'

/** Sends a mail with a code through the service's own SMTP listener, as an application would. */
export function SendTestMail({ address }: { address: string }) {
  const [problem, setProblem] = useState<ApiProblem>()
  const [busy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    setProblem(undefined)
    await ask('/api/test-mail', { method: 'POST', body: { address } }).catch(setProblem)
    setBusy(false)
  }
  return (
    <>
      <p class="actions">
        <button type="button" class="primary" onClick={send} disabled={busy}>
          <Icon name="send" />
          Send a test mail
        </button>
      </p>
      {problem && <Problem problem={problem} />}
    </>
  )
}
