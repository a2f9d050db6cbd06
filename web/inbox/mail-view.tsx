import { useEffect, useRef, useState } from 'preact/hooks'
import type { Email, WholeEmail } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { useStore } from '../lib/store.ts'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { ActionBar } from './action-bar.tsx'
import { AttachmentList } from './attachments.tsx'
import type { InboxStore } from './inbox-store.ts'
import { LinkList } from './link-list.tsx'
import { MailBody } from './mail-body.tsx'
import { MailHead } from './mail-head.tsx'
import { MailTools } from './mail-tools.tsx'
import { VerdictList } from './technical.tsx'

interface Props {
  store: InboxStore
  id: string
  now: number
  open: (id: string | undefined) => void
  remove: (ids: string[]) => void
  onKey: () => void
}

/** One mail, with whatever its reader may want to do with it. */
export function MailView({ store, id, now, open, remove, onKey }: Props) {
  const { apiKey } = useStore(credentials)
  const [read, setRead] = useState<Awaited<ReturnType<InboxStore['read']>>>({})
  const heading = useRef<HTMLHeadingElement>(null)
  const fetchMail = () => {
    let wanted = true
    store.read(id).then((answer) => {
      if (wanted) setRead(answer)
    })
    return () => {
      wanted = false
    }
  }
  // Asked for again when there is another key, and when the service is back after it could not answer.
  const failed = read.problem?.passing === true && store.link === 'live'
  useEffect(fetchMail, [id, apiKey, failed])

  const { whole, problem } = read
  const listed = store.find(id)
  const expired = listed === undefined && store.loaded && whole !== undefined && isPast(whole.expires_at, now)
  const gone = store.deletions.has(id) || expired || isGone(store, id, whole)
  const email: Email | undefined = gone ? undefined : (whole ?? read.summary ?? listed)
  const shown = email !== undefined
  useEffect(() => {
    // Whoever opened the mail goes on from its title, by keyboard and by ear.
    if (shown) heading.current?.focus({ preventScroll: true })
  }, [shown])

  return (
    <section class="mail-view" aria-label="Mail">
      <div class="mail-bar">
        <button type="button" class="quiet back" onClick={() => open(undefined)}>
          <Icon name="back" />
          All mails
        </button>
        {email && <MailTools store={store} email={email} whole={whole} remove={remove} />}
      </div>
      {email ? (
        <>
          <MailHead email={email} now={now} heading={heading} />
          <ActionBar email={email} />
          {whole && <Parts store={store} whole={whole} />}
          <LinkList links={email.links} action={email.action_link?.url} />
          <MailBody store={store} email={email} whole={whole} />
        </>
      ) : (
        (gone || problem) && <p class="none">This mail is gone: it was deleted, or its time was up.</p>
      )}
      {problem && !gone && <ReadProblem problem={problem} onKey={onKey} />}
    </section>
  )
}

function Parts({ store, whole }: { store: InboxStore; whole: WholeEmail }) {
  return (
    <>
      {whole.parse_error !== undefined && (
        <p class="notice">
          This message could not be read as a whole: {whole.parse_error}. Its source has all of it.
        </p>
      )}
      <VerdictList verdicts={whole.verdicts} />
      <AttachmentList store={store} email={whole} />
    </>
  )
}

function ReadProblem({ problem, onKey }: { problem: ApiProblem; onKey: () => void }) {
  if (problem.code === 'email_not_found') return null
  return (
    <Problem problem={problem}>
      {(problem.code.startsWith('api_key') || problem.code === 'key_quota_exceeded') && (
        <p class="actions">
          <button type="button" onClick={onKey}>
            Enter a key
          </button>
        </p>
      )}
    </Problem>
  )
}

/** A mail that was listed here and is not any more. One that the list does not reach may still be there. */
function isGone(store: InboxStore, id: string, whole: WholeEmail | undefined): boolean {
  if (!store.loaded || store.find(id) !== undefined) return false
  const oldest = store.emails.at(-1)?.id
  const covered = store.nextCursor === null || (oldest !== undefined && id > oldest)
  return whole !== undefined && covered
}

function isPast(time: string, now: number): boolean {
  return Date.parse(time) <= now
}
