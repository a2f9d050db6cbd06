/** Records the template of the present version: `npm run record:template`, at each release. */
import manifest from '../../package.json' with { type: 'json' }
import { record } from './recorded.ts'

await record(process.argv[2] ?? manifest.version)
