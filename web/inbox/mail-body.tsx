import { useState } from 'preact/hooks'
import type { Email, WholeEmail } from '../lib/api.ts'
import { settings } from '../lib/settings.ts'
import { useStore } from '../lib/store.ts'
import { type Tab, Tabs } from '../ui/tabs.tsx'
import { HtmlCheck } from './html-check.tsx'
import { HtmlView, type ViewOptions, ViewTools } from './html-view.tsx'
import type { InboxStore } from './inbox-store.ts'
import { LinkList } from './link-list.tsx'
import { HeaderTable, SourceView } from './technical.tsx'
import { TextView } from './text-view.tsx'

/** The service lists at most this many links of an email (contract, Email object). */
const LINKS_MAX = 50

interface Props {
  store: InboxStore
  email: Email
  whole: WholeEmail | undefined
}

/** The email in its views. */
export function MailBody({ store, email, whole }: Props) {
  const [selected, setSelected] = useState('html')
  const { remoteImages } = useStore(settings)
  const [options, setOptions] = useState<ViewOptions>({ remote: false, width: 'full', scheme: 'auto' })
  const view = { ...options, remote: options.remote || remoteImages }
  const html = whole?.body_html ?? null
  const tabs: Tab[] = [{ id: 'text', label: 'Text', content: () => <TextView email={whole ?? email} /> }]
  if (email.links.length > 0)
    tabs.push({
      id: 'links',
      label: linkLabel(email),
      content: () => <LinkList store={store} email={email} />,
    })
  if (whole !== undefined) {
    tabs.push({ id: 'headers', label: 'Headers', content: () => <HeaderTable email={whole} /> })
    tabs.push({ id: 'source', label: 'Source', content: () => <SourceView store={store} email={whole} /> })
    if (html !== null) {
      tabs.unshift({
        id: 'html',
        label: 'HTML',
        content: () => <HtmlView api={store.api} email={whole} options={view} />,
      })
      tabs.splice(3, 0, { id: 'check', label: 'HTML check', content: () => <HtmlCheck html={html} /> })
    }
  }
  const isHtml = html !== null && !tabs.some(({ id }) => id === selected && id !== 'html')
  return (
    <Tabs
      label="Views of the email"
      tabs={tabs}
      selected={selected}
      onSelect={setSelected}
      tools={isHtml && <ViewTools html={html} options={view} onChange={setOptions} />}
    />
  )
}

function linkLabel({ links }: Email): string {
  return `Links ${links.length}${links.length >= LINKS_MAX ? '+' : ''}`
}
