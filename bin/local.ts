/** The whole service in one process: `npm start`. Configuration: docs/configuration.md. */
import { runLocalService } from '../local-service/run.ts'

await runLocalService(process.env)
