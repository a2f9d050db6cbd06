/**
 * What the service costs: `npm run bench [-- <group>…] [--quick]`. Prints one table and writes it,
 * with the machine, to bench/results.json. Each group documents how it measures;
 * docs/performance.md explains the figures.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { allMail } from './groups/all-mail.ts'
import { aws } from './groups/aws.ts'
import { bare } from './groups/bare.ts'
import { delivery } from './groups/delivery.ts'
import { intake } from './groups/intake.ts'
import { pages } from './groups/pages.ts'
import { peers } from './groups/peers.ts'
import { reads } from './groups/reads.ts'
import { ready } from './groups/ready.ts'
import { scale } from './groups/scale.ts'
import { sendTurns } from './groups/send-turns.ts'
import { sends } from './groups/sends.ts'
import { streams } from './groups/streams.ts'
import { turns } from './groups/turns.ts'
import { type Group, isMet, type Measured, table } from './support/figures.ts'
import { describeMachine } from './support/machine.ts'

const GROUPS: Group[] = [
  intake,
  bare,
  sends,
  delivery,
  reads,
  allMail,
  turns,
  sendTurns,
  streams,
  ready,
  pages,
  aws,
  scale,
  peers,
]

/** Groups that install other programs, which run only when they are named. */
const ON_REQUEST = ['peers']

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !GROUPS.some((group) => group.name === name))
if (unknown.length > 0) {
  console.error(
    `No such group: ${unknown.join(', ')}. There are ${GROUPS.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}

const machine = describeMachine()
const results: Record<string, (Measured & { seconds: number }) | { failed: string }> = {}
for (const group of GROUPS) {
  const isNamed = positionals.includes(group.name)
  if (positionals.length > 0 ? !isNamed : ON_REQUEST.includes(group.name)) continue
  const began = performance.now()
  const progress = (text: string) => console.error(`${group.name}: ${text}`)
  try {
    const measured = await group.measure({ quick: values.quick, progress })
    results[group.name] = { ...measured, seconds: Math.round((performance.now() - began) / 1000) }
  } catch (error) {
    // The other groups continue: they do not depend on each other.
    results[group.name] = { failed: (error as Error).stack ?? String(error) }
    process.exitCode = 1
  }
}

console.log(
  `${machine.cores} cores (${machine.cpu}), ${machine.memory_gb} GB, ${machine.system}, Node ${machine.node}\n` +
    `load ${machine.load_before.toFixed(2)} at the start, disk sync p50 ${machine.disk_sync_p50_ms.toFixed(2)} ms, ` +
    `p99 ${machine.disk_sync_p99_ms.toFixed(2)} ms${values.quick ? '\nquick: rough figures only' : ''}`,
)
for (const [name, result] of Object.entries(results)) {
  if ('failed' in result) {
    console.log(`\n${name}: FAILED\n  ${result.failed}`)
    continue
  }
  console.log(`\n${name} (${result.seconds} s)\n${table(result.figures)}`)
  for (const text of result.leftOut ?? []) console.log(`  LEFT OUT: ${text}`)
}
const groups = Object.fromEntries(
  Object.entries(results).map(([name, result]) => [
    name,
    'failed' in result
      ? result
      : { ...result, figures: result.figures.map((figure) => ({ ...figure, met: isMet(figure) })) },
  ]),
)
const file = new URL('results.json', import.meta.url)
const report = { at: new Date().toISOString(), quick: values.quick, machine, groups }
writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
