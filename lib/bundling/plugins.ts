import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Plugin } from 'esbuild'

const require = createRequire(import.meta.url)

/**
 * A Lambda function has its credentials in the environment, and the other providers of the SDK's default chain
 * cannot answer there; leaving them out saves 110 kB and 20 ms of a cold start. Not for the container, whose
 * credentials come from an endpoint.
 */
export const environmentCredentials = replaced(
  'environment-credentials',
  /^@aws-sdk\/credential-provider-node$/,
  `import { fromEnv } from '@aws-sdk/credential-provider-env'
   export const defaultProvider = (options = {}) => fromEnv(options)`,
)

/** The SDK reads the user agent of browsers with it. */
export const noBrowser = replaced('no-browser', /^bowser$/, 'export default {}')

/** The mail provider, which only programs that verify domains ask. */
export const noProvider = replaced(
  'no-provider',
  /adapters\/ses\/client\.ts$/,
  "export const openProvider = () => { throw new Error('this program asks no mail provider') }",
)

/** Both builds of it would be inside: ours is imported, and the mail parser requires it. */
export const oneHtmlToText: Plugin = {
  name: 'one-html-to-text',
  setup({ onResolve }) {
    const path = require.resolve('html-to-text').replace(/cjs$/, 'mjs')
    onResolve({ filter: /^html-to-text$/ }, () => ({ path }))
  },
}

/** npm may install the same version of it twice, for the mail parser and for its library: half a megabyte. */
export const oneIconv: Plugin = {
  name: 'one-iconv',
  setup({ onResolve }) {
    const [path, other] = ['libmime', 'mailparser'].map((user) =>
      createRequire(require.resolve(user)).resolve('iconv-lite'),
    )
    const version = (file: string) => createRequire(file)('../package.json').version
    if (version(path!) !== version(other!))
      throw new Error('libmime and mailparser want different iconv-lite')
    onResolve({ filter: /^iconv-lite$/ }, () => ({ path }))
  },
}

/** Tables of old character sets: files of their own beside the bundle, so that no start reads them. */
export const TABLES_OF_CHARSETS = ['iconv-lite', 'encoding-japanese'] as const

/** What the mail parser loads at its start and needs only for some mail, and the constant that it is kept in. */
const SELDOM: [RegExp, string][] = [
  [/const (iconv) = require\('(iconv-lite)'\);/, 'charset.js'],
  [/const (encodingJapanese) = require\('(encoding-japanese)'\);/, 'charset.js'],
  [/const (iconv) = require\('(iconv-lite)'\);/, 'mail-parser.js'],
  [/const (encodingJapanese) = require\('(encoding-japanese)'\);/, 'mail-parser.js'],
  [/const (he) = require\('(he)'\);/, 'mail-parser.js'],
]

/**
 * Loads the tables of old character sets with the first mail that has one: 30 ms of a cold start. It works on the
 * text of two files, so it fails where that has changed.
 */
export const lateCharsets: Plugin = {
  name: 'late-charsets',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\/(iconv-lite|encoding-japanese)\.cjs$/ }, ({ path }) => ({
      path,
      external: true,
    }))
    onLoad({ filter: /(libmime\/lib\/charset|mailparser\/lib\/mail-parser)\.js$/ }, async ({ path }) => {
      let contents = await readFile(path, 'utf8')
      for (const [pattern, file] of SELDOM) {
        if (!path.endsWith(`/${file}`)) continue
        if (!pattern.test(contents)) throw new Error(`${path} does not match ${pattern} any more`)
        contents = contents.replace(pattern, (_, name: string, module: string) => late(name, module))
      }
      return { contents, loader: 'js' }
    })
  },
}

function late(name: string, module: string): string {
  const file = TABLES_OF_CHARSETS.some((tables) => tables === module) ? `./${module}.cjs` : module
  return `let ${name}_; const ${name} = new Proxy({}, {
    get: (_, key) => (${name}_ ??= require('${file}'))[key],
  });`
}

function replaced(name: string, filter: RegExp, contents: string): Plugin {
  return {
    name,
    setup({ onResolve, onLoad }) {
      onResolve({ filter }, ({ resolveDir }) => ({ path: name, namespace: name, pluginData: resolveDir }))
      onLoad({ filter: /.*/, namespace: name }, ({ pluginData }) => ({ contents, resolveDir: pluginData }))
    },
  }
}
