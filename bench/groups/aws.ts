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
 * What the parts on AWS cost, as far as one machine can tell: bundles as they are deployed, their handlers run by
 * this Node against Amazon's DynamoDB Local and an S3 of a hundred lines in memory. On Lambda the processor is
 * another one, and so are the times; sizes, memory and capacity units are about the same.
 *
 * - bundle: all JavaScript of a handler, and what of it is loaded at the start.
 * - cold start: in a fresh process, from the beginning of the import until it is done, and until the first event
 *   is answered; the median of several processes. The start of the runtime itself is not in it.
 * - requests: one after the other by a warm handler; p50 with the emulated services, and the CPU time of the
 *   handler's process alone.
 * - ingest: the most memory that a fresh process had when it stored one message.
 * - operations: capacity units and requests to DynamoDB, as it counts them (a read unit is half a unit where it
 *   need not be consistent).
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
