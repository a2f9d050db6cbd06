import type { RefObject } from 'preact'
import type { Email } from '../lib/api.ts'
import { ago, bytes, dateTime, person, until } from '../lib/format.ts'

interface Props {
  email: Email
  now: number
  heading: RefObject<HTMLHeadingElement | null>
}

/** What the mail is: its subject, and the facts on one line, all of them on demand. */
export function MailHead({ email, now, heading }: Props) {
  const { subject, from, to, cc, received_at, expires_at, size, address } = email
  return (
    <div class="mail-head">
      <h2 ref={heading} tabIndex={-1} dir="auto">
        {subject || 'No subject'}
      </h2>
      <details class="facts-line">
        <summary>
          <span class="from" dir="auto">
            {person(from)}
          </span>
          <span class="fine">
            <time dateTime={received_at} title={dateTime(received_at)}>
              {ago(received_at, now)}
            </time>{' '}
            · gone {until(expires_at, now)}
          </span>
        </summary>
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
          <dt>Kept until</dt>
          <dd>{dateTime(expires_at)}</dd>
          <dt>Size</dt>
          <dd>{bytes(size)}</dd>
        </dl>
      </details>
    </div>
  )
}
