import { useState } from 'preact/hooks'
import { domainOf } from '../lib/api.ts'
import { baseUrl } from '../lib/base.ts'
import { credentials } from '../lib/credentials.ts'
import { Command } from '../ui/command.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { type Filter, type SnippetInbox, waitSnippets } from './snippets.ts'

/** Code that waits for an email with this filter, in several languages. */
export function SnippetTabs({ address, filter }: { address: string; filter: Filter }) {
  const [selected, setSelected] = useState<string>()
  const tabs = waitSnippets(snippetInbox(address), filter).map(({ label, text }) => ({
    label,
    content: () => <Command text={text} what={`${label} code`} />,
  }))
  return <Tabs label="Languages" tabs={tabs} selected={selected} onSelect={setSelected} />
}

/** This inbox for snippets. It is private if this tab has opened it with a domain key. */
export function snippetInbox(address: string): SnippetInbox {
  const isPrivate = credentials.domainKey(domainOf(address)) !== undefined
  return { base: baseUrl(), address, isPrivate }
}
