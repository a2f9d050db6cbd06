import { useState } from 'preact/hooks'
import type { Email } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { dateTime, fromNow, plural } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Copy } from '../ui/copy.tsx'
import { Confirm } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import type { InboxStore } from './inbox-store.ts'
import { found } from './merge.ts'

interface Props {
  store: InboxStore
  selected: string | undefined
  now: number
  hrefOf: (id: string) => string
  onKey: () => void
}

export function MailList({ store, selected, now, hrefOf, onKey }: Props) {
  const [search, setSearch] = useState('')
  const shown =
    search.trim() === '' ? store.emails : store.emails.filter((email) => found(email, search.trim()))
  return (
    <section class="mail-list" aria-label="Mails">
      <div class="search">
        <Icon name="search" />
        <input
          type="search"
          aria-label="Search mails"
          placeholder="Search"
          value={search}
          onInput={(event) => setSearch(event.currentTarget.value)}
        />
      </div>
      <div class="list-head">
        <p role="status">
          {search.trim() === ''
            ? `${plural(shown.length, 'mail')}${store.unread > 0 ? `, ${store.unread} unread` : ''}`
            : `${shown.length} of ${plural(store.emails.length, 'mail')}`}
        </p>
        {store.emails.length > 0 && <DeleteAll store={store} onKey={onKey} />}
      </div>
      {shown.length === 0 && (
        <p class="nothing">{search.trim() === '' ? 'No mail here any more.' : 'No mail has these words.'}</p>
      )}
      <ul>
        {shown.map((email) => (
          <Row
            key={email.id}
            email={email}
            unread={store.isUnread(email)}
            current={email.id === selected}
            now={now}
            href={hrefOf(email.id)}
          />
        ))}
      </ul>
      {store.nextCursor !== null && (
        <button type="button" class="quiet older" onClick={() => store.older()}>
          Show older mails
        </button>
      )}
    </section>
  )
}

interface RowProps {
  email: Email
  unread: boolean
  current: boolean
  now: number
  href: string
}

function Row({ email, unread, current, now, href }: RowProps) {
  const { from, subject, body_text, codes, received_at, attachment_count } = email
  return (
    <li class="row" data-unread={unread} data-current={current}>
      <div class="row-top">
        <span class="sender">{from.name || from.address || 'Unknown sender'}</span>
        <time dateTime={received_at} title={dateTime(received_at)}>
          {fromNow(received_at, now)}
        </time>
      </div>
      <a class="subject" href={href} aria-current={current ? 'true' : undefined}>
        {unread && <span class="visually-hidden">Unread: </span>}
        {subject || 'No subject'}
      </a>
      <p class="snippet">{body_text.slice(0, 160)}</p>
      {(codes.length > 0 || attachment_count > 0) && (
        <div class="row-extras">
          {codes[0] !== undefined && (
            <Copy text={codes[0]} what={`code ${codes[0]}`} class="code small">
              {codes[0]}
            </Copy>
          )}
          {attachment_count > 0 && (
            <span class="fine">
              <Icon name="clip" />
              {plural(attachment_count, 'attachment')}
            </span>
          )}
        </div>
      )}
    </li>
  )
}

function DeleteAll({ store, onKey }: { store: InboxStore; onKey: () => void }) {
  const [asking, setAsking] = useState(false)
  const [problem, setProblem] = useState<ApiProblem>()
  const clear = () => {
    setProblem(undefined)
    store.clear(credentials.apiKey!).catch(setProblem)
  }
  return (
    <>
      <button
        type="button"
        class="quiet"
        onClick={() => (credentials.apiKey === undefined ? onKey() : setAsking(true))}
      >
        <Icon name="trash" />
        Delete all
      </button>
      {asking && (
        <Confirm
          title="Delete every mail?"
          text={`All mail of ${store.address} is deleted, with its attachments. It cannot be brought back.`}
          action="Delete all"
          onConfirm={clear}
          onClose={() => setAsking(false)}
        />
      )}
      {problem && <Problem problem={problem} />}
    </>
  )
}
