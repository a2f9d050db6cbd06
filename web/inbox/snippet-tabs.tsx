import { useState } from 'preact/hooks'
import { Command } from '../ui/command.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { type Filter, waitSnippets } from './snippets.ts'

/** Code that waits for an email with this filter, in several languages. */
export function SnippetTabs({ address, filter }: { address: string; filter: Filter }) {
  const [selected, setSelected] = useState('curl')
  const tabs = waitSnippets(location.origin, address, filter).map(({ id, label, text }) => ({
    id,
    label,
    content: () => <Command text={text} what={`${label} code`} />,
  }))
  return <Tabs label="Languages" tabs={tabs} selected={selected} onSelect={setSelected} />
}
