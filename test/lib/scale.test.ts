import { readFileSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import { largestStack, MAILS_A_DAY, STREAMS } from '../../bench/groups/scale.ts'
import { cellsOf, limitsOf, needOf, streamsNeed } from '../../bench/support/scale-model.ts'

const PAGE = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8')

const count = (value: number) => Math.round(value).toLocaleString('en-US')

function shownIn(name: string): string[] {
  const [, text = ''] = new RegExp(`<!-- ${name} -->\\n([^]*?)<!-- /${name} -->`).exec(PAGE) ?? []
  return text.split('\n').filter((line) => line.startsWith('|'))
}

const row = (...cells: string[]) => `| ${cells.join(' | ')} |`

test('docs/scale.md shows what the model computes from the template', async () => {
  const stack = await largestStack()
  const limits = limitsOf(stack).map(({ name, kind, endsAt, of, way, page }) => {
    const limit = page === undefined ? name : `[${name}](https://docs.aws.amazon.com/${page})`
    return row(limit, kind, `${count(endsAt)} ${of}`, way)
  })
  expect(shownIn('limits')).toEqual([row('limit', 'kind', 'ends at', 'then'), '|---|---|---|---|', ...limits])
  for (const { kind, page } of limitsOf(stack)) if (kind !== 'setting') expect(page).toBeDefined()
  const loads = MAILS_A_DAY.map((mails) => {
    const { mailsPerSecond, unitsPerTable, functions, bySes, bySmtp } = needOf(mails)
    const numbers = [mails, mailsPerSecond, unitsPerTable, Math.ceil(functions)].map(count)
    return row(...numbers, `$${count(bySes)}`, `$${count(bySmtp)}`, String(cellsOf(mails, stack)))
  })
  const names = [
    'mails a day',
    'a second',
    'units of each table',
    'ingest functions',
    'a month by SES',
    'by SMTP',
    'cells',
  ]
  expect(shownIn('loads')).toEqual([row(...names), '|---|---|---|---|---|---|---|', ...loads])
  const { tasks, dollars } = streamsNeed(STREAMS, stack)
  expect(shownIn('streams')).toEqual([
    row('streams', 'tasks of 0.5 vCPU', 'a month'),
    '|---|---|---|',
    row(count(STREAMS), count(tasks), `$${count(dollars)}`),
  ])
})

test('the first limit of mail and of streams', async () => {
  const limits = limitsOf(await largestStack())
  expect(limits.find(({ kind }) => kind === 'quota')).toMatchObject({ endsAt: 25.92e6 })
  expect(limits.find(({ of }) => of === 'streams')).toMatchObject({
    name: 'two readers of a shard',
    endsAt: 24_000,
  })
})
