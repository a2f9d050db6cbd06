import { useState } from 'preact/hooks'
import type { LinkState } from '../stream/messages.ts'
import { announce } from '../ui/announcer.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import {
  notificationsOn,
  notificationsPossible,
  turnNotificationsOff,
  turnNotificationsOn,
} from './notify.ts'

const LINK_STATES: Record<LinkState, [text: string, tone: string]> = {
  connecting: ['Connecting…', ''],
  live: ['Live', 'good'],
  reconnecting: ['Reconnecting…', 'warn'],
  offline: ['Offline', 'warn'],
  polling: ['Checking every 5 s', ''],
}

interface Props {
  /** Undefined if there is nothing to connect to. */
  link: LinkState | undefined
  onShortcuts: () => void
}

export function StatusBar({ link, onShortcuts }: Props) {
  const [text, tone] = link === undefined ? ['', ''] : LINK_STATES[link]
  return (
    <div class="status-bar cluster flush nowrap">
      <p class={`link-state cluster fine ${tone}`} role="status" data-state={link}>
        <span class="clip">{text}</span>
      </p>
      {notificationsPossible() && <NotificationSwitch />}
      <IconButton
        icon="help"
        label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
        class="wide-only"
        onClick={onShortcuts}
      />
    </div>
  )
}

function NotificationSwitch() {
  const [isOn, setOn] = useState(notificationsOn())
  const toggle = async () => {
    if (isOn) turnNotificationsOff()
    else if (!(await turnNotificationsOn()))
      return announce('The browser blocks notifications from this site')
    setOn(!isOn)
  }
  return (
    <button
      type="button"
      class="quiet"
      role="switch"
      aria-checked={isOn}
      aria-label="Desktop notifications"
      title={isOn ? 'Turn desktop notifications off' : 'Turn desktop notifications on'}
      onClick={toggle}
    >
      <Icon name="bell" />
    </button>
  )
}
