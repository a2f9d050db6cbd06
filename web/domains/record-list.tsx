import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Verification } from './verification.ts'

/** A record that the page has just computed is neither found nor missing. */
type DnsRecord = Omit<Verification['records'][number], 'found'> & { found?: boolean }

export function RecordList({ records, label = 'DNS records' }: { records: DnsRecord[]; label?: string }) {
  return (
    <ul class="stack tight" aria-label={label}>
      {records.map((record) => (
        <RecordCard key={`${record.type} ${record.name} ${record.value}`} record={record} />
      ))}
    </ul>
  )
}

function RecordCard({ record: { type, name, value, purpose, found } }: { record: DnsRecord }) {
  return (
    <li class="record box" data-found={found}>
      <div class="split">
        <span class="cluster">
          <strong>
            <code>{type}</code>
          </strong>
          <span class="fine">{purpose}</span>
        </span>
        {found !== undefined && (
          <span class={`chip ${found ? 'good' : 'warn'}`}>
            {found && <Icon name="check" />}
            {found ? 'Found' : 'Not found'}
          </span>
        )}
      </div>
      <dl class="facts">
        <dt>Name</dt>
        <dd class="split nowrap">
          <code class="wrap">{name}</code>
          <Copy text={name} what={`${type} name`} />
        </dd>
        <dt>Value</dt>
        <dd class="split nowrap">
          <code class="wrap">{value}</code>
          <Copy text={value} what={`${type} value`} />
        </dd>
      </dl>
    </li>
  )
}
