/**
 * The whole service in one process: `npm start`. It runs the bundle that `npm ci` has built, because resolving and
 * loading some hundred small files takes a quarter of the CPU time of a start. If a source has changed since, or there
 * is no bundle, it runs the sources. Configuration: docs/configuration.md.
 */
import './runtime.js'
import { isBundleCurrent } from './built.js'

const { runLocalService } = isBundleCurrent()
  ? await import('../built/run.js')
  : await import('../local-service/run.ts')
await runLocalService(process.env)
