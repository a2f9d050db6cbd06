import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { test } from '@jest/globals'
import type { RunningService } from '../support/service.ts'

/** An address of this machine that is not loopback, because loopback has no limits. */
export const OUTSIDE = Object.values(networkInterfaces())
  .flat()
  .find((address) => address !== undefined && !address.internal && address.family === 'IPv4')?.address

/**
 * `test` for tests that need `OUTSIDE`. Without such an address, the run prints what it leaves out.
 */
export function testFromOutside(name: string): typeof test | typeof test.skip {
  if (OUTSIDE !== undefined) return test
  process.stderr.write(`LEFT OUT: "${name}": this machine has no address but loopback, which has no limits\n`)
  return test.skip
}

const EVENT = /^id: ([0-9A-Z]{26})\ndata: \{".*\n\n/gm

/** An HTTP client of which the test controls every byte, every read and every pause. */
export class RawHttp {
  readonly socket: Socket
  /** Everything received so far, one character per byte. */
  text = ''
  readonly #ids: string[] = []
  #parsed = 0
  /** Resolves when either side has closed the connection. */
  readonly closed: Promise<void>

  /** @param localAddress the source address (127.0.0.0/8) */
  constructor(http: string, localAddress?: string) {
    const { hostname, port } = new URL(http)
    this.socket = connect({ host: hostname, port: Number(port), noDelay: true, localAddress })
    this.socket.on('error', () => {})
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve()))
    this.socket.on('data', (chunk) => {
      this.text += chunk.toString('latin1')
    })
  }

  send(text: string | Uint8Array): this {
    this.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text)
    return this
  }

  get(path: string, headers: Record<string, string> = {}): this {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return this.send(`GET ${path} HTTP/1.1\r\nHost: mayfly.test\r\n${lines.join('')}\r\n`)
  }

  /** Waits until the received text matches; fails when the connection ends or after 20 s. */
  async until(pattern: RegExp): Promise<RegExpExecArray> {
    return (await this.#until(() => pattern.exec(this.text), String(pattern)))!
  }

  /** The ids of the complete events of a stream so far. */
  eventIds(): string[] {
    for (EVENT.lastIndex = this.#parsed; ; ) {
      const match = EVENT.exec(this.text)
      if (match === null) return [...this.#ids]
      // A copy, because a slice would keep the whole text so far in memory, once for each event.
      this.#ids.push(Buffer.from(match[1]!).toString())
      this.#parsed = EVENT.lastIndex
    }
  }

  /** Waits for this many events. */
  async untilEvents(count: number): Promise<string[]> {
    await this.#until(() => this.eventIds().length >= count || null, `${count} events`)
    return this.eventIds()
  }

  async #until<T>(found: () => T | null, what: string): Promise<T> {
    const deadline = setTimeout(() => this.socket.destroy(), 60_000)
    try {
      for (;;) {
        const result = found()
        if (result !== null) return result
        if (this.socket.destroyed) throw new Error(`never came: ${what}\n${this.text.slice(0, 2000)}`)
        await Promise.race([new Promise((resolve) => this.socket.once('data', resolve)), this.closed])
      }
    } finally {
      clearTimeout(deadline)
    }
  }

  /** Stops reading, so that data queues on the other side. */
  stall(): this {
    this.socket.pause()
    return this
  }

  close(): void {
    this.socket.destroy()
  }
}

/** Resident memory of the process in bytes, where the system reports it (Linux); otherwise 0. */
export function memoryOf(service: RunningService): number {
  try {
    const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) * 1024
  } catch {
    return 0
  }
}

/** Files and connections that the process has open (Linux). */
export function openFiles({ process: { pid } }: RunningService): number {
  return readdirSync(`/proc/${pid}/fd`).length
}

export const MB = 1024 * 1024
