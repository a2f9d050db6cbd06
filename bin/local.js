/** The whole service in one process, from its sources: `npm run dev`. Configuration: docs/configuration.md. */
import './runtime.js'

const { runLocalService } = await import('../local-service/run.ts')
await runLocalService(process.env)
