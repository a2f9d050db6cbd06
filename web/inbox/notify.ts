import type { Email } from '../lib/api.ts'
import { person } from '../lib/format.ts'
import { Kept } from '../lib/storage.ts'

const WANTED = 'mayfly.notify'
const kept = new Kept('localStorage')

export function notificationsPossible(): boolean {
  return 'Notification' in globalThis && isSecureContext
}

export function notificationsOn(): boolean {
  return notificationsPossible() && Notification.permission === 'granted' && kept.get(WANTED) === 'yes'
}

/** Asks the browser's user where that is still open. Answers whether notifications are on now. */
export async function turnNotificationsOn(): Promise<boolean> {
  const granted = (await Notification.requestPermission()) === 'granted'
  if (granted) kept.set(WANTED, 'yes')
  return granted
}

export function turnNotificationsOff(): void {
  kept.remove(WANTED)
}

/** Only for who looks elsewhere; who has the page in front sees the mail itself. */
export function notify(email: Email): void {
  if (!notificationsOn() || document.visibilityState === 'visible') return
  try {
    const body =
      email.codes[0] === undefined ? person(email.from) : `Code ${email.codes[0]} · ${person(email.from)}`
    const notification = new Notification(email.subject || 'New mail', { body, tag: email.id })
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  } catch {
    // Chrome on Android has the interface and refuses to be constructed: the title still tells.
  }
}
