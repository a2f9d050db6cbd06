import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** Where .ci/conformance installs programs. */
export const CACHE = join(ROOT, '.ci/cache/conformance')
export const PYTHON = join(ROOT, '.venv/bin/python')

/** The folder of an npm package that .ci/conformance has installed. */
export function npmPackage(name: string): string {
  return join(CACHE, 'node_modules', name)
}

export function npmVersion(name: string): string {
  return (JSON.parse(readFileSync(join(npmPackage(name), 'package.json'), 'utf8')) as { version: string })
    .version
}

export function pythonVersion(name: string): string {
  const program = 'import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))'
  return execFileSync(PYTHON, ['-c', program, name], { encoding: 'utf8' }).trim()
}

/** A program of test/conformance/go. */
export function goProgram(name: string): string {
  return join(CACHE, 'bin', name)
}

export function goVersion(module: string): string {
  const modules = readFileSync(join(ROOT, 'test/conformance/go/go.mod'), 'utf8').split('\n')
  const line = modules.find((one) => one.trim().startsWith(`${module} `))
  return line!.trim().split(' ')[1]!.slice(1)
}

/**
 * The path of a program of the distribution: the installed one, or the one of the package that .ci/conformance has
 * unpacked without installing it, because an installed server would start at each boot of the machine.
 */
export function unpacked(name: string, path: string): string {
  return existsSync(`/${path}`) ? `/${path}` : join(CACHE, name, path)
}
