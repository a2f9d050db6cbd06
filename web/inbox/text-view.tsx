import { useState } from 'preact/hooks'
import type { Email } from '../lib/api.ts'
import { bytes } from '../lib/format.ts'
import { linkified } from './linkify.ts'
import { piecesOf } from './text-pieces.ts'

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
  const [count, setCount] = useState(1)
  const pieces = piecesOf(text, count)
  const left = pieces.reduce((rest, piece) => rest - piece.length, text.length)
  return (
    <>
      {pieces.map((piece, i) => (
        <pre key={i} class={`piece ${kind}`} dir="auto">
          {hasLinks ? linkified(piece) : piece}
        </pre>
      ))}
      {left > 0 && (
        <p class="notice">
          {bytes(left)} more.{' '}
          <button type="button" class="plain" onClick={() => setCount(count + 5)}>
            Show more
          </button>
        </p>
      )}
    </>
  )
}
