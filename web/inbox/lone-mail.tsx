import { useEffect, useState } from 'preact/hooks'
import type { WholeEmail } from '../lib/api.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Problem } from '../ui/problem.tsx'
import { MailApi } from './mail-api.ts'
import { MailFrame } from './mail-frame.tsx'
import { TextView } from './text-view.tsx'

/** A mail alone in a tab, in the same cage. */
export function LoneMail({ address, id }: { address: string; id: string }) {
  const [api] = useState(() => new MailApi(address))
  const [email, setEmail] = useState<WholeEmail>()
  const [problem, setProblem] = useState<ApiProblem>()
  useEffect(() => {
    document.documentElement.dataset.alone = 'true'
    api.whole(id).then((whole) => {
      document.title = whole.subject || 'No subject'
      setEmail(whole)
    }, setProblem)
  }, [])
  if (problem) return <Problem problem={problem} />
  if (email === undefined) return <p class="loading">Opening the mail…</p>
  return (
    <section class="lone-mail" aria-label={email.subject || 'Mail without a subject'}>
      {email.body_html === null ? (
        <TextView email={email} />
      ) : (
        <MailFrame api={api} email={email} remote={false} dark={false} />
      )}
    </section>
  )
}
