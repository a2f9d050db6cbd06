import type { Person } from './api.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** `now`, `2m`, `5h`, `3d`: how long ago, for a row of a list. The clocks of two machines differ: never negative. */
export function age(time: string, nowMs: number): string {
  const ms = nowMs - Date.parse(time)
  if (ms < MINUTE_MS) return 'now'
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)}m`
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)}h`
  return `${Math.floor(ms / DAY_MS)}d`
}

/** `just now`, `2 minutes ago`. */
export function ago(time: string, nowMs: number): string {
  const ms = nowMs - Date.parse(time)
  return ms < MINUTE_MS ? 'just now' : `${duration(ms)} ago`
}

/** `in 24 hours`, `in less than a minute`. */
export function until(time: string, nowMs: number): string {
  const ms = Date.parse(time) - nowMs
  return ms < MINUTE_MS ? 'in less than a minute' : `in ${duration(ms)}`
}

/** Rounded, so that an email that is kept for 24 hours says so when it arrives. */
function duration(ms: number): string {
  if (ms < HOUR_MS - MINUTE_MS / 2) return plural(Math.round(ms / MINUTE_MS), 'minute')
  if (ms < 2 * DAY_MS) return plural(Math.round(ms / HOUR_MS), 'hour')
  return plural(Math.round(ms / DAY_MS), 'day')
}

/** Date and time in the reader's time zone. */
export function dateTime(time: string): string {
  return new Date(time).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })
}

/** `today at 4:02 PM`, `tomorrow at 4:02 PM`, otherwise date and time, in the reader's time zone. */
export function dayAndTime(time: string, nowMs: number): string {
  const day = (ms: number) => new Date(ms).toDateString()
  const at = Date.parse(time)
  const clock = new Date(at).toLocaleTimeString('en', { timeStyle: 'short' })
  if (day(at) === day(nowMs)) return `today at ${clock}`
  return day(at) === day(nowMs + DAY_MS) ? `tomorrow at ${clock}` : `on ${dateTime(time)}`
}

export function date(time: string): string {
  return new Date(time).toLocaleDateString('en', { dateStyle: 'long' })
}

export function bytes(size: number): string {
  if (size < 1000) return `${size} B`
  if (size < 1_000_000) return `${(size / 1000).toFixed(size < 10_000 ? 1 : 0)} kB`
  return `${(size / 1_000_000).toFixed(1)} MB`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}

/** `Name <address>`, or the part of it that is known. */
export function person({ name, address }: Person): string {
  if (name && address) return `${name} <${address}>`
  return name || address || 'Unknown sender'
}

/** The host of a URL, or the URL itself if it cannot be parsed. */
export function hostOf(url: string): string {
  try {
    return new URL(url).host
  } catch {
    return url
  }
}

/** `17 seconds`, `2 minutes`: how long to wait, rounded up. */
export function wait(seconds: number): string {
  if (seconds < 100) return plural(seconds, 'second')
  if (seconds < 6000) return plural(Math.ceil(seconds / 60), 'minute')
  return plural(Math.ceil(seconds / 3600), 'hour')
}
