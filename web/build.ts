/**
 * Builds the pages into web/dist: `npm run build:web`, which `npm ci` runs, too. Every file that a page loads has a
 * hash in its name, so that browsers can cache it forever; the HTML files name the current ones.
 */
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Metafile } from 'esbuild'
import { docsBody } from './docs/page.ts'
import { frameDocument, pageDocument } from './document.ts'
import { notFoundBody, problemsBody } from './problems/list.ts'
import { icoOf, ROBOTS, webManifest } from './site-files.ts'

const WEB = fileURLToPath(new URL('.', import.meta.url))
const DIST = join(WEB, 'dist')
const LOADING = '<p class="nothing">Loading…</p>'
const NO_SCRIPT =
  '<noscript><p>This page requires JavaScript. The API does not: see /api/openapi.json.</p></noscript>'

const PAGES = [
  {
    file: 'index.html',
    entry: 'inbox/main.tsx',
    path: '/',
    title: 'Inbox · Mayfly',
    isApp: true,
    description: 'A disposable mailbox that shows mail as it arrives.',
    body: LOADING + NO_SCRIPT,
  },
  {
    file: 'domains.html',
    entry: 'domains/main.tsx',
    path: '/domains',
    title: 'Domains · Mayfly',
    description: 'Shows which DNS records a domain needs to receive mail here, and makes a domain private.',
    body: LOADING + NO_SCRIPT,
  },
  {
    file: 'webhooks.html',
    entry: 'webhooks/main.tsx',
    path: '/webhooks',
    title: 'Webhooks · Mayfly',
    description: 'Creates webhooks for new emails, pings them, and shows their deliveries.',
    body: LOADING + NO_SCRIPT,
  },
  {
    file: 'keys.html',
    entry: 'keys/main.tsx',
    path: '/keys',
    title: 'API keys · Mayfly',
    description: 'Generates a free API key, shows what is known about a key, and revokes it.',
    body: LOADING + NO_SCRIPT,
  },
  {
    file: 'docs.html',
    entry: 'docs/main.tsx',
    path: '/docs',
    title: 'API documentation · Mayfly',
    description: 'Examples and reference of the Mayfly API.',
    body: docsBody(),
  },
  {
    file: 'problems.html',
    entry: 'problems/main.ts',
    path: '/problems/',
    title: 'Problems · Mayfly',
    description: 'Every error of the Mayfly API, and what to do about it.',
    body: problemsBody(),
  },
  {
    file: '404.html',
    entry: 'not-found/main.ts',
    path: '/404',
    title: 'Page not found · Mayfly',
    description: 'This page does not exist.',
    body: notFoundBody(),
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
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
  write: false,
} as const

const written = new Map<string, string | Uint8Array>()

// First the scripts whose paths are compiled into others: the shared worker, and the script that measures an email.
const worker = await single('stream/worker.ts', 'esm')
const measure = await single('frame/measure.ts', 'iife')

const [modules, frame] = await Promise.all([
  build({
    ...COMMON,
    define: { STREAM_WORKER: JSON.stringify(`/${worker}`) },
    entryPoints: [
      ...PAGES.map(({ entry }) => ({ in: entry, out: entry.slice(0, entry.indexOf('/')) })),
      { in: 'styles/site.css', out: 'site' },
    ],
    format: 'esm',
    splitting: true,
  }),
  // A classic script: a module is requested with CORS, which fails in a sandboxed document.
  build({
    ...COMMON,
    define: { MEASURE_SCRIPT: JSON.stringify(measure) },
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
const png = (name: string) => readFile(join(WEB, 'icons', `${name}.png`))
written.set('robots.txt', ROBOTS)
written.set('favicon.ico', icoOf(await png('favicon-32'), 32))
written.set('apple-touch-icon.png', await png('touch-180'))
const icons: Record<number, string> = {}
for (const width of [192, 512]) {
  icons[width] = await asset(join(WEB, 'icons', `icon-${width}.png`), 'icon', 'png')
}
written.set('manifest.webmanifest', webManifest(icons))

await save()

/** The output of an entry, and the chunks that it imports statically. */
function outputOf({ outputs }: Metafile, entry: string): [string, string[]] {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === entry)
  if (found === undefined) throw new Error(`esbuild has no output for ${entry}`)
  const [path, output] = found
  const chunks = output.imports.filter(({ kind }) => kind === 'import-statement').map((chunk) => chunk.path)
  const inDist = (name: string) => name.slice('dist/'.length)
  return [inDist(path), chunks.map(inDist)]
}

/** Builds one script without chunks. Returns its path in web/dist. */
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

/** Writes new files before it removes old ones, so that a service that starts meanwhile finds a complete set. */
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
