import { useState } from 'preact/hooks'
import { ask } from '../lib/api.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'

/** Sends an email with a code through the service's own SMTP listener, as an application would. */
export function SendTestMail({ address }: { address: string }) {
  const [problem, setProblem] = useState<ApiProblem>()
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    setProblem(undefined)
    await ask('/api/test-mail', { method: 'POST', body: { address } }).catch(setProblem)
    setBusy(false)
  }
  return (
    <>
      <p>
        <button type="button" class="primary" onClick={send} disabled={isBusy}>
          <Icon name="send" />
          Send a test email
        </button>
      </p>
      {problem && <Problem problem={problem} onDismiss={() => setProblem(undefined)} />}
    </>
  )
}
