import { useEffect, useMemo, useState } from 'preact/hooks'
import { domainOf, type WholeEmail } from '../lib/api.ts'
import { placeHash } from '../lib/place.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { ActionBar } from './action-bar.tsx'
import { AttachmentList, InlineImages } from './attachments.tsx'
import { DomainKeyForm } from './domain-key-form.tsx'
import { InboxStore } from './inbox-store.ts'
import { MailBody } from './mail-body.tsx'
import { MailHead } from './mail-head.tsx'

/** One email in its own tab, with its subject and sender: without them, a button alone looks like phishing. */
export function LoneMail({ address, id }: { address: string; id: string }) {
  const store = useMemo(() => new InboxStore(address, () => {}), [])
  const [email, setEmail] = useState<WholeEmail>()
  const [problem, setProblem] = useState<ApiProblem>()
  const read = () => {
    setProblem(undefined)
    store.api.whole(id).then((whole) => {
      document.title = `${whole.subject || 'No subject'} · Mayfly`
      setEmail(whole)
    }, setProblem)
  }
  useEffect(read, [])
  const domain = domainOf(address)
  if (problem?.code === 'domain_key_missing' || problem?.code === 'domain_key_invalid') {
    return <DomainKeyForm domain={domain} problem={problem} onKey={read} />
  }
  return (
    <section class="mail lone" aria-label="Email">
      <h1 class="visually-hidden">Email to {address}</h1>
      <p>
        <a class="button quiet" href={placeHash({ address })}>
          <Icon name="back" />
          All emails to {address}
        </a>
      </p>
      {problem && <Problem problem={problem} />}
      {email === undefined && problem === undefined && <p class="nothing">Opening the email…</p>}
      {email && (
        <>
          <MailHead email={email} whole={email} now={Date.now()} />
          <ActionBar email={email} />
          <AttachmentList store={store} email={email} />
          <MailBody store={store} email={email} whole={email} />
          <InlineImages store={store} email={email} />
        </>
      )}
    </section>
  )
}
