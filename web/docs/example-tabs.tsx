import { useState } from 'preact/hooks'
import { Command } from '../ui/command.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { EXAMPLES } from './examples.ts'

/** The examples, with the address of this service. */
export function ExampleTabs() {
  const [selected, setSelected] = useState('curl')
  const tabs = EXAMPLES.map(({ id, label, note, code }) => ({
    id,
    label,
    content: () => (
      <div class="stack tight">
        <p class="fine">{note}</p>
        <Command text={code(location.origin)} what={`${label} example`} />
      </div>
    ),
  }))
  return <Tabs label="Languages" tabs={tabs} selected={selected} onSelect={setSelected} />
}
