import { describe, expect, test } from '@jest/globals'
import { DEFAULT_NUMBERS, FULL_NUMBERS, WEB_FUNCTION_NUMBERS } from './numbers.ts'
import { numbersOf } from './numbers-of.ts'
import { type Rendered, renderedTemplate } from './rendered.ts'
import { FULL, IN_VPC, type SynthOptions, synthesise, WEB_FUNCTION } from './synth.ts'

describe.each([
  ['the smallest configuration', {}, DEFAULT_NUMBERS],
  ['every option', FULL, { ...DEFAULT_NUMBERS, ...FULL_NUMBERS }],
  ['a web function', WEB_FUNCTION, { ...DEFAULT_NUMBERS, ...WEB_FUNCTION_NUMBERS }],
])('the numbers of the stack with %s', (_, config, expected) => {
  test.each(Object.entries(expected))('%s', (kind, numbers) => {
    expect(numbersOf(synthesise(config))[kind]).toEqual(numbers)
  })

  test('there are no other kinds of numbers', () => {
    expect(Object.keys(numbersOf(synthesise(config))).sort()).toEqual(Object.keys(expected).sort())
  })
})

const IMAGES = '123456789012.dkr.ecr.us-east-1.amazonaws.com/mayfly'

/**
 * Every property of every resource, as a contract: permissions, environments, dependencies, metrics. After an
 * intended change, `npm test -- test/lib/template.test.ts -u` writes the snapshot, and its diff shows what a
 * deployment will change. The snapshots after the first hold only the lines that differ from the first.
 */
describe('the template', () => {
  expect.addSnapshotSerializer({ test: (value) => typeof value === 'string', print: String })

  const stacks: [string, object, SynthOptions][] = [
    ['the smallest configuration', {}, {}],
    ['every option', FULL, {}],
    ['an existing network, a key and SMTP', IN_VPC, {}],
    ['a web function', WEB_FUNCTION, {}],
    ['a rule set of others', { receiptRuleSet: 'theirs', domains: [{ name: 'a.example' }] }, {}],
    [
      'SMTP first, prebuilt images and a DNS server, without pages',
      { inbound: ['smtp', 'ses'], smtp: { tasks: { maxCount: 4, spot: true } } },
      {
        pages: false,
        props: { image: `${IMAGES}/sse:7`, smtpImage: `${IMAGES}/smtp:8`, dnsServer: '192.0.2.53' },
      },
    ],
  ]

  test.each(stacks)('%s', (name, config, options) => {
    const first = name === stacks[0]![0] ? new Map() : renderedTemplate(synthesise())
    const template = renderedTemplate(synthesise(config, options))
    for (const kind of [...new Set([...first.keys(), ...template.keys()])].sort()) {
      const lines = changes(first.get(kind) ?? {}, template.get(kind) ?? {})
      if (lines.length > 0) expect(lines.join('\n')).toMatchSnapshot(kind)
    }
  })
})

/** Returns the lines of each new resource, and of each changed one the new lines and `-` with the removed ones. */
function changes(before: Rendered, after: Rendered): string[] {
  const ids = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()
  return ids.flatMap((id) => {
    const [old, now] = [before[id], after[id]]
    if (now === undefined) return [`- ${id}`]
    if (old === undefined) return [id, ...now]
    const lines = [
      ...old.filter((line) => !now.includes(line)).map((line) => `-${line}`),
      ...now.filter((line) => !old.includes(line)),
    ]
    return lines.length === 0 ? [] : [id, ...lines]
  })
}
