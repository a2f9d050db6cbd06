/**
 * Installs the packages of .ci/tools/package.json, which are large and which only tests use, beside the dependencies.
 * `npm test` runs it first. It does nothing if they are there in these versions.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const folder = new URL('tools/', import.meta.url)
const read = (file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8'))

function isInstalled([name, version]) {
  try {
    return read(`node_modules/${name}/package.json`).version === version
  } catch {
    return false
  }
}

if (!Object.entries(read('package.json').dependencies).every(isInstalled)) {
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['ci', ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  process.exitCode = status ?? 1
}
