import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from '@jest/globals'

/**
 * For each folder, the folders of this project and the packages that it may import (`*` for any package). A
 * folder may always import itself and the modules of Node. Every other import fails. docs/architecture.md gives
 * the reasons.
 */
const RULES: Record<string, { folders?: string[]; packages?: string[] }> = {
  // @eslint-community/regexpp only builds the lexicon.
  reading: { packages: ['entities', 'iconv-lite', '@eslint-community/regexpp'] },
  // `core` means the files in core itself: errors, limits, clock, ids.
  core: { folders: ['reading'] },
  'core/access': { folders: ['core'] },
  'core/inbox': { folders: ['core', 'reading', 'core/access'] },
  'core/events': { folders: ['core', 'reading', 'core/inbox', 'core/access'] },
}

const ADAPTERS: Record<string, string[]> = {
  apigateway: [],
  aws: ['@aws-sdk/*', '@smithy/*'],
  cloudfront: [],
  dns: [],
  dynamodb: ['@aws-sdk/*', '@smithy/*'],
  eventbridge: ['@aws-sdk/*'],
  http: ['hono', '@hono/node-server', 'valibot', '@valibot/to-json-schema'],
  net: [],
  mcp: ['@modelcontextprotocol/server', 'valibot', '@valibot/to-json-schema'],
  s3: ['@aws-sdk/*'],
  secretsmanager: ['@aws-sdk/*'],
  ses: ['@aws-sdk/*'],
  'catcher-apis': ['hono', 'valibot'],
  metrics: ['prom-client'],
  'send-apis': ['handlebars', 'hono', 'nodemailer', 'valibot'],
  smtp: ['smtp-server', 'mailauth'],
  sqlite: [],
  sqs: ['@aws-sdk/*'],
  valkey: ['iovalkey'],
  webhooks: ['ipaddr.js', 'standardwebhooks'],
}
/** Adapters that listen. */
const LISTENING = ['http', 'smtp']
/** Adapters that may import what the adapters of AWS share. */
const ON_AWS = ['apigateway', 'cloudfront', 'dynamodb', 'eventbridge', 's3', 'ses', 'sqs']

const CORE = ['core', 'reading', 'core/inbox', 'core/events', 'core/access']
for (const [name, packages] of Object.entries(ADAPTERS)) {
  RULES[`adapters/${name}`] = {
    folders: [
      ...CORE,
      ...(ON_AWS.includes(name) ? ['adapters/aws'] : []),
      ...(LISTENING.includes(name) ? ['adapters/net'] : []),
    ],
    packages,
  }
}

/** The adapters that the entry points use themselves. No entry point imports the folder of another one. */
const ENTRY_POINTS: Record<string, string[]> = {
  'local-service': ['catcher-apis', 'http', 'metrics', 'send-apis', 'smtp', 'sqlite'],
  lambdas: ['aws', 'dynamodb', 'http', 's3', 'ses', 'sqs', 'valkey'],
  'sse-service': ['aws', 'cloudfront', 'dynamodb', 'http', 'valkey'],
  'smtp-service': ['aws', 'dynamodb', 's3', 'secretsmanager', 'ses', 'smtp', 'sqs'],
}
for (const [name, adapters] of Object.entries({ ...ENTRY_POINTS, service: Object.keys(ADAPTERS) })) {
  RULES[name] = {
    folders: [
      ...CORE,
      ...adapters.map((adapter) => `adapters/${adapter}`),
      'service',
      ...(name === 'local-service' ? ['web', 'packages/client'] : []),
    ],
    packages: ['*'],
  }
}
Object.assign(RULES, {
  lib: {
    folders: ['core', 'adapters/aws', 'web'],
    packages: ['*'],
  },
  web: { folders: [...CORE, 'adapters/http', 'packages/client'], packages: ['*'] },
  'packages/client': { folders: ['core/inbox', 'adapters/http'], packages: ['*'] },
  'packages/mayfly': {
    folders: [...CORE, 'adapters/mcp', 'local-service', 'packages/client'],
    packages: ['*'],
  },
  'packages/cdk': { folders: ['core', 'lib'], packages: ['*'] },
})

const root = fileURLToPath(new URL('..', import.meta.url))

/** The folder whose rule applies to a file: the longest one that contains it. */
function folderOf(file: string): string {
  const parts = file.split('/')
  return parts.length > 2 && ['core', 'adapters', 'packages'].includes(parts[0]!)
    ? `${parts[0]}/${parts[1]}`
    : parts[0]!
}

function packageOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/')
}

