import { useState } from 'preact/hooks'
import type { Attachment, WholeEmail } from '../lib/api.ts'
import { bytes, plural } from '../lib/format.ts'
import { type ApiProblem, asProblem } from '../lib/problem.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Problem } from '../ui/problem.tsx'
import { nameOf, previewOf, sorted } from './attachment-kinds.ts'
import { Preview, Thumbnail } from './attachment-preview.tsx'
import { saveAs } from './download.ts'
import type { InboxStore } from './inbox-store.ts'

/** Attachments beyond these are shown on demand; each thumbnail is a request. */
const SHOWN = 6
const THUMBNAIL_BYTES_MAX = 4_000_000
/** Types that a browser draws without running anything of them. */
const IMAGE = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/

interface Props {
  store: InboxStore
  email: WholeEmail
}

/** The files of the email, above its body. */
export function AttachmentList({ store, email }: Props) {
  const { files } = sorted(email)
  if (files.length === 0) return null
  return (
    <section class="stack tight attachments" aria-label="Attachments">
      <Files store={store} id={email.id} files={files} />
    </section>
  )
}

/** The images that the HTML shows anyway, closed and below it: they take no room from the email. */
export function InlineImages({ store, email }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { inline } = sorted(email)
  if (inline.length === 0) return null
  return (
    <details class="attachments inline-images" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="fine">{plural(inline.length, 'inline image')}</summary>
      {isOpen && <Files store={store} id={email.id} files={inline} />}
    </details>
  )
}

interface FilesProps {
  store: InboxStore
  id: string
  files: Attachment[]
}

function Files({ store, id, files }: FilesProps) {
  const [problem, setProblem] = useState<ApiProblem>()
  const [preview, setPreview] = useState<Attachment>()
  const [showsAll, setShowsAll] = useState(false)
  const save = (work: Promise<void>) => {
    setProblem(undefined)
    work.catch((error) => setProblem(asProblem(error)))
  }
  const saveOne = async (file: Attachment) => saveAs(await store.api.part(file.url), nameOf(file))
  return (
    <>
      {files.length > 1 && (
        <ListHead
          files={files}
          showsAll={showsAll}
          onToggle={() => setShowsAll(!showsAll)}
          onSave={() => save(saveZip(store, id, files))}
        />
      )}
      <ul class="cells">
        {files.slice(0, showsAll ? undefined : SHOWN).map((file) => (
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
    </>
  )
}

interface HeadProps {
  files: Attachment[]
  showsAll: boolean
  onToggle: () => void
  onSave: () => void
}

/** Number and size of several attachments, and the actions for all of them. */
function ListHead({ files, showsAll, onToggle, onSave }: HeadProps) {
  const size = files.reduce((sum, file) => sum + file.size, 0)
  return (
    <div class="split">
      <h3>
        {plural(files.length, 'attachment')} <span class="fine">{bytes(size)}</span>
      </h3>
      <span class="cluster">
        {files.length > SHOWN && (
          <button type="button" class="quiet" onClick={onToggle}>
            {showsAll ? 'Show fewer' : `Show all ${files.length}`}
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
      {previewOf(file) !== undefined && (
        <IconButton icon="eye" label={`View ${name}`} title="View" onClick={onPreview} />
      )}
      <IconButton icon="save" label={`Download ${name}`} title="Download" onClick={onSave} />
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
