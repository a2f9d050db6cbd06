const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** Minutes east of Greenwich. What one name means in several places is as RFC 5322, section 4.3, or most mail has it. */
const ZONES: Record<string, number> = {
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
}

/** As Windows writes them: without "Time", and without "Standard" or "Daylight", which is an hour more. */
const WINDOWS_ZONES: Record<string, number> = {
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
}

const DATE =
  /^(?:[a-z]+\.?,?\s+)?(\d{1,2})[\s-]+([a-z]{3})[a-z]*\.?[\s-]+(\d{2,5}),?\s+(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*(.*)$/i
/** As C's asctime has it. */
const ASCTIME =
  /^(?:[a-z]+,?\s+)?([a-z]{3})[a-z]*\s+(\d{1,2})\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s+(?:([a-z+][\w+: -]*?)\s+)?(\d{4})\s*(.*)$/i
const ISO = /^(\d{4})-(\d{2})-(\d{2})[T\s]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(.*)$/i

/**
 * A Date field (RFC 5322, sections 3.3 and 4.3) as RFC 3339 in UTC; null where it is none. Also with names of
 * zones, as asctime or ISO 8601 write it, and as programs go wrong ("+-0500"). Without a zone it is UTC, on any
 * machine.
 */
export function headerDate(value: string | undefined): string | null {
  const text = (value ?? '')
    .slice(0, 200)
    .replaceAll(/\([^()]*\)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const comment = /\(([^()]*)\)\s*$/.exec((value ?? '').slice(0, 200))?.[1]
  let found = DATE.exec(text)
  if (found !== null) {
    const [, day, month, year, hour, minute, second, zone] = found
    return date(fullYear(year!), monthOf(month!), day!, hour!, minute!, second, zone || comment)
  }
  found = ASCTIME.exec(text)
  if (found !== null) {
    const [, month, day, hour, minute, second, before, year, behind] = found
    return date(Number(year), monthOf(month!), day!, hour!, minute!, second, before || behind)
  }
  found = ISO.exec(text)
  if (found === null) return null
  const [, year, month, day, hour, minute, second, zone] = found
  return date(Number(year), Number(month) - 1, day!, hour!, minute!, second, zone)
}

function monthOf(name: string): number {
  return MONTHS.indexOf(name.toLowerCase())
}

/** RFC 5322, section 4.3: two digits below 50 are of this century, three are counted from 1900. */
function fullYear(digits: string): number {
  const year = Number(digits)
  if (digits.length > 3) return year
  return digits.length === 2 && year < 50 ? year + 2000 : year + 1900
}

function date(
  year: number,
  month: number,
  day: string,
  hour: string,
  minute: string,
  second: string | undefined,
  zone: string | undefined,
): string | null {
  const [d, h, m, s] = [Number(day), Number(hour), Number(minute), Number(second ?? 0)] as const
  const offset = offsetOf(zone ?? '')
  if (month < 0 || month > 11 || d < 1 || d > 31 || h > 24 || m > 59 || s > 60 || offset === null) return null
  const time = new Date(0)
  time.setUTCFullYear(year, month, d)
  time.setUTCHours(h, m - offset, s)
  const text = Number.isNaN(time.getTime()) ? '' : time.toISOString()
  return text.length === 24 ? text : null
}

/** Minutes east of Greenwich; 0 for one that is missing or unknown (RFC 5322, section 4.3). */
function offsetOf(zone: string): number | null {
  const number = /^(?:(?:gmt|utc?)\s*)?([+-])[+-]?\s*(\d{1,2}):?(\d{2})?(?!\d)/i.exec(zone)
  if (number !== null) {
    // "+-0500" is what a program writes that puts a plus before a negative number.
    const sign = /^\D*-/.test(zone) ? -1 : 1
    const minutes = Number(number[3] ?? 0)
    return minutes > 59 ? null : sign * (Number(number[2]) * 60 + minutes)
  }
  const name = zone.toLowerCase().trim()
  const windows = /^(.*?) (?:(standard|daylight|summer) )?time$/.exec(name)
  if (windows !== null) {
    const base = WINDOWS_ZONES[windows[1]!]
    return base === undefined ? 0 : base + (windows[2] === 'daylight' || windows[2] === 'summer' ? 60 : 0)
  }
  return ZONES[name.split(' ')[0]!] ?? 0
}
