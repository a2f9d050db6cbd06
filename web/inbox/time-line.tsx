import { type Refusal, settingFor } from '../all-mail/refusals.ts'
import { dateTime, person } from '../lib/format.ts'
import { placeHash } from '../lib/place.ts'
import {
  type ClientRequest,
  endOf,
  type MissedEmail,
  outcomeOf,
  positionIn,
  type Session,
  seconds,
  wantedBy,
} from './activity.ts'

interface Props {
  session: Session
  address: string
}

/** Each request as a bar, each email and each refusal as a dot, from the left to the right as time went by. */
export function TimeLine({ session, address }: Props) {
  const { from, to, requests, emails, refusals } = session
  const now = Date.now()
  return (
    <div class="time-line stack tight">
      <p class="split fine">
        <time dateTime={new Date(from).toISOString()}>{clock(from)}</time>
        <span>{seconds(to - from)}</span>
        <time dateTime={new Date(to).toISOString()}>{clock(to)}</time>
      </p>
      {emails.length + refusals.length > 0 && <Dots session={session} address={address} />}
      <ul class="stack tight">
        {requests.map((request) => (
          <li key={`${request.started_at} ${request.target}`}>
            <Bar session={session} request={request} now={now} />
            <Missed missed={request.wait?.missed ?? []} request={request} />
          </li>
        ))}
      </ul>
      <Refused refusals={refusals} />
    </div>
  )
}

function Dots({ session, address }: Props) {
  return (
    <ul class="track dots" aria-label="Emails that arrived or were refused">
      {session.refusals.map(({ at, recipient }) => (
        <li key={`${at} ${recipient}`} style={{ left: `${positionIn(session, Date.parse(at))}%` }}>
          <span class="refused-dot" title={`Refused: for ${recipient}, ${dateTime(at)}`}>
            <span class="visually-hidden">Refused for {recipient}</span>
          </span>
        </li>
      ))}
      {session.emails.map(({ id, from, subject, received_at }) => (
        <li key={id} style={{ left: `${positionIn(session, Date.parse(received_at))}%` }}>
          <a
            href={placeHash({ address, id })}
            title={`${subject || 'No subject'}, from ${person(from)}, ${dateTime(received_at)}`}
          >
            <span class="visually-hidden">
              {subject || 'No subject'} from {person(from)}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

function Bar({ session, request, now }: { session: Session; request: ClientRequest; now: number }) {
  const start = positionIn(session, Date.parse(request.started_at))
  const end = positionIn(session, endOf(request, now))
  const { text, tone } = outcomeOf(request, now)
  return (
    <>
      <p class="split">
        <code class="wrap" title={`${request.method} ${request.target}`}>
          {wantedBy(request)}
        </code>
        <span class={`fine ${tone}`}>{text}</span>
      </p>
      <div class="track">
        <span
          class={`bar ${tone}`}
          data-open={request.status === null}
          style={{ left: `${start}%`, width: `${Math.max(end - start, 0.5)}%` }}
        />
      </div>
    </>
  )
}

/** The emails that arrived while a request waited, the earliest first, and which filter refused each. */
function Missed({ missed, request }: { missed: MissedEmail[]; request: ClientRequest }) {
  if (missed.length === 0) return null
  return (
    <ul class="missed stack tight" aria-label="Emails that did not match">
      {[...missed].reverse().map(({ id, subject, received_at, reasons }) => (
        <li key={id} class="fine">
          <strong>{subject || 'No subject'}</strong> arrived after{' '}
          {seconds(Date.parse(received_at) - Date.parse(request.started_at))} and did not match:
          {reasons.map(({ filter, text }) => (
            <span key={filter} class="reason">
              <code>{filter}:</code> {text}
            </span>
          ))}
        </li>
      ))}
    </ul>
  )
}

/** The mail that the service refused for this inbox or one like it, with the reason and what would accept it. */
function Refused({ refusals }: { refusals: Refusal[] }) {
  if (refusals.length === 0) return null
  return (
    <ul class="missed refused-list stack tight" aria-label="Refused mail">
      {refusals.map((refusal) => (
        <li key={`${refusal.at} ${refusal.recipient}`} class="fine">
          Mail for <strong class="wrap">{refusal.recipient}</strong> was refused at{' '}
          {clock(Date.parse(refusal.at))}:
          <span class="reason">
            <code>{refusal.code}</code> {refusal.reply}
          </span>
          {settingFor(refusal)}
        </li>
      ))}
    </ul>
  )
}

function clock(ms: number): string {
  return new Date(ms).toLocaleTimeString('en', { timeStyle: 'medium' })
}
