import { BASE_PATH, baseUrl } from '../lib/base.ts'
import { StreamHub } from './hub.ts'
import type { ToHub, ToPage } from './messages.ts'

/** The path of the built worker; web/build.ts defines it. */
declare const STREAM_WORKER: string

export interface Subscription {
  address: string
  key: string | undefined
  receive: (message: ToPage) => void
}

/**
 * This page's connection to the stream hub: the one of the whole browser, or, without shared workers (Chrome on
 * Android), its own. A page with its own hub closes its stream while it is hidden.
 */
class PageStream {
  #subscription: Subscription | undefined
  readonly #send: (message: ToHub) => void
  readonly #isShared: boolean

  constructor() {
    const receive = (message: ToPage) => this.#subscription?.receive(message)
    const port = workerPort()
    this.#isShared = port !== undefined
    if (port === undefined) this.#send = new StreamHub(baseUrl()).connect(receive)
    else {
      port.onmessage = ({ data }: MessageEvent<ToPage>) => receive(data)
      this.#send = (message) => port.postMessage(message)
      holdLock(port)
    }
    document.addEventListener('visibilitychange', () => this.#visibilityChanged())
    addEventListener('pagehide', () => this.#send({ type: 'leave' }))
    addEventListener('pageshow', ({ persisted }) => persisted && this.#follow())
  }

  /** Follows this inbox and ends the subscription before. */
  follow(subscription: Subscription): void {
    this.#subscription = subscription
    this.#follow()
  }

  /** Ends a subscription, unless another one has replaced it. */
  leave(receive: Subscription['receive']): void {
    if (this.#subscription?.receive !== receive) return
    this.#subscription = undefined
    this.#send({ type: 'leave' })
  }

  #follow(): void {
    if (this.#subscription === undefined) return
    const { address, key } = this.#subscription
    if (isVisible() || this.#isShared) this.#send({ type: 'follow', address, key, visible: isVisible() })
  }

  #visibilityChanged(): void {
    if (this.#isShared) this.#send({ type: 'visible', visible: isVisible() })
    else if (isVisible()) this.#follow()
    else this.#send({ type: 'leave' })
  }
}

let stream: PageStream | undefined

export function pageStream(): PageStream {
  stream ??= new PageStream()
  return stream
}

function isVisible(): boolean {
  return document.visibilityState === 'visible'
}

function workerPort(): MessagePort | undefined {
  try {
    return new SharedWorker(trustedWorkerUrl(), { name: 'mayfly', type: 'module' }).port
  } catch {
    return undefined
  }
}

/** The page holds a lock until it ends, which tells the worker about pages that end without a message. */
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

/** The only script URL that the page's Trusted Types policy allows (web/headers.ts). */
function trustedWorkerUrl(): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const policy = trustedTypes?.createPolicy('mayfly-worker', {
    createScriptURL: () => BASE_PATH + STREAM_WORKER,
  })
  return policy?.createScriptURL('') ?? BASE_PATH + STREAM_WORKER
}
