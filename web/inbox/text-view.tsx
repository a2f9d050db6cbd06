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
      <LongText text={email.body_text} hasLinks isCut={email.body_text_truncated} />
      {email.body_text_truncated && (
        <p class="notice">Shortened. The rest appears when the whole email can be read.</p>
      )}
    </>
  )
}

interface LongTextProps {
  text: string
  class?: string
  hasLinks?: boolean
  /** Whether the text ends in the middle of something: a link at its end may be half of one. */
  isCut?: boolean
}

export function LongText({ text, class: kind = '', hasLinks = false, isCut = false }: LongTextProps) {
  const [count, setCount] = useState(1)
  const pieces = piecesOf(text, count)
  const left = pieces.reduce((rest, piece) => rest - piece.length, text.length)
  return (
    <>
      {pieces.map((piece, i) => (
        <pre key={i} class={`piece ${kind}`} dir="auto">
          {hasLinks ? linksIn(piece, isCut && left === 0 && i === pieces.length - 1) : piece}
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

/** The text with its links, but without one that the end of the text has cut. */
function linksIn(text: string, isCut: boolean) {
  if (!isCut) return linkified(text)
  let at = text.length
  while (at > 0 && !/\s/.test(text.charAt(at - 1))) at--
  return [...linkified(text.slice(0, at)), text.slice(at)]
}
