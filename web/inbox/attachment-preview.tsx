import { useEffect, useState } from 'preact/hooks'
import type { Attachment } from '../lib/api.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { nameOf, previewOf } from './attachment-kinds.ts'
import type { InboxStore } from './inbox-store.ts'
import { LongText } from './text-view.tsx'

/** Longer texts are better read in a text editor. */
const TEXT_BYTES_MAX = 200_000

interface Props {
  store: InboxStore
  file: Attachment
  onClose: () => void
}

interface Part {
  url?: string
  text?: string
  problem?: ApiProblem
}

/** A file of the email in a dialog. */
export function Preview({ store, file, onClose }: Props) {
  const isText = previewOf(file) === 'text'
  const { url, text, problem } = usePart(store, file, isText)
  const isLoaded = (isText ? text : url) !== undefined
  return (
    <Dialog title={nameOf(file)} onClose={onClose} class="wide">
      {problem && <Problem problem={problem} />}
      {!isLoaded && !problem && <p class="nothing">Loading the file…</p>}
      {text !== undefined && <LongText text={text} class="source" />}
      {text !== undefined && file.size > TEXT_BYTES_MAX && (
        <p class="notice">This is the beginning of the file. The download is complete.</p>
      )}
      {url !== undefined && !isText && <Drawn url={url} file={file} />}
    </Dialog>
  )
}

function Drawn({ url, file }: { url: string; file: Attachment }) {
  const name = nameOf(file)
  return file.content_type === 'application/pdf' ? (
    <iframe class="preview" src={url} title={name} />
  ) : (
    <img class="preview" src={url} alt={name} />
  )
}

export function Thumbnail({ store, file }: { store: InboxStore; file: Attachment }) {
  const { url } = usePart(store, file, false)
  return url === undefined ? <Icon name="image" /> : <img class="thumbnail" src={url} alt="" />
}

/** A part of the email as text, or as a URL of this page as long as it is shown. Its type is one that runs nothing. */
function usePart(store: InboxStore, file: Attachment, isText: boolean): Part {
  const [part, setPart] = useState<Part>({})
  useEffect(() => {
    let url: string | undefined
    let isWanted = true
    store.api.part(file.url).then(
      async (blob) => {
        if (isText) return setPart({ text: await blob.slice(0, TEXT_BYTES_MAX).text() })
        if (!isWanted) return
        url = URL.createObjectURL(new Blob([blob], { type: file.content_type }))
        setPart({ url })
      },
      (problem) => isWanted && setPart({ problem }),
    )
    return () => {
      isWanted = false
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [file.url])
  return part
}
