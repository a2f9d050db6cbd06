import { useState } from 'preact/hooks'
import type { Email } from '../lib/api.ts'
import { bytes } from '../lib/format.ts'
import { linkified } from './linkify.ts'

/** Characters drawn at a time: a browser needs seconds to lay out megabytes of text. */
const PIECE = 100_000

/** The text of an email, with its links. */
export function TextView({ email }: { email: Email }) {
  if (email.body_text.trim() === '') return <p class="nothing">This email has no text.</p>
  return (
    <>
      <LongText text={email.body_text} hasLinks />
      {email.body_text_truncated && <p class="notice">The text goes on. The source contains all of it.</p>}
    </>
  )
}

interface LongTextProps {
  text: string
  class?: string
  hasLinks?: boolean
}

export function LongText({ text, class: kind = '', hasLinks = false }: LongTextProps) {
  const [pieces, setPieces] = useState(1)
  const ends = Array.from({ length: pieces }, (_, i) => endOf(text, (i + 1) * PIECE))
  const shown = ends.at(-1) ?? 0
  return (
    <>
      {ends.map((end, i) => {
        const piece = text.slice(ends[i - 1] ?? 0, end)
        return (
          <pre key={i} class={`piece ${kind}`} dir="auto">
            {hasLinks ? linkified(piece) : piece}
          </pre>
        )
      })}
      {shown < text.length && (
        <p class="notice">
          {bytes(text.length - shown)} more.{' '}
          <button type="button" class="plain" onClick={() => setPieces(pieces + 5)}>
            Show more
          </button>
        </p>
      )}
    </>
  )
}

/** The end of a line near this position, so that no line and no link is cut in two. */
function endOf(text: string, at: number): number {
  if (at >= text.length) return text.length
  const end = text.indexOf('\n', at)
  return end === -1 || end - at > PIECE ? at : end + 1
}
