import { useState } from 'preact/hooks'
import type { LinkState } from '../stream/messages.ts'
import { announce } from '../ui/announcer.ts'
import { Icon } from '../ui/icon.tsx'
import {
  notificationsOn,
  notificationsPossible,
  turnNotificationsOff,
  turnNotificationsOn,
} from './notify.ts'

const LINK_TEXT: Record<LinkState, string> = {
  connecting: 'Connecting…',
  live: 'Live',
  reconnecting: 'Reconnecting…',
  offline: 'Offline',
  polling: 'Checking every 5 s',
}

interface Props {
  /** Undefined if there is nothing to connect to. */
  link: LinkState | undefined
  onShortcuts: () => void
}

export function StatusBar({ link, onShortcuts }: Props) {
  return (
    <div class="cluster flush">
      <p class="link-state cluster fine" role="status" data-state={link}>
        {link && LINK_TEXT[link]}
      </p>
      {notificationsPossible() && <NotificationSwitch />}
      <button
        type="button"
        class="quiet wide-only"
        onClick={onShortcuts}
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts (?)"
      >
        <Icon name="help" />
      </button>
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
