/**
 * Builds the pages into web/dist: `npm run build:web`, and by itself after `npm ci`. Everything that a page
 * loads has a hash in its name, so that it can be kept for good; the HTML files name what is current.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import { frameDocument, pageDocument } from './document.ts'
import { problemsBody } from './problems/list.ts'

const WEB = fileURLToPath(new URL('.', import.meta.url))
const DIST = join(WEB, 'dist')
const LOADING = '<p class="loading">Loading…</p>'
const NO_SCRIPT =
  '<noscript><p>This page needs JavaScript. The API does not: see /api/openapi.json.</p></noscript>'

const PAGES = [
  {
    file: 'index.html',
    entry: 'inbox/main.tsx',
    path: '/',
    title: 'Inbox · Mayfly',
    app: true,
    description: 'A disposable mailbox that shows mail as it arrives.',
    body: LOADING + NO_SCRIPT,
  },
  {
    file: 'keys.html',
    entry: 'keys/main.tsx',
    path: '/keys',
    title: 'API keys · Mayfly',
    description: 'Get a free API key, look one up, or revoke it.',
    body: LOADING + NO_SCRIPT,
  },
  {
    file: 'domains.html',
    entry: 'domains/main.tsx',
    path: '/domains',
    title: 'Domains · Mayfly',
    description: 'See which DNS records a domain needs to receive mail here, and make it private.',
    body: LOADING + NO_SCRIPT,
  },
  {
    file: 'docs.html',
    entry: 'docs/main.tsx',
    path: '/docs',
    title: 'API · Mayfly',
    description: 'Examples and the reference of the Mayfly API.',
    body: LOADING + NO_SCRIPT,
  },
  {
    file: 'problems.html',
    entry: 'problems/main.ts',
    path: '/problems/',
    title: 'Problems · Mayfly',
    description: 'Every refusal of the Mayfly API, and what to do about it.',
    body: problemsBody(),
  },
]

const COMMON = {
  absWorkingDir: WEB,
  bundle: true,
  minify: true,
  metafile: true,
  target: 'es2022',
  outdir: 'dist/assets',
  entryNames: '[name]-[hash]',
  chunkNames: 'chunk-[hash]',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
  legalComments: 'none',
  write: false,
} as const

const written = new Map<string, string | Uint8Array>()

// What others load by its path comes first: a shared worker, and the script that measures a mail in its cage.
const worker = await single('stream/worker.ts', 'esm')
const measure = await single('frame/measure.ts', 'iife')

const [modules, frame] = await Promise.all([
  build({
    ...COMMON,
    define: { STREAM_WORKER: JSON.stringify(`/${worker}`) },
    entryPoints: [
      ...PAGES.map(({ entry }) => ({ in: entry, out: entry.split('/')[0]! })),
      { in: 'styles/site.css', out: 'site' },
    ],
    format: 'esm',
    splitting: true,
  }),
  // A classic script: a module would be asked for with CORS, which a sandboxed document fails.
  build({
    ...COMMON,
    define: { MEASURE_SCRIPT: JSON.stringify(`/${measure}`) },
    entryPoints: [{ in: 'frame/frame.ts', out: 'frame' }],
    format: 'iife',
  }),
])

for (const { path, contents } of [...modules.outputFiles, ...frame.outputFiles]) {
  written.set(path.slice(DIST.length + 1).replaceAll('\\', '/'), contents)
}

const icon = await asset(join(WEB, 'icon.svg'), 'icon', 'svg')

for (const { file, entry, ...text } of PAGES) {
  const [script, chunks] = outputOf(modules.metafile, entry)
  const [site] = outputOf(modules.metafile, 'styles/site.css')
  written.set(file, pageDocument(text, { script, chunks, styles: [site], icon }))
}
written.set('frame.html', frameDocument(outputOf(frame.metafile, 'frame/frame.ts')[0]))
for (const name of ['llms.txt', 'SKILL.md']) written.set(name, await readFile(join(WEB, name)))

await save()

/** The output that an entry became, and the chunks that it imports at once. */
function outputOf({ outputs }: Metafile, entry: string): [string, string[]] {
  const [path, output] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)!
  const chunks = output.imports.filter(({ kind }) => kind === 'import-statement').map((chunk) => chunk.path)
  const inDist = (name: string) => name.slice('dist/'.length)
  return [inDist(path), chunks.map(inDist)]
}

/** One script by itself; its path in web/dist. */
async function single(entry: string, format: 'esm' | 'iife'): Promise<string> {
  const { outputFiles, metafile } = await build({ ...COMMON, entryPoints: [entry], format })
  for (const { path, contents } of outputFiles) written.set(path.slice(DIST.length + 1), contents)
  return outputOf(metafile, entry)[0]
}

async function asset(from: string, name: string, extension: string): Promise<string> {
  const bytes = await readFile(from)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 8).toUpperCase()
  const path = `assets/${name}-${hash}.${extension}`
  written.set(path, bytes)
  return path
}

/** New files first and old ones last, so that a service that starts meanwhile finds a whole set. */
async function save(): Promise<void> {
  await mkdir(join(DIST, 'assets'), { recursive: true })
  for (const [path, contents] of written) {
    const partial = join(DIST, `${path}.${process.pid}.part`)
    await writeFile(partial, contents)
    await rename(partial, join(DIST, path))
  }
  for (const entry of await readdir(DIST, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const known = written.has(path.slice(DIST.length + 1).replaceAll('\\', '/'))
    if (entry.isFile() && !known && !entry.name.endsWith('.part')) await rm(path, { force: true })
  }
}
