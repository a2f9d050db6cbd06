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
  offline: 'Offline: mail shows up when you are back',
}

interface Props {
  /** Undefined where there is nothing to be connected to. */
  link: LinkState | undefined
  hasKey: boolean
  /** Whether the page took the key by itself. */
  taken: boolean
  onKey: () => void
  onShortcuts: () => void
}

export function StatusBar({ link, hasKey, taken, onKey, onShortcuts }: Props) {
  return (
    <div class="status-bar">
      <p class="link-state" role="status" data-state={link}>
        {link && LINK_TEXT[link]}
      </p>
      {notificationsPossible() && <NotifySwitch />}
      <button
        type="button"
        class="quiet"
        onClick={onKey}
        title={taken ? 'The page took a free key for you; it is kept in this browser' : undefined}
      >
        <Icon name="key" />
        {keyText(hasKey, taken)}
      </button>
      <button
        type="button"
        class="quiet wide-only"
        onClick={onShortcuts}
        aria-label="Keys of the keyboard"
        title="Keys (?)"
      >
        ?
      </button>
    </div>
  )
}

function keyText(hasKey: boolean, taken: boolean): string {
  if (!hasKey) return 'API key'
  return taken ? 'Took a key for you' : 'API key in use'
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
