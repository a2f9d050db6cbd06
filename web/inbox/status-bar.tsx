import { useState } from 'preact/hooks'
import type { LinkState } from '../lib/live.ts'
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
  offline: 'Offline: mail shows up when you are back',
}

interface Props {
  /** Undefined where there is nothing to be connected to. */
  link: LinkState | undefined
  hasKey: boolean
  onKey: () => void
}

export function StatusBar({ link, hasKey, onKey }: Props) {
  return (
    <div class="status-bar">
      <p class="link-state" role="status" data-state={link}>
        {link && LINK_TEXT[link]}
      </p>
      {notificationsPossible() && <NotifySwitch />}
      <button type="button" class="quiet" onClick={onKey}>
        <Icon name="key" />
        {hasKey ? 'API key in use' : 'Add an API key'}
      </button>
    </div>
  )
}

function NotifySwitch() {
  const [on, setOn] = useState(notificationsOn())
  const turn = async () => {
    if (on) turnNotificationsOff()
    else if (!(await turnNotificationsOn())) return announce('The browser does not allow notifications here')
    setOn(!on)
  }
  return (
    <button type="button" class="quiet" role="switch" aria-checked={on} onClick={turn}>
      <Icon name="bell" />
      Notify me
    </button>
  )
}
