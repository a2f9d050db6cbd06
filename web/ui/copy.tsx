import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { copyText } from '../lib/clipboard.ts'
import { announce } from './announcer.ts'
import { Icon } from './icon.tsx'

interface Props {
  text: string
  /** What is copied, for the button's name: `Copy <what>`. */
  what: string
  class?: string
  children?: ComponentChildren
}

const SHOWN_MS = 1800

/** A button that copies, and says that it did. */
export function Copy({ text, what, class: kind = 'quiet', children }: Props) {
  const [result, setResult] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (result === undefined) return
    const timer = setTimeout(() => setResult(undefined), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [result])
  const copy = async () => {
    const done = await copyText(text)
    setResult(done ? 'copied' : 'failed')
    announce(done ? `Copied ${what}` : `The browser did not allow copying ${what}`)
  }
  return (
    <button
      type="button"
      class={`copy ${kind}`}
      onClick={copy}
      aria-label={`Copy ${what}`}
      data-result={result}
    >
      {children}
      <Icon name={result === 'copied' ? 'check' : 'copy'} />
      {result === 'failed' && <span>Select and copy it by hand</span>}
    </button>
  )
}
