import { Component } from 'preact'
import type { Email } from '../lib/api.ts'
import { ago, dateTime } from '../lib/format.ts'
import { Copy } from '../ui/copy.tsx'
import { Icon } from '../ui/icon.tsx'

interface Props {
  email: Email
  /** px from the top of the list. */
  top: number
  /** Its place in the list, from 1, for who hears it; and how many there are, -1 where nobody knows. */
  position: number
  total: number
  unread: boolean
  current: boolean
  chosen: boolean
  /** The minute that it is, by which times are told. */
  minute: number
  href: string
  choose: (id: string, through: boolean) => void
}

/** Drawn again only when something of it has changed: there may be thousands. */
export class Row extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    return (Object.keys(next) as (keyof Props)[]).some((name) => next[name] !== this.props[name])
  }

  override render() {
    const { email, top, position, total, unread, current, chosen, minute, href, choose } = this.props
    const { id, from, subject, body_text, codes, received_at, attachment_count } = email
    const sender = from.name || from.address || 'Unknown sender'
    return (
      <li
        class="row"
        style={{ top: `${top}px` }}
        aria-posinset={position}
        aria-setsize={total}
        data-unread={unread}
        data-current={current}
        data-chosen={chosen}
      >
        <label class="choose">
          <input
            type="checkbox"
            checked={chosen}
            aria-label={`Select ${subject || 'the mail without a subject'}`}
            onClick={(event) => choose(id, event.shiftKey)}
          />
        </label>
        <div class="row-top">
          <span class="sender" dir="auto">
            {sender}
          </span>
          {attachment_count > 0 && (
            <span class="fine" title="Has attachments">
              <Icon name="clip" />
              <span class="visually-hidden">with attachments</span>
            </span>
          )}
          <time dateTime={received_at} title={dateTime(received_at)}>
            {ago(received_at, (minute + 1) * 60_000)}
          </time>
        </div>
        <div class="row-middle">
          <a
            class="subject"
            href={href}
            dir="auto"
            aria-current={current ? 'true' : undefined}
            data-mail={id}
          >
            {unread && <span class="visually-hidden">Unread: </span>}
            {subject.slice(0, 200) || 'No subject'}
          </a>
          {codes[0] !== undefined && (
            <Copy text={codes[0]} what={`code ${codes[0]}`} class="code small">
              {codes[0]}
            </Copy>
          )}
        </div>
        <p class="snippet" dir="auto">
          {body_text.slice(0, 160)}
        </p>
      </li>
    )
  }
}
