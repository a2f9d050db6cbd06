import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'
import type { Verification } from './verification.ts'

/** A record that was only made up here is neither found nor missing. */
type DnsRecord = Omit<Verification['records'][number], 'found'> & { found?: boolean }

export function RecordList({ records }: { records: DnsRecord[] }) {
  return (
    <ul class="records" aria-label="DNS records">
      {records.map((record) => (
        <RecordCard key={`${record.type} ${record.name} ${record.value}`} record={record} />
      ))}
    </ul>
  )
}

export function RecordCard({ record: { type, name, value, purpose, found } }: { record: DnsRecord }) {
  return (
    <li class="record" data-found={found}>
      <div class="record-head">
        <span class="record-type">{type}</span>
        <span class="record-purpose">{purpose}</span>
        {found !== undefined && (
          <span class="found">
            {found && <Icon name="check" />}
            {found ? 'Found' : 'Not found'}
          </span>
        )}
      </div>
      <dl class="record-parts">
        <dt>Name</dt>
        <dd>
          <code>{name}</code>
          <Copy text={name} what={`${type} name`} />
        </dd>
        <dt>Value</dt>
        <dd>
          <code>{value}</code>
          <Copy text={value} what={`${type} value`} />
        </dd>
      </dl>
    </li>
  )
}
