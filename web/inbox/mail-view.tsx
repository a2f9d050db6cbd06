import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Email, WholeEmail } from '../lib/api.ts'
import { placeHash } from '../lib/place.ts'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { ActionBar } from './action-bar.tsx'
import { AttachmentList, InlineImages } from './attachments.tsx'
import type { InboxStore } from './inbox-store.ts'
import { MailBody } from './mail-body.tsx'
import { MailHead } from './mail-head.tsx'
import { MailTools } from './mail-tools.tsx'
import { useOpened } from './opened.ts'

interface Props {
  store: InboxStore
  id: string
  now: number
  open: (id: string | undefined) => void
  remove: (ids: string[]) => void
}

/** One email with everything that can be done with it. */
export function MailView({ store, id, now, open, remove }: Props) {
  const opened = useOpened(store, id)
  const [isDismissed, setDismissed] = useState(false)
  const section = useRef<HTMLElement>(null)
  const heading = useId()
  const { whole, problem } = opened
  const isGone = store.isGone(id) || problem?.code === 'email_not_found'
  const email: Email | undefined = isGone ? undefined : (whole ?? opened.summary ?? store.find(id))
  const isShown = email !== undefined
  useLayoutEffect(() => {
    // Keyboard and screen reader continue here: the next Tab reaches the tools of the email. After the
    // page is drawn it would be too late: a key may have moved the focus by then, such as to the search.
    if (isShown) section.current?.focus({ preventScroll: true })
  }, [isShown])

  return (
    <section
      class="mail"
      ref={section}
      tabIndex={-1}
      {...(isShown ? { 'aria-labelledby': heading } : { 'aria-label': 'Email' })}
    >
      <div class="mail-bar split">
        <button type="button" class="quiet narrow-only" onClick={() => open(undefined)}>
          <Icon name="back" />
          All emails
        </button>
        {email && <MailTools store={store} email={email} whole={whole} remove={remove} />}
      </div>
      {email && <MailHead email={email} whole={whole} now={now} heading={heading} />}
      {isGone && <p class="nothing">This email is gone: it was deleted or has expired.</p>}
      {problem && !isGone && !isDismissed && (
        <Problem problem={problem} onDismiss={() => setDismissed(true)}>
          {email && problem.code.startsWith('domain_key_') && (
            <a class="button" href={placeHash({ address: email.address, id })}>
              Open its inbox
            </a>
          )}
        </Problem>
      )}
      {email && (
        <>
          <ActionBar email={email} />
          {whole && <Parts store={store} whole={whole} />}
          <MailBody store={store} email={email} whole={whole} />
          {whole && <InlineImages store={store} email={whole} />}
        </>
      )}
    </section>
  )
}

function Parts({ store, whole }: { store: InboxStore; whole: WholeEmail }) {
  return (
    <>
      {whole.parse_error !== undefined && (
        <p class="notice">
          Parts of this message could not be read: {whole.parse_error}. The source is complete.
        </p>
      )}
      <AttachmentList store={store} email={whole} />
    </>
  )
}
