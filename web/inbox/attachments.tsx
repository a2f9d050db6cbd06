import { useEffect, useState } from 'preact/hooks'
import type { Attachment, WholeEmail } from '../lib/api.ts'
import { bytes, plural } from '../lib/format.ts'
import { type ApiProblem, asProblem } from '../lib/problem.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { saveAs } from './download.ts'
import type { InboxStore } from './inbox-store.ts'

/** Attachments beyond these are shown on demand; each thumbnail is a request. */
const SHOWN = 6
const THUMBNAIL_BYTES_MAX = 4_000_000
/** Types that a browser draws without running anything of them. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/
const PREVIEW = /^(?:application\/pdf|image\/(?:png|jpeg|gif|webp|avif|bmp))$/

interface Props {
  store: InboxStore
  email: WholeEmail
}

export function AttachmentList({ store, email: { id, attachments } }: Props) {
  const [problem, setProblem] = useState<ApiProblem>()
  const [preview, setPreview] = useState<Attachment>()
  const [showsAll, setShowsAll] = useState(false)
  if (attachments.length === 0) return null
  const save = (work: Promise<void>) => {
    setProblem(undefined)
    work.catch((error) => setProblem(asProblem(error)))
  }
  const saveOne = async (file: Attachment) => saveAs(await store.api.part(file.url), nameOf(file))
  return (
    <section class="stack tight attachments" aria-label="Attachments">
      {attachments.length > 1 && (
        <ListHead
          attachments={attachments}
          showsAll={showsAll}
          onToggle={() => setShowsAll(!showsAll)}
          onSave={() => save(saveZip(store, id, attachments))}
        />
      )}
      <ul class="cells">
        {attachments.slice(0, showsAll ? undefined : SHOWN).map((file) => (
          <AttachmentCell
            key={file.id}
            store={store}
            file={file}
            onPreview={() => setPreview(file)}
            onSave={() => save(saveOne(file))}
          />
        ))}
      </ul>
      {problem && <Problem problem={problem} onDismiss={() => setProblem(undefined)} />}
      {preview && <Preview store={store} file={preview} onClose={() => setPreview(undefined)} />}
    </section>
  )
}

interface HeadProps {
  attachments: Attachment[]
  showsAll: boolean
  onToggle: () => void
  onSave: () => void
}

/** Number and size of several attachments, and the actions for all of them. */
function ListHead({ attachments, showsAll, onToggle, onSave }: HeadProps) {
  const size = attachments.reduce((sum, file) => sum + file.size, 0)
  return (
    <div class="split">
      <h3>
        {plural(attachments.length, 'attachment')} <span class="fine">{bytes(size)}</span>
      </h3>
      <span class="cluster">
        {attachments.length > SHOWN && (
          <button type="button" class="quiet" onClick={onToggle}>
            {showsAll ? 'Show fewer' : `Show all ${attachments.length}`}
          </button>
        )}
        <button type="button" class="quiet" onClick={onSave}>
          <Icon name="save" />
          Download all
        </button>
      </span>
    </div>
  )
}

interface CellProps {
  store: InboxStore
  file: Attachment
  onPreview: () => void
  onSave: () => void
}

function AttachmentCell({ store, file, onPreview, onSave }: CellProps) {
  const name = nameOf(file)
  return (
    <li class="attachment box cluster nowrap">
      {file.size <= THUMBNAIL_BYTES_MAX && IMAGE.test(file.content_type) ? (
        <Thumbnail store={store} file={file} />
      ) : (
        <Icon name="clip" />
      )}
      <span class="stack flush grow">
        <span class="clip" dir="auto" title={name}>
          {name}
        </span>
        <span class="fine clip">
          {bytes(file.size)} · {file.content_type}
        </span>
      </span>
      {PREVIEW.test(file.content_type) && (
        <button type="button" class="quiet" aria-label={`View ${name}`} title="View" onClick={onPreview}>
          <Icon name="search" />
        </button>
      )}
      <button type="button" class="quiet" aria-label={`Download ${name}`} title="Download" onClick={onSave}>
        <Icon name="save" />
      </button>
    </li>
  )
}

/** All attachments in one file. The library is loaded when it is needed. */
async function saveZip(store: InboxStore, id: string, attachments: Attachment[]): Promise<void> {
  const { downloadZip } = await import('client-zip')
  const files = await Promise.all(
    attachments.map(async (file) => ({ name: nameOf(file), input: await store.api.part(file.url) })),
  )
  saveAs(await downloadZip(distinct(files)).blob(), `${id}.zip`)
}

/** Files of the same name get a number. */
function distinct(files: { name: string; input: Blob }[]): { name: string; input: Blob }[] {
  const used = new Map<string, number>()
  return files.map(({ name, input }) => {
    const count = used.get(name) ?? 0
    used.set(name, count + 1)
    return { name: count === 0 ? name : `${count + 1}-${name}`, input }
  })
}

/** A part of the email as a URL of this page, as long as it is shown. Its type is one that runs nothing. */
function usePart(store: InboxStore, file: Attachment): { url?: string; problem?: ApiProblem } {
  const [part, setPart] = useState<{ url?: string; problem?: ApiProblem }>({})
  useEffect(() => {
    let url: string | undefined
    let isWanted = true
    store.api.part(file.url).then(
      (blob) => {
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

function Thumbnail({ store, file }: { store: InboxStore; file: Attachment }) {
  const { url } = usePart(store, file)
  return url === undefined ? <Icon name="image" /> : <img class="thumbnail" src={url} alt="" />
}

function Preview({ store, file, onClose }: { store: InboxStore; file: Attachment; onClose: () => void }) {
  const { url, problem } = usePart(store, file)
  return (
    <Dialog title={nameOf(file)} onClose={onClose} class="wide">
      {problem && <Problem problem={problem} />}
      {url === undefined ? (
        !problem && <p class="nothing">Loading the file…</p>
      ) : file.content_type === 'application/pdf' ? (
        <iframe class="preview" src={url} title={nameOf(file)} />
      ) : (
        <img class="preview" src={url} alt={nameOf(file)} />
      )}
    </Dialog>
  )
}

function nameOf(file: Attachment): string {
  return file.filename ?? `attachment-${file.id}`
}
