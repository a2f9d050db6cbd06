/**
 * Prints as JSON the expressions of the sources that take much more than 4 times as long for 4
 * times the text, with the text that shows it. It is a program because Jest's context is slow.
 */
import { builders, builtBy, ofLexicon } from './built.ts'
import { literals } from './sources.ts'
import { textsFor } from './texts.ts'

const SMALL = 5_000
/** The lexicon makes thousands of expressions, and no text that they are applied to is longer than this. */
const SMALL_OF_LEXICON = 1_000
const FACTOR = 4
/** A quadratic expression takes 16 times as long; a busy machine adds to the 4 of a linear one. */
const MOST = 8
/** Linear expressions take a fraction of it for the larger text. */
const NOTICED_US = 3_000
const ROUNDS = 5
/** Garbage is collected in some rounds only, so a ratio counts if it is seen this often in a row. */
const TIMES = 4
/** What takes longer is no pause, and measuring it once is enough. */
const LONG_US = 50_000

function cpuOf(expression: RegExp, text: string): number {
  const again = new RegExp(expression.source, expression.flags)
  const before = process.cpuUsage()
  if (expression.global) for (const _ of text.matchAll(again));
  else again.test(text)
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function leastOf(expression: RegExp, text: string): number {
  let us = Infinity
  for (let n = 0; n < ROUNDS && us > NOTICED_US / 10; n++) {
    const took = cpuOf(expression, text)
    us = Math.min(us, took)
    if (took > LONG_US) break
  }
  return us
}

/** How often `large` takes as long as `small`, or 0 where it is too little to tell: the least of several measurements. */
function ratioOf(expression: RegExp, large: string, small: string): number {
  let least = Infinity
  for (let n = 0; n < TIMES && least > MOST; n++) {
    const us = leastOf(expression, large)
    if (us < NOTICED_US) return 0
    least = Math.min(least, us / Math.max(1, leastOf(expression, small)))
    if (us > LONG_US) break
  }
  return least
}

/** Calls the functions that build expressions, with an ordinary text. */
async function callBuilders(): Promise<void> {
  const { readMail } = await import('../../reading/read-mail.ts')
  const { affordableHeader } = await import('../../../adapters/smtp/affordable-header.ts')
  const { examine } = await import('../../../web/lib/html-tags.ts')
  const { placesOf } = await import('../../../web/html-check/places.ts')
  const html = '<style>a{}</style><a href="https://a.b/x1" title="a">confirm</a><img src="//a/b" alt="x">'
  await readMail(Buffer.from(`Subject: Confirm your email\r\nContent-Type: text/html\r\n\r\n${html}`))
  affordableHeader('DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d=a.b\r\nFrom: a@b.c\r\n\r\n')
  examine(html)
  placesOf(html, SIGNS)
}

/** One sign of each kind that the HTML check looks for. */
const SIGNS = [
  ...[
    'element:a',
    'attribute:a',
    'property:a',
    'value:a:b',
    'function:a',
    'unit:vw',
    'rule:media',
    'media:hover',
  ],
  ...['pseudo:hover', 'image:svg', 'image:data', 'selector:child', 'selector:attribute', 'selector:chaining'],
]

const files = builders()
const built = await builtBy(files, callBuilders)
const builtIn = new Set(built.map(({ file }) => file))
const seen = new Set<string>()
const slow: { file: string; expression: string; text: string; ratio: number }[] = []
let count = 0
const measured = [
  ...[...literals(), ...built].map((one) => ({ ...one, bytes: SMALL })),
  ...ofLexicon().map((one) => ({ ...one, bytes: SMALL_OF_LEXICON })),
]
for (const { file, expression, bytes } of measured) {
  if (seen.has(String(expression))) continue
  seen.add(String(expression))
  count++
  const large = textsFor(expression, bytes * FACTOR)
  for (const [n, text] of large.entries()) {
    if (cpuOf(expression, text) < NOTICED_US) continue
    const ratio = ratioOf(expression, text, textsFor(expression, bytes)[n]!)
    if (ratio <= MOST) continue
    slow.push({ file, expression: String(expression), text: text.slice(0, 30), ratio })
    break
  }
}
process.stdout.write(JSON.stringify({ count, slow, unknown: files.filter((file) => !builtIn.has(file)) }))
