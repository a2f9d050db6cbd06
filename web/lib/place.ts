import { Store } from './store.ts'

export interface Place {
  address: string
  /** The email that is open. */
  id?: string | undefined
  /** Whether the email is shown without the list, in its own tab. */
  alone?: boolean
}

/**
 * Parses `#<address>`, `#<address>/<id>` or `#<address>/<id>/alone`. The place is in the fragment because
 * browsers do not send it: no log of a server or proxy contains the inboxes that people look at.
 */
export function readPlace(hash: string): Place | undefined {
  const [first = '', id, view] = hash.replace(/^#/, '').split('/')
  let address: string
  try {
    address = decodeURIComponent(first).trim().toLowerCase()
  } catch {
    return undefined
  }
  if (!address.includes('@')) return undefined
  return { address, id: id || undefined, ...(view === 'alone' ? { alone: true } : {}) }
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

  /** Goes to a place. `replace` adds no entry to the history: for moves that the user did not ask for. */
  go(place: Place, { replace = false } = {}): void {
    const hash = placeHash(place)
    if (hash === location.hash) return
    if (replace) {
      history.replaceState(history.state, '', hash)
      this.#arrive()
    } else location.hash = hash
  }

  /** Returns to the list: by the browser's history if the list is the entry before, so that Back leaves the inbox. */
  closeMail(): void {
    if (this.current === undefined) return
    if ((history.state as { fromList?: true } | null)?.fromList) history.back()
    else this.go({ address: this.current.address })
  }

  #arrive(): void {
    const before = this.current
    this.current = readPlace(location.hash)
    const fromList = before !== undefined && before.id === undefined && this.current?.id !== undefined
    if (fromList && before.address === this.current?.address) {
      history.replaceState({ fromList: true }, '')
    }
    this.changed()
  }
}
