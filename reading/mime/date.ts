const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/**
 * Minutes east of Greenwich. A name with several meanings has the one of RFC 5322, section 4.3, or
 * of most mail.
 */
const ZONES = zoneMap({
  ut: 0,
  utc: 0,
  gmt: 0,
  z: 0,
  wet: 0,
  west: 60,
  bst: 60,
  ist: 330,
  cet: 60,
  cest: 120,
  met: 60,
  mest: 120,
  mez: 60,
  mesz: 120,
  sast: 120,
  eet: 120,
  eest: 180,
  msk: 180,
  msd: 240,
  trt: 180,
  gst: 240,
  pkt: 300,
  wib: 420,
  ict: 420,
  sgt: 480,
  hkt: 480,
  pht: 480,
  awst: 480,
  cct: 480,
  jst: 540,
  kst: 540,
  acst: 570,
  aest: 600,
  aedt: 660,
  nzst: 720,
  nzdt: 780,
  brt: -180,
  art: -180,
  ast: -240,
  adt: -180,
  clt: -240,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
  akst: -540,
  akdt: -480,
  hst: -600,
})

/**
 * Names that Windows writes, without "Time" and without "Standard" or "Daylight"; the latter is an
 * hour more.
 */
const WINDOWS_ZONES = zoneMap({
  greenwich: 0,
  gmt: 0,
  'w. europe': 60,
  'central europe': 60,
  'central european': 60,
  romance: 60,
  'e. europe': 120,
  fle: 120,
  gtb: 120,
  israel: 120,
  'south africa': 120,
  russian: 180,
  arabian: 240,
  india: 330,
  china: 480,
  singapore: 480,
  taipei: 480,
  tokyo: 540,
  japan: 540,
  korea: 540,
  'aus eastern': 600,
  'new zealand': 720,
  eastern: -300,
  central: -360,
  mountain: -420,
  pacific: -480,
  alaskan: -540,
  hawaiian: -600,
  atlantic: -240,
  'e. south america': -180,
})

function zoneMap(minutes: Record<string, number>): ReadonlyMap<string, number> {
  return new Map(Object.entries(minutes))
}

const DATE =
  /^(?:[a-z]+\.?(?:,\s*|\s+))?0?(\d{1,2})[\s-]+([a-z]{3})[a-z]*\.?[\s-]+(\d{2,5}),?\s+(\d{1,2})[:.](\d{1,2})(?:[:.](\d{1,2})(?:[.,]\d+)?)?\s*(.*)$/i
/** The format of C's asctime. */
const ASCTIME =
  /^(?:[a-z]+,?\s+)?([a-z]{3})[a-z]*\s+(\d{1,2})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s+(?:([a-z+-][\w+: -]{0,60}?)\s+)?(\d{4})\s*(.*)$/i
/** As Americans write it, and JavaScript: "Thursday, April 09, 2003 9:00 AM", "Thu Apr 09 2003 09:00:00 GMT+0100". */
const AMERICAN =
  /^(?:[a-z]+(?:,\s*|\s+))?([a-z]{3})[a-z]*\.?\s+(\d{1,2})(?:,\s*|\s)(\d{4}),?\s+(\d{1,2}):(\d{1,2})(?::(\d{1,2}))?\s*(?:([ap])m\b)?\s*(.*)$/i
/** ISO 8601, and what databases write: "2026/4/9 10:02:03". */
const ISO = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(.*)$/i

const DAY_MINUTES = 24 * 60
/** The calendar repeats itself after 400 years. */
const YEARS_400_MS = 146_097 * DAY_MINUTES * 60_000

interface Moment {
  year: number
  /** 0 is January. */
  month: number
  day: number
  hour: number
  minute: number
  second: number
  zone: string | undefined
}

/**
 * Parses a Date field (RFC 5322, sections 3.3 and 4.3) and returns it as RFC 3339 in UTC; null if
 * it is no date. Also accepted: names of time zones, the formats of asctime and ISO 8601, and
 * common mistakes ("+-0500"). A date without a zone is in UTC.
 */
