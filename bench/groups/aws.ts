import { join } from 'node:path'
import { bundleHandler } from '../../lib/bundling/bundles.ts'
import { HANDLERS, type Handler } from '../../lib/bundling/names.ts'
import { hasJava, startTables } from '../support/dynamodb.ts'
import type { Group } from '../support/figures.ts'
import { inFolder } from '../support/folder.ts'
import { startObjectStore } from '../support/object-store.ts'
import { prepareCloud } from './aws/cloud.ts'
import { coldStarts, ingestMemory, warmRequests } from './aws/handlers.ts'
import { operations } from './aws/operations.ts'
import { type Bundle, bundleSizes, startedSizes } from './aws/sizes.ts'

/**
 * What the parts on AWS cost, as far as one machine can measure it: the deployed bundles, their
 * handlers run by this Node against DynamoDB Local and a small S3 in memory. Lambda has another
 * processor and therefore other times; sizes, memory and capacity units are about the same.
 *
 * - bundle: all JavaScript of a handler, and how much of it loads at the start.
 * - cold start: in a new process, from the beginning of the import until its end, and until the
 * first event is answered; the median of several processes. The start of the runtime itself is not
 * included.
 * - requests: one at a time on a warm handler; p50 with the emulated services, and the CPU time of
 * the handler's process alone.
 * - ingest: the peak memory of a new process that stores one message.
 * - operations: capacity units and requests, as DynamoDB counts them (an eventually consistent read
 * is half a unit).
 */
export const aws: Group = {
  name: 'aws',
  async measure({ quick, progress }) {
    return inFolder(async (folder) => {
      progress('bundles')
      const bundles = {} as Record<Handler, Bundle>
      for (const name of HANDLERS) {
        const metafile = await bundleHandler(name, join(folder, name))
        bundles[name] = { file: join(folder, name, 'index.mjs'), metafile }
      }
      const figures = [...bundleSizes(bundles), ...startedSizes(bundles)]
      if (!hasJava()) {
        return {
          figures,
          leftOut: ['all that needs DynamoDB Local: it is a Java program, and there is no Java 17.'],
        }
      }
      const dynamo = await startTables()
      const s3 = await startObjectStore()
      const cloud = await prepareCloud(dynamo, s3)
      try {
        progress('cold starts')
        figures.push(...(await coldStarts(bundles, cloud, quick ? 1 : 5)))
        progress('requests')
        figures.push(...(await warmRequests(bundles, cloud, quick ? 50 : 500)))
        progress('ingest')
        figures.push(...(await ingestMemory(bundles.ingest, cloud)))
        progress('operations')
        figures.push(...(await operations(dynamo, s3)))
      } finally {
        await cloud.close()
        await dynamo.stop()
        await s3.stop()
      }
      return {
        figures,
        leftOut: [
          'the first answer of "setup": it changes the receipt rules of SES, which nothing here stands for.',
        ],
      }
    })
  },
}
