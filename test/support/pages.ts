import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const WEB = fileURLToPath(new URL('../../web/', import.meta.url))

/** Builds the pages if a source in web/ is newer than the last build. @throws Error with the output of the build */
export function buildPagesIfStale(): void {
  const newest = Math.max(...sources().map((file) => statSync(join(WEB, file)).mtimeMs))
  if (newest <= builtAt()) return
  const build = spawnSync(process.execPath, [join(WEB, 'build.ts')], { encoding: 'utf8' })
  if (build.status !== 0) throw new Error(`web/build.ts failed:\n${build.stdout}${build.stderr}`)
}

function sources(): string[] {
  return readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.startsWith('dist') && statSync(join(WEB, file)).isFile(),
  )
}

/** Unix ms of the last build; 0 before the first build. */
function builtAt(): number {
  return statSync(join(WEB, 'dist/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0
}
