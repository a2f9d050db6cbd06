import { useState } from 'preact/hooks'
import { Copy } from '../ui/copy.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { EXAMPLES, type Example } from './examples.ts'
import { ReferenceView } from './reference.tsx'

export function DocsPage() {
  const [selected, setSelected] = useState('curl')
  const tabs = EXAMPLES.map((example) => ({
    id: example.id,
    label: example.label,
    content: () => <Code example={example} />,
  }))
  return (
    <div class="page wide">
      <div class="intro">
        <h1>API</h1>
        <p>
          Take an address, let something send mail to it, and read the code. Nothing has to be created first:
          every address on a <a href="/domains">registered domain</a> receives mail.
        </p>
      </div>
      <section aria-labelledby="examples">
        <h2 id="examples">Examples</h2>
        <Tabs label="Languages" tabs={tabs} selected={selected} onSelect={setSelected} />
      </section>
      <Reference />
    </div>
  )
}

function Code({ example: { code, label, note } }: { example: Example }) {
  const text = code(location.origin)
  return (
    <div class="example">
      <div class="example-head">
        <p class="fine">{note}</p>
        <Copy text={text} what={`${label} example`}>
          Copy
        </Copy>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also by keyboard */}
      <pre tabIndex={0}>{text}</pre>
    </div>
  )
}

function Reference() {
  return (
    <section aria-labelledby="reference">
      <h2 id="reference">Reference</h2>
      <p>
        Made from <a href="/api/openapi.json">the OpenAPI document</a> of this service. Requests are sent for
        real.
      </p>
      <ReferenceView />
    </section>
  )
}
