/**
 * Returns the moment (Unix ms) that a date or time means in a time zone; undefined for a text that
 * is none. A text with its own offset and a Unix time in seconds or milliseconds need no zone.
 * @param zone one that is unknown counts as the zone of this machine
 */
export function timeIn(zone: string, text: string): number | undefined {
  const time = text.trim().toUpperCase()
  if (/^\d{10}$/.test(time)) return Number(time) * 1000
  if (/^\d{13}$/.test(time)) return Number(time)
  if (/(?:Z|[+-]\d\d:?\d\d)$/.test(time.slice(10))) return momentOf(time)
  // Without a year, the parser of dates reads a text such as "foo 5" too.
  if (!/\d{4}/.test(time)) return undefined
  const asUtc = momentOf(`${time.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3').replace(/T(?=\d)/, ' ')} UTC`)
  return asUtc === undefined ? undefined : asUtc - offsetOf(zone, asUtc)
}

/** Milliseconds by which a zone is ahead of UTC. */
function offsetOf(zone: string, at: number): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(formatterOf(zone).format(at)) ?? []
  const ahead = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000
  return sign === '-' ? -ahead : ahead
}

/** The formatter that was made last. Making one costs more than parsing a search, whose times all have one zone. */
let made: { zone: string; formatter: Intl.DateTimeFormat } | undefined

function formatterOf(zone: string): Intl.DateTimeFormat {
  if (made?.zone !== zone) made = { zone, formatter: newFormatter(zone) }
  return made.formatter
}

function newFormatter(zone: string): Intl.DateTimeFormat {
  const options = { timeZoneName: 'longOffset' } as const
  try {
    return new Intl.DateTimeFormat('en', zone === '' ? options : { ...options, timeZone: zone })
  } catch {
    return new Intl.DateTimeFormat('en', options)
  }
}

function momentOf(text: string): number | undefined {
  const moment = Date.parse(text)
  return Number.isNaN(moment) ? undefined : moment
}
