import { useState } from 'preact/hooks'
import type { Email, WholeEmail } from '../lib/api.ts'
import { settings } from '../lib/settings.ts'
import { useStore } from '../lib/store.ts'
import { type Tab, Tabs } from '../ui/tabs.tsx'
import { HtmlCheck } from './html-check.tsx'
import { HtmlView, type ViewOptions, ViewTools } from './html-view.tsx'
import type { InboxStore } from './inbox-store.ts'
import { LinkList } from './link-list.tsx'
import { AS_IS } from './shown-as.ts'
import { HeaderTable, SourceView } from './technical.tsx'
import { TextView } from './text-view.tsx'

/** The service lists at most this many links of an email (contract, Email object). */
const LINKS_MAX = 50

interface Props {
  store: InboxStore
  email: Email
  whole: WholeEmail | undefined
}

type View = 'html' | 'text' | 'links' | 'check' | 'headers' | 'source'

/** The email in its views. */
export function MailBody({ store, email, whole }: Props) {
  const [selected, setSelected] = useState<string>()
  const { remoteImages } = useStore(settings)
  const [options, setOptions] = useState<ViewOptions>({ remote: false, shownAs: AS_IS })
  const [line, setLine] = useState<number>()
  const view = { ...options, remote: options.remote || remoteImages }
  const html = whole?.body_html ?? null
  const showLine = (number: number) => {
    setLine(number)
    setSelected('source')
  }
  const tabs: (Tab & { id: View })[] = [
    {
      id: 'html',
      label: 'HTML',
      isDisabled: html === null,
      content: () => whole && <HtmlView api={store.api} email={whole} options={view} />,
    },
    { id: 'text', label: 'Text', content: () => <TextView email={whole ?? email} /> },
    {
      id: 'links',
      label: linkLabel(email),
      isDisabled: email.links.length === 0,
      content: () => <LinkList store={store} email={email} html={html} />,
    },
    {
      id: 'check',
      label: 'HTML check',
      isDisabled: html === null,
      content: () => html !== null && <HtmlCheck html={html} onLine={showLine} />,
    },
    {
      id: 'headers',
      label: 'Headers',
      isDisabled: whole === undefined,
      content: () => whole && <HeaderTable email={whole} />,
    },
    {
      id: 'source',
      label: 'Source',
      isDisabled: whole === undefined,
      content: () => whole && <SourceView store={store} email={whole} line={line} />,
    },
  ]
  const shown = tabs.find(({ id, isDisabled }) => id === selected && !isDisabled)
  const isHtml = html !== null && (shown === undefined || shown.id === 'html')
  return (
    <Tabs
      label="Views of the email"
      tabs={tabs}
      selected={selected}
      onSelect={(id) => {
        setLine(undefined)
        setSelected(id)
      }}
      tools={isHtml && <ViewTools html={html} options={view} onChange={setOptions} />}
    />
  )
}

function linkLabel({ links }: Email): string {
  return `Links ${links.length}${links.length >= LINKS_MAX ? '+' : ''}`
}
