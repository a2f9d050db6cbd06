import type { Handler } from '../../../lib/bundling/names.ts'
import type { ColdStart, Warm } from '../../clients/lambda.ts'
import { Client } from '../../support/calls.ts'
import type { Figure } from '../../support/figures.ts'
import { sampleMail, withAttachment } from '../../support/mails.ts'
import { median } from '../../support/quantiles.ts'
import { type Cloud, DOMAIN } from './cloud.ts'
import type { Bundle } from './sizes.ts'

const MB = 1024 * 1024
const IMPORT_MOST: Partial<Record<Handler, number>> = { api: 70, ingest: 90 }
/** Base64 makes 1.37 bytes of one. */
const ATTACHED_BYTES = { '1 MB': 0.72 * MB, '40 MB': 28.9 * MB }

export async function coldStarts(
  bundles: Record<Handler, Bundle>,
  cloud: Cloud,
  times: number,
): Promise<Figure[]> {
  const events: Record<Handler, unknown> = {
    api: cloud.request('/api/domains'),
    ingest: cloud.received('cold', sampleMail('2 KB'), `cold@${DOMAIN}`),
    setup: null,
    verify: {},
    empty: null,
    verification: null,
    'upgrade-guard': null,
    'receipt-switch': null,
    webhooks: { Records: [] },
    publish: null,
    canary: null,
    reconcile: null,
    'endpoint-check': null,
  }
  const figures: Figure[] = []
  for (const [name, { file }] of Object.entries(bundles) as [Handler, Bundle][]) {
    const starts: ColdStart[] = []
    for (let i = 0; i < times; i++) starts.push(await coldStart(file, events[name], cloud))
    const most = IMPORT_MOST[name]
    figures.push({
      name: `${name}: import`,
      value: median(starts.map((start) => start.importMs)),
      unit: 'ms',
      target: most === undefined ? undefined : { most },
    })
    const answers = starts.flatMap(({ firstAnswerMs }) => firstAnswerMs ?? [])
    if (answers.length > 0) {
      figures.push({ name: `${name}: import to first answer`, value: median(answers), unit: 'ms' })
    }
  }
  return figures
}

/** Requests of bots, each repeated many times by one process. */
export async function warmRequests(
  { api, ingest }: Record<Handler, Bundle>,
  cloud: Cloud,
  times: number,
): Promise<Figure[]> {
  const address = `warm@${DOMAIN}`
  const ingesting = new Client('lambda.ts', cloud.env)
  for (let i = 0; i < WARM_MAILS; i++) {
    const event = cloud.received(`warm-${i}`, sampleMail('2 KB'), address)
    await ingesting.call<ColdStart>('start', ingest.file, event)
  }
  await ingesting.end()
  const figures: Figure[] = []
  const client = new Client('lambda.ts', cloud.env)
  try {
    let keys = 0
    const nextKey = () => cloud.keys[keys++ % cloud.keys.length]!
    await client.call<ColdStart>('start', api.file, cloud.request('/api/domains'))
    const list = await client.call<ColdStart>(
      'start',
      api.file,
      cloud.request(`/api/emails/${address}`, nextKey()),
    )
    const [id] = idsOf(list.answer)
    const paths = {
      latest: `/api/emails/${address}/latest`,
      'list of 50': `/api/emails/${address}`,
      'single, read before': `/api/emails/${address}/${id}`,
    }
    for (const [name, path] of Object.entries(paths)) {
      const rounds: Warm[] = []
      for (let done = 0; done < times; done += REQUESTS_A_KEY) {
        rounds.push(await client.call<Warm>('repeat', cloud.request(path, nextKey()), REQUESTS_A_KEY, 200))
      }
      figures.push(
        { name: `api, ${name}: p50`, value: median(rounds.map((round) => round.p50)), unit: 'ms' },
        { name: `api, ${name}: CPU time`, value: median(rounds.map((round) => round.cpu)), unit: 'ms' },
      )
    }
  } finally {
    await client.end()
  }
  return figures
}

/** More than a list holds. */
const WARM_MAILS = 60
const REQUESTS_A_KEY = 50

export async function ingestMemory(ingest: Bundle, cloud: Cloud): Promise<Figure[]> {
  const messages = {
    '1 KB': Buffer.from(
      `From: a@shop.example\r\nSubject: 1 KB\r\n\r\n${'Your code is 739105.\r\n'.repeat(43)}`,
    ),
    '1 MB': withAttachment(ATTACHED_BYTES['1 MB']),
    '40 MB': withAttachment(ATTACHED_BYTES['40 MB']),
  }
  const figures: Figure[] = []
  for (const [size, message] of Object.entries(messages)) {
    const event = cloud.received(`ingest-${message.length}`, message, `ingest@${DOMAIN}`)
    const { answer, peakMemory, firstAnswerMs, importMs } = await coldStart(ingest.file, event, cloud)
    const { batchItemFailures } = answer as { batchItemFailures: unknown[] }
    if (batchItemFailures.length > 0) throw new Error(`the mail of ${size} was not stored`)
    const target = size === '40 MB' ? { most: 250 } : undefined
    figures.push(
      { name: `ingest of ${size}: memory`, value: peakMemory / MB, unit: 'MB', target },
      { name: `ingest of ${size}: time`, value: firstAnswerMs! - importMs, unit: 'ms' },
    )
  }
  return figures
}

async function coldStart(file: string, event: unknown, cloud: Cloud): Promise<ColdStart> {
  const client = new Client('lambda.ts', cloud.env)
  try {
    return await client.call<ColdStart>('start', file, event)
  } finally {
    await client.end()
  }
}

function idsOf(answer: unknown): string[] {
  const { body } = answer as { body: string }
  const { emails } = JSON.parse(Buffer.from(body, 'base64').toString()) as { emails: { id: string }[] }
  return emails.map(({ id }) => id)
}
