import type { Plugin } from 'esbuild'

/**
 * A Lambda function has its credentials in the environment, where the other providers of the SDK's
 * default chain do not work. Leaving them out saves 110 kB and 20 ms of a cold start. Containers
 * get credentials from an endpoint and need the whole chain.
 */
export const environmentCredentials = replaced(
  'environment-credentials',
  /^@aws-sdk\/credential-provider-node$/,
  `import { fromEnv } from '@aws-sdk/credential-provider-env'
   export const defaultProvider = (options = {}) => fromEnv(options)`,
)

/** The SDK parses the user agent of browsers with it. */
export const noBrowser = replaced('no-browser', /^bowser$/, 'export default {}')

/** The mail provider, which only programs that verify domains need. */
export const noProvider = replaced(
  'no-provider',
  /adapters\/ses\/client\.ts$/,
  "export const openProvider = () => { throw new Error('this program verifies no domains') }",
)

function replaced(name: string, filter: RegExp, contents: string): Plugin {
  return {
    name,
    setup({ onResolve, onLoad }) {
      onResolve({ filter }, ({ resolveDir }) => ({ path: name, namespace: name, pluginData: resolveDir }))
      onLoad({ filter: /.*/, namespace: name }, ({ pluginData }) => ({ contents, resolveDir: pluginData }))
    },
  }
}
