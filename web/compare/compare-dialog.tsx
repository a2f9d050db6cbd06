import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { InboxStore } from '../inbox/inbox-store.ts'
import { MailFrame } from '../inbox/mail-frame.tsx'
import { useOpened } from '../inbox/opened.ts'
import { AS_IS } from '../inbox/shown-as.ts'
import type { WholeEmail } from '../lib/api.ts'
import { dateTime, person } from '../lib/format.ts'
import { settings } from '../lib/settings.ts'
import { useStore } from '../lib/store.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Problem } from '../ui/problem.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { DiffView } from './diff-view.tsx'

export interface CompareProps {
  store: InboxStore
  /** The newer email, and the older one. */
  ids: readonly [newer: string, older: string]
  onClose: () => void
}

/** Two emails beside each other: their pictures, and what differs in their texts and headers. */
export function CompareDialog({ store, ids: [newer, older], onClose }: CompareProps) {
  const before = useOpened(store, older)
  const after = useOpened(store, newer)
  const problem = before.problem ?? after.problem
  return (
    <Dialog title="Compare two emails" class="full" onClose={onClose}>
      {problem && <Problem problem={problem} />}
      {before.whole && after.whole ? (
        <Comparison store={store} before={before.whole} after={after.whole} />
      ) : (
        !problem && <p class="nothing">Opening the emails…</p>
      )}
    </Dialog>
  )
}

interface PairProps {
  store: InboxStore
  before: WholeEmail
  after: WholeEmail
}

function Comparison({ store, before, after }: PairProps) {
  const [selected, setSelected] = useState<string>()
  const hasHtml = before.body_html !== null || after.body_html !== null
  const tabs = [
    {
      label: 'Rendered',
      content: () => (
        <Columns>
          <Picture store={store} email={before} which="Older" />
          <Picture store={store} email={after} which="Newer" />
        </Columns>
      ),
    },
    {
      label: 'Text',
      content: () => <DiffView before={before.body_text} after={after.body_text} what="text" />,
    },
    {
      label: 'Source',
      isDisabled: !hasHtml,
      content: () => (
        <DiffView before={before.body_html ?? ''} after={after.body_html ?? ''} what="HTML source" />
      ),
    },
    {
      label: 'Headers',
      content: () => <DiffView before={headersOf(before)} after={headersOf(after)} what="headers" />,
    },
  ]
  return (
    <>
      <Columns>
        <Name email={before} which="Older" />
        <Name email={after} which="Newer" />
      </Columns>
      <Tabs label="What is compared" tabs={tabs} selected={selected} onSelect={setSelected} />
    </>
  )
}

function Columns({ children }: { children: ComponentChildren }) {
  return <div class="columns">{children}</div>
}

interface SideProps {
  email: WholeEmail
  which: 'Older' | 'Newer'
}

function Name({ email: { subject, from, received_at }, which }: SideProps) {
  return (
    <div>
      <h3 class="wrap">
        <span class="chip">{which}</span>{' '}
        {/* The direction follows the subject alone, without the English word before it. */}
        <span dir="auto">{subject || 'No subject'}</span>
      </h3>
      <p class="fine wrap" dir="auto">
        {person(from)}, {dateTime(received_at)}
      </p>
    </div>
  )
}

/** An email as it looks: its HTML in its frames, or its text. */
function Picture({ store, email, which }: SideProps & { store: InboxStore }) {
  const { remoteImages } = useStore(settings)
  return (
    <section aria-label={`${which} email`}>
      {email.body_html === null ? (
        <pre class="piece" dir="auto">
          {email.body_text || 'This email has no text.'}
        </pre>
      ) : (
        <MailFrame
          api={store.api}
          email={email}
          remote={remoteImages}
          shownAs={AS_IS}
          marks={NO_MARKS}
          title={`HTML of the ${which.toLowerCase()} email`}
        />
      )}
    </section>
  )
}

/** The same array each time, because another one would draw the emails again. */
const NO_MARKS: never[] = []

function headersOf({ mail_from, address, headers }: WholeEmail): string {
  const envelope = [
    { name: 'Envelope from', value: mail_from ?? 'empty (a bounce)' },
    { name: 'Envelope to', value: address },
  ]
  return [...envelope, ...headers].map(({ name, value }) => `${name}: ${value}`).join('\n')
}