/** Every TypeScript source of the project, tests included. */
function sources(): string[] {
  return globSync('**/*.{ts,tsx}', {
    cwd: root,
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.d.ts', '.stryker-tmp/**', 'cdk.out/**', '.venv/**'],
  })
}

/** What each file imports, types included: own files as a path from the root, packages by name. */
function importGraph(): Map<string, string[]> {
  const files = sources()
  return new Map(
    files.map((file) => {
      const text = readFileSync(root + file, 'utf8')
      const specifiers = [...text.matchAll(/(?:^import|\bfrom) '([^']+)'$|\bimport\('([^']+)'\)/gm)]
      return [file, specifiers.map(([, from, dynamic]) => resolved(file, from ?? dynamic!))]
    }),
  )
}

function resolved(file: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : specifier
}

const graph = importGraph()

/** A class of errors and the name that its constructor gives, with no other class between them. */
const NAMED_ERROR = /\bclass (\w+) extends \w+ \{(?:(?!\bclass ).)*?\bthis\.name = '(\w+)'/gs

/** Every import of the selected files that `may` rejects, as `file → import`. */
function faults(of: (file: string) => boolean, may: (path: string, own: boolean) => boolean): string[] {
  return [...graph]
    .filter(([file]) => of(file))
    .flatMap(([file, imports]) =>
      imports.filter((path) => !may(path, /\.tsx?$/.test(path))).map((path) => `${file} → ${path}`),
    )
}

describe('the structure', () => {
  test.each(Object.keys(RULES))('%s imports only what it may', (folder) => {
    const { folders = [], packages = [] } = RULES[folder]!
    const may = (path: string, own: boolean): boolean =>
      own
        ? [folder, ...folders].includes(folderOf(path))
        : path.startsWith('node:') || packages.some((name) => matches(packageOf(path), name))
    expect(faults((file) => folderOf(file) === folder, may)).toEqual([])
  })

  test('every folder of core and adapters has a rule', () => {
    const folders = new Set([...graph.keys()].filter((file) => /^(core|adapters)\//.test(file)).map(folderOf))
    expect([...folders].filter((folder) => RULES[folder] === undefined)).toEqual([])
  })

  test('a package is compiled as a whole each time: what it emitted before, its build has removed', () => {
    const configs = globSync('{.,packages/*}/tsconfig.json', { cwd: root })
    expect(configs.length).toBeGreaterThan(3)
    for (const config of configs) {
      const { compilerOptions } = JSON.parse(readFileSync(`${root}${config}`, 'utf8'))
      expect([config, compilerOptions.incremental]).toEqual([config, undefined])
    }
  })

  test('each folder of lib has at most 15 files', () => {
    const files = globSync('lib/**/*', { cwd: root, withFileTypes: true }).filter((entry) => entry.isFile())
    const folders = Map.groupBy(files, ({ parentPath }) => parentPath.slice(root.length))
    expect(folders.size).toBeGreaterThan(5)
    expect([...folders].filter(([, inside]) => inside.length > 15).map(([folder]) => folder)).toEqual([])
  })

  test('only lib and the CDK app import CDK or lib', () => {
    const inside = (file: string): boolean =>
      /^(?:lib|test|bench|packages\/cdk)\//.test(file) || file === 'bin/mayfly.ts'
    const outside = (path: string, own: boolean): boolean =>
      own ? folderOf(path) !== 'lib' : !/^(aws-cdk-lib|constructs|cdk-nag)\b/.test(path)
    expect(faults((file) => !inside(file), outside)).toEqual([])
  })

  test('an error has the name of its class, which logs and stacks show', () => {
    const named = sources()
      .filter((file) => !file.startsWith('test/'))
      .flatMap((file) => [...readFileSync(root + file, 'utf8').matchAll(NAMED_ERROR)])
      .map(([, ofClass, name]) => [ofClass, name])
    expect(named.length).toBeGreaterThan(8)
    expect(named.filter(([ofClass, name]) => ofClass !== name)).toEqual([])
  })

  test('there are no import circles', () => {
    expect(circles()).toEqual([])
  })
})

function matches(name: string, pattern: string): boolean {
  if (pattern === '*') return true
  return pattern.endsWith('/*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}

/** Each circle once, as the path that closes it. */
function circles(): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const walk = (file: string, path: string[]): void => {
    const at = path.indexOf(file)
    if (at !== -1) found.push([...path.slice(at), file].join(' → '))
    else if (!done.has(file)) {
      for (const next of graph.get(file) ?? []) walk(next, [...path, file])
      done.add(file)
    }
  }
  for (const file of graph.keys()) walk(file, [])
  return found
}
