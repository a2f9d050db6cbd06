import { plural } from '../lib/format.ts'
import { type DiffLine, type DiffPart, textDiff } from './text-diff.ts'

/** Equal lines that are shown before and after a difference; the others are closed. */
const CONTEXT = 3

interface Props {
  before: string
  after: string
  /** What is compared, such as `text`. */
  what: string
}

/** Two texts as one list of lines, with what only one of them has. */
export function DiffView({ before, after, what }: Props) {
  const { lines, isCut } = textDiff(before, after)
  const removed = lines.filter(({ kind }) => kind === 'removed').length
  const added = lines.filter(({ kind }) => kind === 'added').length
  return (
    <>
      <p class="fine" role="status">
        {removed + added === 0
          ? `Both emails have the same ${what}.`
          : `${plural(removed, 'line')} only in the older email, ${plural(added, 'line')} only in the newer one.`}
      </p>
      {lines.length > 0 && (
        <div class="diff" dir="auto">
          {blocksOf(lines).map((block, i) =>
            block.isFolded ? (
              <details key={i}>
                <summary class="fine">{plural(block.lines.length, 'equal line')}</summary>
                {block.lines.map(Line)}
              </details>
            ) : (
              block.lines.map(Line)
            ),
          )}
        </div>
      )}
      {isCut && <p class="notice">Only the beginning is compared: the {what} is too long.</p>}
    </>
  )
}

function Line({ kind, parts }: DiffLine, index: number) {
  if (kind === 'same') return <p key={index}>{parts.map(textOf)}</p>
  const Tag = kind === 'removed' ? 'del' : 'ins'
  return (
    <p key={index} class={kind}>
      <Tag>{parts.map((part, i) => (part.isChanged ? <strong key={i}>{part.text}</strong> : part.text))}</Tag>
    </p>
  )
}

function textOf({ text }: DiffPart): string {
  return text
}

interface Block {
  lines: DiffLine[]
  isFolded: boolean
}

/** Long runs of equal lines are folded, except for the lines next to a difference. */
function blocksOf(lines: DiffLine[]): Block[] {
  const isNear = lines.map(() => false)
  lines.forEach(({ kind }, i) => {
    if (kind !== 'same') isNear.fill(true, Math.max(0, i - CONTEXT), i + CONTEXT + 1)
  })
  const blocks: Block[] = []
  const hasChange = isNear.includes(true)
  lines.forEach((line, i) => {
    const isFolded = hasChange && !isNear[i]
    const last = blocks.at(-1)
    if (last?.isFolded === isFolded) last.lines.push(line)
    else blocks.push({ lines: [line], isFolded })
  })
  return blocks
}
