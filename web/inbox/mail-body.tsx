import { useState } from 'preact/hooks'
import type { Email, WholeEmail } from '../lib/api.ts'
import { Tabs } from '../ui/tabs.tsx'
import { HtmlView } from './html-view.tsx'
import type { InboxStore } from './inbox-store.ts'
import { HeaderTable, RawSource } from './technical.tsx'
import { LongText, TextView } from './text-view.tsx'

interface Props {
  store: InboxStore
  email: Email
  whole: WholeEmail | undefined
}

/** The mail in its views. */
export function MailBody({ store, email, whole }: Props) {
  const [tab, setTab] = useState('html')
  if (whole === undefined) return <TextView email={email} />
  const html = whole.body_html
  const tabs = [
    { id: 'text', label: 'Text', content: () => <TextView email={whole} /> },
    { id: 'headers', label: 'Headers', content: () => <HeaderTable email={whole} /> },
    { id: 'raw', label: 'Source', content: () => <RawSource store={store} email={whole} /> },
  ]
  if (html !== null) {
    const source = () => <LongText text={html} class="source" />
    tabs.splice(1, 0, { id: 'html-source', label: 'HTML source', content: source })
    tabs.unshift({ id: 'html', label: 'HTML', content: () => <HtmlView store={store} email={whole} /> })
  }
  return <Tabs label="Views of the mail" tabs={tabs} selected={tab} onSelect={setTab} />
}
