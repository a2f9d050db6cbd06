import { useState } from 'preact/hooks'
import type { Email } from '../lib/api.ts'
import { bytes } from '../lib/format.ts'
import { linkified } from './linkify.ts'

/** So much is drawn at a time: a browser lays out megabytes of text for seconds. */
const PIECE = 100_000

/** The text of a mail, with its links. */
export function TextView({ email }: { email: Email }) {
  if (email.body_text.trim() === '') return <p class="nothing">This mail has no text.</p>
  return (
    <div class="text-body">
      <LongText text={email.body_text} links />
      {email.body_text_truncated && <p class="notice">Cut off here; with an API key the text is whole.</p>}
    </div>
  )
}

interface LongTextProps {
  text: string
  class?: string
  links?: boolean
}

export function LongText({ text, class: kind = '', links = false }: LongTextProps) {
  const [pieces, setPieces] = useState(1)
  const ends = Array.from({ length: pieces }, (_, i) => endOf(text, (i + 1) * PIECE))
  const shown = ends.at(-1)!
  return (
    <>
      {ends.map((end, i) => {
        const piece = text.slice(i === 0 ? 0 : ends[i - 1]!, end)
        return (
          <pre key={i} class={`piece ${kind}`} dir="auto">
            {links ? linkified(piece) : piece}
          </pre>
        )
      })}
      {shown < text.length && (
        <p class="notice">
          {bytes(text.length - shown)} more.{' '}
          <button type="button" onClick={() => setPieces(pieces + 5)}>
            Show more
          </button>
        </p>
      )}
    </>
  )
}

/** The end of a line near this place, so that no line and no link is cut in two. */
function endOf(text: string, at: number): number {
  if (at >= text.length) return text.length
  const end = text.indexOf('\n', at)
  return end === -1 || end - at > PIECE ? at : end + 1
}
