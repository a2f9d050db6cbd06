import type { IamRequest } from './requests.ts'

/**
 * The rows of docs/security.md: what each role may do, and on what.
 * @param uses the requests of each role, in all configurations together
 */
export function tableOf(uses: Map<string, IamRequest[]>): string {
  const rows = [...uses]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([role, requests]) => {
      const byResource = new Map<string, Set<string>>()
      for (const { action, resource } of requests) {
        const name = shortName(resource)
        const actions = byResource.get(name) ?? new Set()
        byResource.set(name, actions.add(action.replace(/^[^:]+:/, '')))
      }
      const cells = [...byResource]
        .map(([resource, actions]) => `${resource}: ${[...actions].sort().join(', ')}`)
        .sort()
      return `| ${role} | ${cells.join('<br>') || 'nothing'} |`
    })
  return ['| role | requests |', '|---|---|', ...rows].join('\n')
}

/** The service and the name of a resource, without its Region and account. */
function shortName(resource: string): string {
  if (resource === '*') return 'any resource'
  const [, , service, , , ...rest] = resource.split(':')
  const name = rest
    .join(':')
    .replace(/^(table|log-group|secret|key|role)[/:]/, '')
    .replace(/:log-stream:x$/, '')
    .replace(/-a1B2c3$/, '')
  return `${service} \`${name}\``
}