export function headerDate(value = ''): string | null {
  const field = value.slice(0, 200)
  const text = field
    .replaceAll(/\([^()]*\)/g, ' ')
    .replaceAll(/[\s"<>]+/g, ' ')
    .trim()
  const moment = fromMail(text) ?? fromAsctime(text) ?? fromAmerican(text) ?? fromIso(text)
  if (moment === undefined) return null
  return toUtc({ ...moment, zone: moment.zone || /\(([^()]*)\)$/.exec(field)?.[1] })
}

function fromMail(text: string): Moment | undefined {
  const found = DATE.exec(text)
  if (found === null) return undefined
  const [, day, month = '', year = '', hour, minute, second, zone] = found
  return { year: fullYear(year), month: monthOf(month), ...numbers(day, hour, minute, second), zone }
}

function fromAsctime(text: string): Moment | undefined {
  const found = ASCTIME.exec(text)
  if (found === null) return undefined
  const [, month = '', day, hour, minute, second, before, year, behind] = found
  const zone = before || behind
  return { year: Number(year), month: monthOf(month), ...numbers(day, hour, minute, second), zone }
}

function fromAmerican(text: string): Moment | undefined {
  const found = AMERICAN.exec(text)
  if (found === null) return undefined
  const [, month = '', day, year, hour = '', minute, second, half, zone] = found
  const hours =
    half === undefined ? hour : String((Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0))
  return { year: Number(year), month: monthOf(month), ...numbers(day, hours, minute, second), zone }
}

function fromIso(text: string): Moment | undefined {
  const found = ISO.exec(text)
  if (found === null) return undefined
  const [, year, month, day, hour, minute, second, zone] = found
  return { year: Number(year), month: Number(month) - 1, ...numbers(day, hour, minute, second), zone }
}

function numbers(
  day = '',
  hour = '',
  minute = '',
  second = '0',
): Pick<Moment, 'day' | 'hour' | 'minute' | 'second'> {
  return { day: Number(day), hour: Number(hour), minute: Number(minute), second: Number(second) }
}

function monthOf(name: string): number {
  return MONTHS.indexOf(name.toLowerCase())
}

/** RFC 5322, section 4.3: two digits below 50 are in this century, three digits count from 1900. */
function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length > 3) return year
  return digits.length === 2 && year < 50 ? year + 2000 : year + 1900
}

function toUtc({ year, month, day, hour, minute, second, zone = '' }: Moment): string | null {
  const offset = offsetOf(zone)
  const isValid =
    month >= 0 && month <= 11 && day >= 1 && day <= 31 && hour <= 24 && minute <= 59 && second <= 60
  if (!isValid || offset === null) return null
  // Date.UTC takes years below 100 for those of the last century, so the same day 400 years later is computed.
  const time = Date.UTC(year + 400, month, day, hour, minute - offset, second) - YEARS_400_MS
  const text = new Date(time).toISOString()
  return text.length === 24 ? text : null
}

/**
 * Minutes east of Greenwich; 0 for a missing or unknown zone (RFC 5322, section 4.3), null for an
 * impossible one.
 */
function offsetOf(zone: string): number | null {
  const number = /^(?:(?:gmt|utc?)\s*)?([+-])[+-]?\s*(\d{1,2}):?(\d{2})?(?!\d)/i.exec(zone)
  if (number !== null) {
    // A program that puts a plus before a negative number writes "+-0500".
    const sign = /^\D*-/.test(zone) ? -1 : 1
    const minutes = Number(number[2]) * 60 + Number(number[3] ?? 0)
    return minutes < DAY_MINUTES ? sign * minutes : null
  }
  const name = zone.toLowerCase().trim()
  const windows = /^(.*?) (?:(standard|daylight|summer) )?time$/.exec(name)
  if (windows === null) return ZONES.get(name.split(' ', 1)[0] ?? '') ?? 0
  const base = WINDOWS_ZONES.get(windows[1] ?? '')
  const isSummer = windows[2] === 'daylight' || windows[2] === 'summer'
  return base === undefined ? 0 : base + (isSummer ? 60 : 0)
}
