import { StreamHub } from './hub.ts'
import type { ToHub, ToPage } from './messages.ts'

/** The path of the built worker; put in by web/build.ts. */
declare const STREAM_WORKER: string

interface Following {
  address: string
  key: string | undefined
  told: (message: ToPage) => void
}

/**
 * This page's line to the hub of streams: the one of the whole browser, or one of its own where the browser has
 * no shared workers (Chrome on Android); then the page gives its stream up while nobody sees it.
 */
class PageStream {
  #following: Following | undefined
  readonly #say: (message: ToHub) => void
  readonly #shared: boolean

  constructor() {
    const told = (message: ToPage) => this.#following?.told(message)
    const port = workerPort()
    this.#shared = port !== undefined
    if (port === undefined) this.#say = new StreamHub(location.origin).serve(told)
    else {
      port.onmessage = ({ data }: MessageEvent<ToPage>) => told(data)
      this.#say = (message) => port.postMessage(message)
      holdLock(port)
    }
    document.addEventListener('visibilitychange', () => this.#seen())
    addEventListener('pagehide', () => this.#say({ type: 'leave' }))
    addEventListener('pageshow', ({ persisted }) => persisted && this.#follow())
  }

  /** Follows this inbox from now on, and no other any more. */
  follow(following: Following): void {
    this.#following = following
    this.#follow()
  }

  /** Ends it, if it is still this one that is followed. */
  leave(told: Following['told']): void {
    if (this.#following?.told !== told) return
    this.#following = undefined
    this.#say({ type: 'leave' })
  }

  answer(again: boolean): void {
    this.#say({ type: 'answer', again })
  }

  #follow(): void {
    if (this.#following === undefined) return
    const { address, key } = this.#following
    if (visible() || this.#shared) this.#say({ type: 'follow', address, key, visible: visible() })
  }

  #seen(): void {
    if (this.#shared) this.#say({ type: 'visible', visible: visible() })
    else if (visible()) this.#follow()
    else this.#say({ type: 'leave' })
  }
}

let stream: PageStream | undefined

/** Made when it is first wanted. */
export function pageStream(): PageStream {
  stream ??= new PageStream()
  return stream
}

function visible(): boolean {
  return document.visibilityState === 'visible'
}

function workerPort(): MessagePort | undefined {
  try {
    return new SharedWorker(trusted(), { name: 'mayfly', type: 'module' }).port
  } catch {
    return undefined
  }
}

/** The page holds a lock as long as it lives, by which the worker learns of pages that end without a word. */
function holdLock(port: MessagePort): void {
  if (navigator.locks === undefined) return
  const name = `mayfly-page-${Math.random().toString(36).slice(2)}`
  void navigator.locks.request(name, () => {
    port.postMessage({ type: 'lock', name })
    return new Promise(() => {})
  })
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(text: string): string }
}

/** The one URL of a script that the page's policy lets it make out of text (web/headers.ts). */
function trusted(): string {
  const { trustedTypes } = globalThis as unknown as { trustedTypes?: TrustedTypes }
  return (
    trustedTypes
      ?.createPolicy('mayfly-worker', { createScriptURL: () => STREAM_WORKER })
      .createScriptURL('') ?? STREAM_WORKER
  )
}
