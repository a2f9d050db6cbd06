import { useEffect, useState } from 'preact/hooks'
import type { Email, WholeEmail } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { bytes, dateTime, fromNow, person } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { useStore } from '../lib/store.ts'
import { Copy } from '../ui/copy.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { AttachmentList } from './attachments.tsx'
import { HtmlView } from './html-view.tsx'
import type { InboxStore } from './inbox-store.ts'
import { LinkList } from './link-list.tsx'
import { HeaderTable, RawSource, VerdictList } from './technical.tsx'

interface Props {
  store: InboxStore
  id: string | undefined
  now: number
  listHref: string
  onLeave: () => void
  onKey: () => void
}

export function MailView({ store, id, now, listHref, onLeave, onKey }: Props) {
  const { apiKey } = useStore(credentials)
  const [whole, setWhole] = useState<WholeEmail>()
  const [problem, setProblem] = useState<ApiProblem>()
  useEffect(() => {
    setProblem(undefined)
    setWhole(undefined)
    if (id === undefined) return
    store.markOpened(id)
    if (apiKey !== undefined) store.whole(id, apiKey).then(setWhole, setProblem)
  }, [id, apiKey])

  const email: Email | undefined = whole ?? store.emails.find((listed) => listed.id === id)
  if (id === undefined) {
    return (
      <section class="mail-view none" aria-label="Mail">
        <p>Choose a mail to read it.</p>
      </section>
    )
  }
  return (
    <section class="mail-view" aria-label="Mail">
      <a class="back" href={listHref}>
        <Icon name="back" />
        All mails
      </a>
      {email ? (
        <>
          <MailHead email={email} now={now}>
            <DeleteOne store={store} id={id} onDeleted={onLeave} onKey={onKey} />
          </MailHead>
          <Codes codes={email.codes} />
          <LinkList links={email.links} />
          <MailBody email={email} whole={whole} />
        </>
      ) : (
        (apiKey === undefined || problem) && <p>This mail is deleted, has expired, or is not in the list.</p>
      )}
      {problem && <KeyProblem problem={problem} onKey={onKey} />}
      {apiKey === undefined && email && (
        <div class="invite">
          <p>HTML, attachments, headers, the raw message and deletion are for API keys. They are free.</p>
          <button type="button" onClick={onKey}>
            <Icon name="key" />
            Get or enter a key
          </button>
        </div>
      )}
    </section>
  )
}

function KeyProblem({ problem, onKey }: { problem: ApiProblem; onKey: () => void }) {
  return (
    <Problem problem={problem}>
      {problem.code.startsWith('api_key') && (
        <p class="actions">
          <button type="button" onClick={onKey}>
            Change the key
          </button>
        </p>
      )}
    </Problem>
  )
}

function MailHead({
  email,
  now,
  children,
}: {
  email: Email
  now: number
  children: preact.ComponentChildren
}) {
  const { subject, from, to, cc, received_at, expires_at, size } = email
  return (
    <div class="mail-head">
      <div class="mail-title">
        <h2>{subject || 'No subject'}</h2>
        {children}
      </div>
      <dl class="facts">
        <dt>From</dt>
        <dd>{person(from)}</dd>
        {to.length > 0 && (
          <>
            <dt>To</dt>
            <dd>{to.map(person).join(', ')}</dd>
          </>
        )}
        {cc.length > 0 && (
          <>
            <dt>Cc</dt>
            <dd>{cc.map(person).join(', ')}</dd>
          </>
        )}
        <dt>Received</dt>
        <dd>
          <time dateTime={received_at}>{dateTime(received_at)}</time>
          <span class="fine">
            {' '}
            · {bytes(size)} · kept until {dateTime(expires_at)} ({fromNow(expires_at, now)})
          </span>
        </dd>
      </dl>
    </div>
  )
}

function Codes({ codes }: { codes: string[] }) {
  if (codes.length === 0) return null
  return (
    <div class="codes">
      {codes.map((code) => (
        <Copy key={code} text={code} what={`code ${code}`} class="code">
          {code}
        </Copy>
      ))}
    </div>
  )
}

function MailBody({ email, whole }: { email: Email; whole: WholeEmail | undefined }) {
  const [tab, setTab] = useState('html')
  if (whole === undefined) return <TextBody email={email} />
  const tabs = [
    { id: 'text', label: 'Text', content: () => <TextBody email={whole} /> },
    { id: 'headers', label: 'Headers', content: () => <HeaderTable email={whole} /> },
    { id: 'raw', label: 'Source', content: () => <RawSource email={whole} /> },
  ]
  if (whole.body_html !== null) {
    tabs.unshift({ id: 'html', label: 'HTML', content: () => <HtmlView email={whole} /> })
  }
  return (
    <>
      {whole.parse_error !== undefined && (
        <p class="notice">
          This message could not be read as a whole: {whole.parse_error}. Its source has all of it.
        </p>
      )}
      <VerdictList verdicts={whole.verdicts} />
      <AttachmentList email={whole} />
      <Tabs label="Views of the mail" tabs={tabs} selected={tab} onSelect={setTab} />
    </>
  )
}

function TextBody({ email }: { email: Email }) {
  if (email.body_text.trim() === '') return <p class="nothing">This mail has no text.</p>
  return (
    <div class="text-body">
      <pre>{email.body_text}</pre>
      {email.body_text_truncated && <p class="notice">Cut off here; with an API key the text is whole.</p>}
    </div>
  )
}

interface DeleteProps {
  store: InboxStore
  id: string
  onDeleted: () => void
  onKey: () => void
}

function DeleteOne({ store, id, onDeleted, onKey }: DeleteProps) {
  const [asking, setAsking] = useState(false)
  const [problem, setProblem] = useState<ApiProblem>()
  const remove = () => {
    setProblem(undefined)
    store.remove(id, credentials.apiKey!).then(onDeleted, setProblem)
  }
  return (
    <>
      <button
        type="button"
        class="quiet"
        onClick={() => (credentials.apiKey === undefined ? onKey() : setAsking(true))}
      >
        <Icon name="trash" />
        Delete
      </button>
      {asking && (
        <Confirm
          title="Delete this mail?"
          text="It is deleted with its attachments and cannot be brought back."
          action="Delete"
          onConfirm={remove}
          onClose={() => setAsking(false)}
        />
      )}
      {problem && <Problem problem={problem} />}
    </>
  )
}
