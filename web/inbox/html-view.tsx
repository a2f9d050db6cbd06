import { useState } from 'preact/hooks'
import type { WholeEmail } from '../lib/api.ts'
import { Kept } from '../lib/storage.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import type { MailApi } from './mail-api.ts'
import { MailFrame } from './mail-frame.tsx'

/**
 * Images that a mail client would fetch from elsewhere: in an element, an attribute or a style. Only decides
 * whether to offer that; what is loaded is up to the frame's policy.
 */
const REMOTE =
  /<(?:img|source|video|input|image|table|td|th|tr|body|div)\b[^>]*?\b(?:src|srcset|background|poster|href)\s*=\s*["']?\s*(?:https?:)?\/\/|url\(\s*["']?\s*(?:https?:)?\/\//i

const IMAGES = 'mayfly.remote-images'
const kept = new Kept('localStorage')

const WIDTHS = [
  { id: 'phone', label: 'As wide as a phone', px: 375 },
  { id: 'tablet', label: 'As wide as a tablet', px: 768 },
  { id: 'full', label: 'Full width', px: undefined },
] as const satisfies { id: IconName; label: string; px: number | undefined }[]

interface Props {
  store: { api: MailApi }
  email: WholeEmail
}

/** A mail's HTML, as wide and as light as its reader wants to see it. */
export function HtmlView({ store, email }: Props) {
  const [remote, setRemote] = useState(kept.get(IMAGES) === 'always')
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>(WIDTHS[2])
  const [dark, setDark] = useState(false)
  return (
    <>
      {!remote && REMOTE.test(email.body_html!) && (
        <div class="notice">
          <p>Images from elsewhere are blocked: loading them tells the sender that the mail was opened.</p>
          <button type="button" onClick={() => setRemote(true)}>
            Load images
          </button>
          <button
            type="button"
            onClick={() => {
              kept.set(IMAGES, 'always')
              setRemote(true)
            }}
          >
            Always
          </button>
        </div>
      )}
      <fieldset class="view-tools">
        <legend class="visually-hidden">How the mail is shown</legend>
        {WIDTHS.map((each) => (
          <button
            key={each.id}
            type="button"
            class="quiet"
            aria-pressed={each === width}
            aria-label={each.label}
            title={each.label}
            onClick={() => setWidth(each)}
          >
            <Icon name={each.id} />
          </button>
        ))}
        <button
          type="button"
          class="quiet"
          aria-pressed={dark}
          aria-label="Dark"
          title="As in a dark mail program"
          onClick={() => setDark(!dark)}
        >
          <Icon name="dark" />
        </button>
        {remote && kept.get(IMAGES) === 'always' && (
          <button
            type="button"
            class="quiet"
            onClick={() => {
              kept.remove(IMAGES)
              setRemote(false)
            }}
          >
            Block images again
          </button>
        )}
      </fieldset>
      <div class="frame-box" style={{ maxWidth: width.px === undefined ? 'none' : `${width.px}px` }}>
        <MailFrame api={store.api} email={email} remote={remote} dark={dark} />
      </div>
    </>
  )
}
