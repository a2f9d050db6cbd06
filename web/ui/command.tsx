import { Copy } from './copy.tsx'

interface Props {
  text: string
  what?: string
}

/** A piece of code that can be copied. */
export function Command({ text, what = 'command' }: Props) {
  return (
    <div class="command">
      <pre>{text}</pre>
      <Copy text={text} what={what} />
    </div>
  )
}
