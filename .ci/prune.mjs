/**
 * Removes from node_modules what no program of this project reads, a sixth of its size: the headers of Node, which are
 * for addons in C++; the description of the CDK library for other languages; source maps.
 */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../node_modules/', import.meta.url))
const paths = readdirSync(modules, { recursive: true })
const isUnused = (path) =>
  /^node\/node_modules\/node-[^/]+\/include$/.test(path) ||
  /^aws-cdk-lib\/\.jsii[^/]*\.gz$/.test(path) ||
  /\.(?:[cm]?js|[cm]?ts|css)\.map$/.test(path)

for (const path of paths.map((path) => path.replaceAll('\\', '/')).filter(isUnused)) {
  rmSync(join(modules, path), { recursive: true, force: true })
}
