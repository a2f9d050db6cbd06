import type { Email, WholeEmail } from '../lib/api.ts'
import { ago, bytes, dateTime, person, until } from '../lib/format.ts'
import { VerdictList } from './technical.tsx'

interface Props {
  email: Email
  whole: WholeEmail | undefined
  now: number
  /** The id of the subject. */
  heading?: string
}

/** The subject, and the sender and the times in one line that expands to all facts. */
export function MailHead({ email, whole, now, heading }: Props) {
  const { subject, from, received_at, expires_at } = email
  return (
    <div class="mail-head">
      <h2 id={heading} dir="auto">
        {subject || 'No subject'}
      </h2>
      <details>
        <summary class="cluster nowrap">
          <span class="clip" dir="auto">
            {person(from)}
          </span>
          {whole && <VerdictList verdicts={whole.verdicts} only="fail" />}
          <span class="fine">
            <time dateTime={received_at} title={dateTime(received_at)}>
              {ago(received_at, now)}
            </time>
            <span class="wide-only"> · expires {until(expires_at, now)}</span>
          </span>
          <span class="fine more">Details</span>
        </summary>
        <Facts email={email} whole={whole} />
      </details>
    </div>
  )
}

function Facts({ email, whole }: Pick<Props, 'email' | 'whole'>) {
  const { from, to, cc, received_at, expires_at, size, address } = email
  return (
    <dl class="facts">
      <dt>From</dt>
      <dd dir="auto">{person(from)}</dd>
      <dt>To</dt>
      <dd dir="auto">{to.length > 0 ? to.map(person).join(', ') : address}</dd>
      {cc.length > 0 && (
        <>
          <dt>Cc</dt>
          <dd dir="auto">{cc.map(person).join(', ')}</dd>
        </>
      )}
      <dt>Received</dt>
      <dd>{dateTime(received_at)}</dd>
      <dt>Expires</dt>
      <dd>{dateTime(expires_at)}</dd>
      <dt>Size</dt>
      <dd>{bytes(size)}</dd>
      {whole && Object.values(whole.verdicts).some((verdict) => verdict !== null) && (
        <>
          <dt>Checks</dt>
          <dd>
            <VerdictList verdicts={whole.verdicts} />
          </dd>
        </>
      )}
    </dl>
  )
}
