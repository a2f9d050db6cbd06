import { LOG_PARTS } from '../../adapters/dynamodb/domain-log.ts'
import type { Figure, Group } from '../support/figures.ts'
import { cellsOf, type Deployment, limitsOf, needOf, streamsNeed } from '../support/scale-model.ts'

/** The loads of docs/scale.md. */
export const MAILS_A_DAY = [1e6, 1e8, 1e9]
export const STREAMS = 1e6

/** Returns the largest stack that the template makes. */
export async function largestStack(): Promise<Deployment> {
  const { UNITS_MAX } = await import('../../lib/storage.ts')
  const { STREAMS_PER_TASK } = await import('../../lib/live/sse-service.ts')
  return { tableUnits: UNITS_MAX, streamsPerTask: STREAMS_PER_TASK, logParts: LOG_PARTS }
}

/**
 * Which quota, partition or cost ends first at a million, 100 million and a billion mails a day and
 * at a million streams. Nothing is measured: a model computes it from the template, the code and
 * the quotas of AWS (bench/support/scale-model.ts).
 */
export const scale: Group = {
  name: 'scale',
  async measure() {
    const stack = await largestStack()
    const figures: Figure[] = limitsOf(stack).map(({ name, endsAt, of }) => ({
      name,
      value: endsAt,
      unit: of,
    }))
    for (const mails of MAILS_A_DAY) {
      const { mailsPerSecond, unitsPerTable, functions, bySes, bySmtp } = needOf(mails)
      const of = (name: string, value: number, unit: string) =>
        figures.push({ name: `${mails.toLocaleString('en-US')} mails a day: ${name}`, value, unit })
      of('rate', mailsPerSecond, 'mails/s')
      of('write units of each table', unitsPerTable, 'units/s')
      of('ingest functions', Math.ceil(functions), 'at a time')
      of('cost by SES', bySes, 'dollars a month')
      of('cost by SMTP', bySmtp, 'dollars a month')
      of('cells', cellsOf(mails, stack), 'stacks')
    }
    const { tasks, dollars } = streamsNeed(STREAMS, stack)
    figures.push({ name: 'a million streams: tasks', value: tasks, unit: 'tasks' })
    figures.push({ name: 'a million streams: cost', value: dollars, unit: 'dollars a month' })
    return { figures }
  },
}
