import { linesOf, textOf } from '../support/lines.ts'
import type { Properties, Synthesised } from './synth.ts'

/** The lines of each resource of one type, by its short id. */
export type Rendered = Record<string, string[]>

/** Logical ids without the construct and the hash. References to them are `${Id}` or `${Id.Attribute}`. */
const shortId = (id: string) => id.replace(/^Mayfly/, '').replace(/[0-9A-F]{8}$/, '')

/**
 * Returns the template as text by type of resource, each property on a line: every resource,
 * and the conditions, rules and outputs. Left out are what other tests cover: the dependency on the upgrade
 * guard, which every resource has, those of Custom::MayflySetup, which depends on every other resource, and the
 * function that knows the paths of the pages (test/lib/edge.test.ts).
 */
export function renderedTemplate({ template }: Synthesised): Map<string, Rendered> {
  const { Resources, Conditions, Rules, Outputs } = template.toJSON()
  const kinds = new Map<string, Rendered>()
  const add = (kind: string, id: string, properties: Properties) => {
    const lines = Object.entries(properties).flatMap(([name, value]) =>
      linesOf(`${name}:`, plain(value), '  '),
    )
    const others = kinds.get(kind) ?? {}
    if (shortId(id) in others) throw new Error(`two resources are named ${shortId(id)}`)
    kinds.set(kind, { ...others, [shortId(id)]: lines })
  }
  for (const [id, resource] of Object.entries(Resources as Record<string, Properties>)) {
    if (id.startsWith('MayflyEdgePagesPathToFile') || id === 'CDKMetadata') continue
    const { Type, Properties: own = {}, Metadata: _, DependsOn, ...policies } = resource
    const isOther = (other: string) => isGuard(id) || !isGuard(other)
    const after = Type === 'Custom::MayflySetup' ? [] : [DependsOn ?? []].flat().filter(isOther)
    add(Type, id, { ...own, ...policies, ...(after.length > 0 && { DependsOn: after.map(shortId).sort() }) })
  }
  for (const [kind, all] of Object.entries({ Conditions, Rules, Outputs }))
    for (const [id, value] of Object.entries((all ?? {}) as Record<string, Properties>)) add(kind, id, value)
  return kinds
}

const isGuard = (id: string) => id.startsWith('MayflyUpgradeGuard')

/** Returns the value with short references, and with short hashes of assets, which tell programs apart. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'string') return value.replace(/[0-9a-f]{64}/g, (hash) => hash.slice(0, 8))
  if (typeof value !== 'object' || value === null) return value
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': join } = value as Properties
  if (Ref !== undefined) return `\${${shortId(Ref)}}`
  if (attribute !== undefined) return `\${${shortId(attribute[0])}.${attribute[1]}}`
  if (Array.isArray(join?.[1])) return join[1].map(plain).map(textOf).join(join[0])
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, plain(of)]))
}
