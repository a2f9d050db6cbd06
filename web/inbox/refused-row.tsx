import { type Refusal, settingFor } from '../all-mail/refusals.ts'
import { age, dateTime } from '../lib/format.ts'
import { Icon } from '../ui/icon.tsx'
import { Recipient } from './row.tsx'

/** Mail that was refused, among the emails: who sent it to whom, why not, and what would accept it. */
export function RefusedRow({ refusal, nowMs }: { refusal: Refusal; nowMs: number }) {
  const { at, mail_from, recipient, code, reply } = refusal
  const setting = settingFor(refusal)
  return (
    <li class="row refused fine">
      <Icon name="close" />
      <span class="sender clip">
        {recipient !== null && <Recipient name={recipient} />}
        {mail_from ?? 'no sender'}
      </span>
      <span class="facts-end small">
        <time dateTime={at} title={dateTime(at)}>
          {age(at, nowMs)}
        </time>
      </span>
      <p>
        <strong class="bad">Refused: {code}</strong> {reply}
      </p>
      {setting !== undefined && <p>{setting}</p>}
    </li>
  )
}
