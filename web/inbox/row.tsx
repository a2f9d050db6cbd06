import { Component } from 'preact'
import type { Email } from '../lib/api.ts'
import { age, dateTime } from '../lib/format.ts'
import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'

interface Props {
  email: Email
  unread: boolean
  current: boolean
  chosen: boolean
  /** The current minute, from which the age is computed. */
  minute: number
  href: string
  /** The recipient's username, in the list of a whole domain. */
  recipient: string | undefined
  choose: (id: string, through: boolean) => void
}

/** One email of the list. Drawn again only if one of its properties has changed: there may be thousands of rows. */
export class Row extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    return (Object.keys(next) as (keyof Props)[]).some((name) => next[name] !== this.props[name])
  }

  override render() {
    const { email, unread, current, chosen, minute, href, recipient, choose } = this.props
    const { id, from, subject, body_text, codes } = email
    const [code] = codes
    return (
      <li
        class="row fine"
        data-unread={unread}
        data-current={current}
        data-chosen={chosen}
        data-code={code !== undefined}
      >
        <label class="choose">
          <input
            type="checkbox"
            checked={chosen}
            aria-label={`Select ${subject || 'the email without a subject'}`}
            onClick={(event) => choose(id, event.shiftKey)}
          />
        </label>
        <span class="sender clip" dir="auto">
          {recipient !== undefined && <Recipient name={recipient} />}
          {from.name || from.address || 'Unknown sender'}
        </span>
        {facts(email, minute)}
        <a class="subject" href={href} aria-current={current ? 'true' : undefined} data-mail={id}>
          {unread && <span class="visually-hidden">Unread: </span>}
          {/* The direction follows the subject alone, without the English word before it. */}
          <span class="clip" dir="auto">
            {subject.slice(0, 200) || 'No subject'}
          </span>
        </a>
        {code !== undefined && (
          <Copy text={code} what={`code ${code}`} class="code small">
            {code}
          </Copy>
        )}
        <p class="snippet clip" dir="auto">
          {body_text.slice(0, 160)}
        </p>
      </li>
    )
  }
}

/** The recipient before the sender, in a list of several addresses. */
export function Recipient({ name }: { name: string }) {
  return (
    <span class="recipient">
      <span class="visually-hidden">To </span>
      {name}
      <span class="visually-hidden"> from </span>
    </span>
  )
}

/** Whether there are attachments, and the age. */
function facts({ attachment_count, received_at }: Email, minute: number) {
  return (
    <span class="facts-end cluster small">
      {attachment_count > 0 && (
        <span title="Has attachments">
          <Icon name="clip" />
          <span class="visually-hidden">with attachments</span>
        </span>
      )}
      <time dateTime={received_at} title={dateTime(received_at)}>
        {age(received_at, (minute + 1) * 60_000 - 1)}
      </time>
    </span>
  )
}
