import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { copyText } from '../lib/clipboard.ts'
import { announce } from './announcer.ts'
import { Icon } from './icon.tsx'

interface Props {
  text: string
  /** The name of the copied text: the button is called `Copy <what>`. */
  what: string
  class?: string
  children?: ComponentChildren
}

const RESULT_MS = 1800

/** A button that copies a text and shows whether that worked. */
export function Copy({ text, what, class: kind = 'quiet', children }: Props) {
  const [result, setResult] = useState<'copied' | 'failed'>()
  useEffect(() => {
    if (result === undefined) return
    const timer = setTimeout(() => setResult(undefined), RESULT_MS)
    return () => clearTimeout(timer)
  }, [result])
  const copy = async () => setResult((await copyAndAnnounce(text, what)) ? 'copied' : 'failed')
  return (
    <button
      type="button"
      class={`copy ${kind}`}
      onClick={copy}
      aria-label={`Copy ${what}`}
      title={children ? undefined : `Copy ${what}`}
      data-result={result}
    >
      {children}
      <Icon name={result === 'copied' ? 'check' : 'copy'} />
      {result === 'failed' && <span>Copy it by hand</span>}
    </button>
  )
}

/** Copies a text for a menu item or a shortcut. Returns whether it worked. */
export async function copyAndAnnounce(text: string, what: string): Promise<boolean> {
  const copied = await copyText(text)
  announce(copied ? `Copied ${what}` : `The browser did not allow copying ${what}`)
  return copied
}
