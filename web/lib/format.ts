const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })

/** `2 min. ago`. Clocks differ: what came just now is never in the future. */
export function ago(time: string, now: number): string {
  const ms = now - Date.parse(time)
  return ms < MINUTE ? 'just now' : inUnits(-ms)
}

/** `in 24 hr.`; `in a minute` also for what is due. */
export function until(time: string, now: number): string {
  const ms = Date.parse(time) - now
  return ms < 1.5 * MINUTE ? 'in a minute' : inUnits(ms)
}

/** Rounded, so that a mail of 24 hours has 24 when it comes. */
function inUnits(ms: number): string {
  const size = Math.abs(ms)
  if (size < HOUR - MINUTE / 2) return relative.format(Math.round(ms / MINUTE), 'minute')
  if (size < 2 * DAY) return relative.format(Math.round(ms / HOUR), 'hour')
  return relative.format(Math.round(ms / DAY), 'day')
}

/** In the reader's time zone. */
export function dateTime(time: string): string {
  return new Date(time).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })
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

/** `Name <address>`, as much of it as there is. */
export function person({ name, address }: { name: string | null; address: string | null }): string {
  if (name && address) return `${name} <${address}>`
  return name || address || 'Unknown sender'
}
