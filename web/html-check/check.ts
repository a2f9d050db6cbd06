import { examine } from '../lib/html-tags.ts'
import data from './caniemail.json' with { type: 'json' }
import { type Places, placesOf } from './places.ts'
import { signsIn } from './usage.ts'

type Support = 'y' | 'a' | 'n' | 'u'

/** A feature of the email that some client does not support. */
export interface Finding {
  title: string
  url: string
  unsupported: string[]
  /** Clients that support it in part. */
  partial: string[]
  /** What shows that the email uses it (usage.ts). */
  signs: string[]
  /** How often the email uses it, and the first lines that do. */
  places: Places
}

export interface CheckResult {
  /** How many known features the email uses. */
  features: number
  /** Full support in percent of all pairs of a feature and a client; 100 without features. */
  score: number
  clients: { name: string; score: number }[]
  /** The worst first. */
  findings: Finding[]
  /** Whether the HTML was too long to examine all of it. */
  isPartial: boolean
  /** The day of the data. */
  updated: string
}

const FEATURES = data.features as [slug: string, title: string, signs: string[], support: string][]

/** Compares the features of an email's HTML with what mail clients support, by the data of caniemail.com. */
export function checkHtml(html: string): CheckResult {
  const signs = signsIn(html)
  const used = FEATURES.filter(([, , known]) => known.some((sign) => signs.has(sign)))
  const findings = used.map(([slug, title, known, support]) => ({
    title,
    url: `https://www.caniemail.com/features/${slug}/`,
    unsupported: clientsWith(support, 'n'),
    partial: clientsWith(support, 'a'),
    signs: known.filter((sign) => signs.has(sign)),
  }))
  const clients = data.clients.map((name, i) => ({
    name,
    score: percent(used.map(([, , , support]) => support[i] as Support)),
  }))
  return {
    features: used.length,
    score: percent(used.flatMap(([, , , support]) => [...support] as Support[])),
    clients,
    findings: findings
      .filter(({ unsupported, partial }) => unsupported.length + partial.length > 0)
      .sort((a, b) => b.unsupported.length - a.unsupported.length || b.partial.length - a.partial.length)
      .map((finding) => ({ ...finding, places: placesOf(html, finding.signs) })),
    isPartial: !examine(html).isWhole || !signs.isWhole,
    updated: data.updated,
  }
}

function clientsWith(support: string, wanted: Support): string[] {
  return data.clients.filter((_, i) => support[i] === wanted)
}

/** Partial support counts half; unknown results do not count. */
function percent(results: Support[]): number {
  const known = results.filter((result) => result !== 'u')
  if (known.length === 0) return 100
  const sum = known.reduce((total, result) => total + { y: 1, a: 0.5, n: 0, u: 0 }[result], 0)
  return Math.round((100 * sum) / known.length)
}
