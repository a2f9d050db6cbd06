import { useEffect, useState } from 'preact/hooks'
import { freshAddress } from '../inbox/fresh-address.ts'
import { snippetInbox } from '../inbox/snippet-tabs.tsx'
import { waitSnippets } from '../inbox/snippets.ts'
import { BASE_PATH, baseUrl } from '../lib/base.ts'
import { placeHash } from '../lib/place.ts'
import { recentAddresses } from '../lib/recent.ts'
import { Command } from '../ui/command.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { EXAMPLES } from './examples.ts'

const NOTES: Record<string, string> = {
  javascript:
    'The package @mayfly/client, for Node 20 or newer. On the machine of the service, no key is needed.',
  python: 'The package mayfly-client, for Python 3.10 or newer, without dependencies.',
  playwright: 'Each test has an inbox of its own; the report of a failed test has the emails that arrived.',
  command: 'The command of the package mayfly prints the email as JSON.',
  curl: 'The key is read from the environment, or from the file that a service of this machine writes.',
}

let chosen: Promise<string> | undefined

/** The reader's own address: the latest of this browser, otherwise a new one, which is the same everywhere here. */
export function useOwnAddress(): string | undefined {
  const [address, setAddress] = useState(() => recentAddresses()[0])
  useEffect(() => {
    if (address !== undefined) return
    chosen ??= freshAddress()
    chosen.then(setAddress, () => {})
  }, [])
  return address
}

/** The examples, with the address of this service and of the reader. */
export function ExampleTabs() {
  const [selected, setSelected] = useState<string>()
  const address = useOwnAddress()
  if (address === undefined) return <p class="nothing">Choosing an address…</p>
  const own = waitSnippets(snippetInbox(address), { has: 'code' }).map(({ id, label, text }) => ({
    id,
    label,
    note: NOTES[id] ?? '',
    text,
  }))
  const others = EXAMPLES.map(({ code, ...example }) => ({ ...example, text: code(baseUrl()) }))
  const tabs = [...own, ...others].map(({ label, note, text }) => ({
    label,
    content: () => (
      <div class="stack tight">
        <p class="fine">{note}</p>
        <Command text={text} what={`${label} example`} />
      </div>
    ),
  }))
  return (
    <div class="stack tight">
      <p>
        Your address is <a href={`${BASE_PATH}/${placeHash({ address })}`}>{address}</a>. Each example waits
        for a code that is sent to it.
      </p>
      <Tabs label="Languages" tabs={tabs} selected={selected} onSelect={setSelected} />
    </div>
  )
}
