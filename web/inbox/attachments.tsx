import { useState } from 'preact/hooks'
import type { FileOfMail, WholeEmail } from '../lib/api.ts'
import { bytes } from '../lib/format.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/problem.tsx'
import { partOf, saveAs } from './download.ts'

export function AttachmentList({ email }: { email: WholeEmail }) {
  const [problem, setProblem] = useState<ApiProblem>()
  if (email.attachments.length === 0) return null
  const save = (file: FileOfMail) => {
    setProblem(undefined)
    partOf(email, file.url).then((blob) => saveAs(blob, nameOf(file)), setProblem)
  }
  return (
    <>
      <ul class="attachments" aria-label="Attachments">
        {email.attachments.map((file) => (
          <li key={file.id}>
            <button type="button" onClick={() => save(file)}>
              <Icon name="clip" />
              <span class="visually-hidden">Download</span>
              <span class="file-name">{nameOf(file)}</span>
              <span class="fine">
                {bytes(file.size)} · {file.content_type}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {problem && <Problem problem={problem} />}
    </>
  )
}

function nameOf(file: FileOfMail): string {
  return file.filename ?? `attachment-${file.id}`
}
