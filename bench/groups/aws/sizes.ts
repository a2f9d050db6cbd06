import type { Metafile } from 'esbuild'
import type { Handler } from '../../../lib/bundling/names.ts'
import type { Figure } from '../../support/figures.ts'

export interface Bundle {
  /** The entry. */
  file: string
  metafile: Metafile
}

const KB = 1024
const MOST: Partial<Record<Handler, number>> = { api: 1000, ingest: 1700 }

/** All JavaScript of each handler. */
export function bundleSizes(bundles: Record<Handler, Bundle>): Figure[] {
  return Object.entries(bundles).map(([name, { metafile }]) => {
    const bytes = scripts(metafile).reduce((sum, file) => sum + metafile.outputs[file]!.bytes, 0)
    const most = MOST[name as Handler]
    return {
      name: `${name}: bundle`,
      value: bytes / KB,
      unit: 'KB',
      target: most === undefined ? undefined : { most },
    }
  })
}

/** What each handler loads when it starts: the entry and its static imports. */
export function startedSizes(bundles: Record<Handler, Bundle>): Figure[] {
  return Object.entries(bundles).map(([name, { metafile }]) => {
    const { outputs } = metafile
    const loaded = new Set<string>()
    const load = (file: string) => {
      if (loaded.has(file) || outputs[file] === undefined) return
      loaded.add(file)
      for (const { path, kind } of outputs[file].imports) if (kind === 'import-statement') load(path)
    }
    load(scripts(metafile).find((file) => outputs[file]!.entryPoint?.startsWith('lambdas/'))!)
    const bytes = [...loaded].reduce((sum, file) => sum + outputs[file]!.bytes, 0)
    return { name: `${name}: loaded at the start`, value: bytes / KB, unit: 'KB' }
  })
}

function scripts({ outputs }: Metafile): string[] {
  return Object.keys(outputs).filter((file) => /\.[cm]js$/.test(file))
}
