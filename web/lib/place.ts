import { Store } from './store.ts'

export interface Place {
  address: string
  /** The email that is open. */
  id?: string | undefined
  /** The email alone, in a tab of its own. */
  alone?: boolean
}

/**
 * Where the inbox page is: `/#<address>`, `/#<address>/<id>` or `/#<address>/<id>/alone`. In the fragment, because that is not sent: no
 * log of a server or proxy names the inboxes that people look at.
 */
export function readPlace(hash: string): Place | undefined {
  const [first = '', id, view] = hash.replace(/^#/, '').split('/')
  let address: string
  try {
    address = decodeURIComponent(first).trim().toLowerCase()
  } catch {
    return undefined
  }
  return address.includes('@')
    ? { address, id: id || undefined, ...(view === 'alone' ? { alone: true } : {}) }
    : undefined
}

export function placeHash({ address, id, alone }: Place): string {
  const readable = encodeURIComponent(address).replace('%40', '@').replaceAll('%2B', '+')
  return `#${readable}${id ? `/${id}` : ''}${alone ? '/alone' : ''}`
}

export class PlaceStore extends Store {
  current = readPlace(location.hash)

  constructor() {
    super()
    addEventListener('hashchange', () => this.#arrive())
  }

  /** `replace` leaves no entry in the history: for what nobody chose. */
  go(place: Place, { replace = false } = {}): void {
    const hash = placeHash(place)
    if (hash === location.hash) return
    if (replace) {
      history.replaceState(null, '', hash)
      this.#arrive()
    } else location.hash = hash
  }

  #arrive(): void {
    this.current = readPlace(location.hash)
    this.changed()
  }
}
