import type { Email } from '../lib/api.ts'
import { person } from '../lib/format.ts'
import { BrowserStorage } from '../lib/storage.ts'

const WANTED = 'mayfly.notify'
const storage = new BrowserStorage('localStorage')

export function notificationsPossible(): boolean {
  return 'Notification' in globalThis && isSecureContext
}

export function notificationsOn(): boolean {
  return notificationsPossible() && Notification.permission === 'granted' && storage.get(WANTED) === 'yes'
}

/** Asks for permission if the user has not decided yet. Returns whether notifications are on. */
export async function turnNotificationsOn(): Promise<boolean> {
  const isGranted = (await Notification.requestPermission()) === 'granted'
  if (isGranted) storage.set(WANTED, 'yes')
  return isGranted
}

export function turnNotificationsOff(): void {
  storage.remove(WANTED)
}

/** Shows a notification while the page is hidden. A visible page shows the email itself. */
export function notify(email: Email): void {
  if (!notificationsOn() || document.visibilityState === 'visible') return
  try {
    const [code] = email.codes
    const body = code === undefined ? person(email.from) : `Code ${code} · ${person(email.from)}`
    const notification = new Notification(email.subject || 'New email', { body, tag: email.id })
    notification.onclick = () => {
      window.focus()
      notification.close()
    }
  } catch {
    // Chrome on Android has the constructor and throws when it is called. The title of the page still changes.
  }
}
