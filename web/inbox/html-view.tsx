import type { WholeEmail } from '../lib/api.ts'
import { settings } from '../lib/settings.ts'
import { useDarkPage } from '../ui/dark-page.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { isShownDark, type MailScheme } from './dark-support.ts'
import type { MailSource } from './mail-api.ts'
import { MailFrame } from './mail-frame.tsx'
import { namesRemoteImages } from './remote-images.ts'

const WIDTHS = { phone: 375, tablet: 768, full: undefined } as const
const WIDTH_LABELS = { phone: 'Phone width', tablet: 'Tablet width', full: 'Full width' } as const
type Width = keyof typeof WIDTHS

export interface ViewOptions {
  /** Whether images of other hosts are loaded. */
  remote: boolean
  width: Width
  scheme: MailScheme
}

interface Props {
  api: MailSource
  email: WholeEmail
  options: ViewOptions
}

/** An email's HTML, as wide and as bright as its reader wants to see it. */
export function HtmlView({ api, email, options: { remote, width, scheme } }: Props) {
  const px = WIDTHS[width]
  return (
    <div class="frame-box" style={{ maxWidth: px === undefined ? 'none' : `${px}px` }}>
      <MailFrame api={api} email={email} remote={remote} scheme={scheme} />
    </div>
  )
}

interface ToolsProps {
  html: string
  options: ViewOptions
  onChange: (options: ViewOptions) => void
}

/** Loading of images, widths and brightness, beside the tabs. */
export function ViewTools({ html, options, onChange }: ToolsProps) {
  const { remote, width, scheme } = options
  const isDark = isShownDark(scheme, useDarkPage(), html)
  return (
    <fieldset class="cluster flush">
      <legend class="visually-hidden">View options</legend>
      {namesRemoteImages(html) && (
        <ImageTools remote={remote} onLoad={() => onChange({ ...options, remote: true })} />
      )}
      {(Object.keys(WIDTHS) as Width[]).map((each) => (
        <ToggleIcon
          key={each}
          icon={each satisfies IconName}
          label={WIDTH_LABELS[each]}
          isOn={each === width}
          onClick={() => onChange({ ...options, width: each })}
          class="wide-only"
        />
      ))}
      <ToggleIcon
        icon="dark"
        label="Dark mode for this email"
        isOn={isDark}
        onClick={() => onChange({ ...options, scheme: isDark ? 'light' : 'dark' })}
      />
    </fieldset>
  )
}

function ImageTools({ remote, onLoad }: { remote: boolean; onLoad: () => void }) {
  if (remote) {
    if (!settings.remoteImages) return null
    return (
      <button type="button" class="quiet" onClick={() => (settings.remoteImages = false)}>
        Block images
      </button>
    )
  }
  return (
    <span class="chip warn">
      <span title="Loading them tells the sender that the email was opened">Remote images blocked</span>
      <button type="button" class="plain" onClick={onLoad}>
        Load
      </button>
      <button type="button" class="plain" onClick={() => (settings.remoteImages = true)}>
        Always
      </button>
    </span>
  )
}

interface ToggleProps {
  icon: IconName
  label: string
  isOn: boolean
  class?: string
  onClick: () => void
}

function ToggleIcon({ icon, label, isOn, class: kind = '', onClick }: ToggleProps) {
  return (
    <button
      type="button"
      class={`quiet ${kind}`}
      aria-pressed={isOn}
      aria-label={label}
      title={label}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  )
}
