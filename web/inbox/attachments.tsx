import { useEffect, useState } from 'preact/hooks'
import type { FileOfMail, WholeEmail } from '../lib/api.ts'
import { bytes } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { saveAs } from './download.ts'
import type { InboxStore } from './inbox-store.ts'

/** Thumbnails are requests of the API key's 120 a minute. */
const THUMBNAILS_MAX = 12
const THUMBNAIL_BYTES_MAX = 4_000_000
/** Types that a browser draws without running anything of them. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/
const PREVIEW = /^(?:application\/pdf|image\/(?:png|jpeg|gif|webp|avif|bmp))$/

interface Props {
  store: InboxStore
  email: WholeEmail
}

export function AttachmentList({ store, email }: Props) {
  const [problem, setProblem] = useState<ApiProblem>()
  const [preview, setPreview] = useState<FileOfMail>()
  if (email.attachments.length === 0) return null
  const save = (file: FileOfMail) => {
    setProblem(undefined)
    store.api.part(file.url).then((blob) => saveAs(blob, nameOf(file)), setProblem)
  }
  return (
    <>
      <ul class="attachments" aria-label="Attachments">
        {email.attachments.map((file, i) => (
          <li key={file.id}>
            {i < THUMBNAILS_MAX && file.size <= THUMBNAIL_BYTES_MAX && IMAGE.test(file.content_type) ? (
              <Thumbnail store={store} file={file} />
            ) : (
              <Icon name="clip" />
            )}
            <span class="file">
              <span class="file-name" dir="auto">
                {nameOf(file)}
              </span>
              <span class="fine">
                {bytes(file.size)} · {file.content_type}
              </span>
            </span>
            {PREVIEW.test(file.content_type) && (
              <button type="button" class="quiet" onClick={() => setPreview(file)}>
                View<span class="visually-hidden"> {nameOf(file)}</span>
              </button>
            )}
            <button
              type="button"
              class="quiet"
              aria-label={`Download ${nameOf(file)}`}
              title="Download"
              onClick={() => save(file)}
            >
              <Icon name="save" />
            </button>
          </li>
        ))}
      </ul>
      {problem && <Problem problem={problem} />}
      {preview && <Preview store={store} file={preview} onClose={() => setPreview(undefined)} />}
    </>
  )
}

/** A part of the mail as a URL of this page, for as long as it is shown; its type is one that runs nothing. */
function usePart(store: InboxStore, file: FileOfMail): { url?: string; problem?: ApiProblem } {
  const [part, setPart] = useState<{ url?: string; problem?: ApiProblem }>({})
  useEffect(() => {
    let url: string | undefined
    let wanted = true
    store.api.part(file.url).then(
      (blob) => {
        if (!wanted) return
        url = URL.createObjectURL(new Blob([blob], { type: file.content_type }))
        setPart({ url })
      },
      (problem) => wanted && setPart({ problem }),
    )
    return () => {
      wanted = false
      if (url !== undefined) URL.revokeObjectURL(url)
    }
  }, [file.url])
  return part
}

function Thumbnail({ store, file }: { store: InboxStore; file: FileOfMail }) {
  const { url } = usePart(store, file)
  return url === undefined ? <Icon name="image" /> : <img class="thumbnail" src={url} alt="" />
}

function Preview({ store, file, onClose }: { store: InboxStore; file: FileOfMail; onClose: () => void }) {
  const { url, problem } = usePart(store, file)
  return (
    <Dialog title={nameOf(file)} onClose={onClose} class="wide">
      {problem && <Problem problem={problem} />}
      {url === undefined ? (
        !problem && <p class="loading">Fetching the file…</p>
      ) : file.content_type === 'application/pdf' ? (
        <iframe class="preview" src={url} title={nameOf(file)} />
      ) : (
        <img class="preview" src={url} alt={nameOf(file)} />
      )}
    </Dialog>
  )
}

function nameOf(file: FileOfMail): string {
  return file.filename ?? `attachment-${file.id}`
}
