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

function replaced(name: string, filter: RegExp, contents: string): Plugin {
  return {
    name,
    setup({ onResolve, onLoad }) {
      onResolve({ filter }, ({ resolveDir }) => ({ path: name, namespace: name, pluginData: resolveDir }))
      onLoad({ filter: /.*/, namespace: name }, ({ pluginData }) => ({ contents, resolveDir: pluginData }))
    },
  }
}
