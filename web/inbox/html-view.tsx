import { useEffect, useState } from 'preact/hooks'
import type { Mark } from '../frame/marks.ts'
import type { WholeEmail } from '../lib/api.ts'
import { plural } from '../lib/format.ts'
import { settings } from '../lib/settings.ts'
import { useDarkPage } from '../ui/dark-page.ts'
import type { MailSource } from './mail-api.ts'
import { MailFrame } from './mail-frame.tsx'
import { namesRemoteImages } from './remote-images.ts'
import { lostIn, SHOWN_AS, type ShownAs } from './shown-as.ts'
import { shownHtml } from './shown-html.ts'

export interface ViewOptions {
  /** Whether images of other hosts are loaded. */
  remote: boolean
  shownAs: ShownAs
}

interface Props {
  api: MailSource
  email: WholeEmail
  options: ViewOptions
}

/** An email's HTML as it is, or as an approximation of what others see. */
export function HtmlView({ api, email, options: { remote, shownAs } }: Props) {
  const [marks, setMarks] = useState<Mark[]>([])
  const { width, note } = shownAs
  // What was marked for one kind of client says nothing about another.
  useEffect(() => setMarks([]), [shownAs])
  return (
    <>
      {note !== '' && (
        <Approximation html={email.body_html ?? ''} shownAs={shownAs} marks={marks} onMarks={setMarks} />
      )}
      <div class="frame-box" style={{ maxWidth: width === undefined ? 'none' : `${width}px` }}>
        <MailFrame
          api={api}
          email={email}
          remote={remote && !shownAs.withoutImages}
          shownAs={shownAs}
          marks={marks}
        />
      </div>
      {!shownHtml(email.body_html ?? '').isWhole && (
        <p class="notice">
          Only the beginning of this email is shown, because it is very long. The source has all of it.
        </p>
      )}
    </>
  )
}

interface ApproximationProps {
  html: string
  shownAs: ShownAs
  marks: Mark[]
  onMarks: (marks: Mark[]) => void
}

/** What the view stands for, and the marks of what its clients lose. */
function Approximation({ html, shownAs, marks, onMarks }: ApproximationProps) {
  const [found, setFound] = useState<Mark[]>()
  useEffect(() => {
    let isWanted = true
    lostIn(html, shownAs).then((lost) => isWanted && setFound(lost))
    return () => {
      isWanted = false
    }
  }, [html, shownAs])
  const features = new Set(found?.map(({ text }) => text)).size
  return (
    <p class="approximation fine split">
      <span>{shownAs.note}</span>
      {features > 0 && (
        <label class="cluster">
          <input
            type="checkbox"
            checked={marks.length > 0}
            onChange={() => onMarks(marks.length > 0 ? [] : (found ?? []))}
          />
          Mark {plural(features, 'feature')} that {features === 1 ? 'is' : 'are'} lost
        </label>
      )}
    </p>
  )
}

interface ToolsProps {
  html: string
  options: ViewOptions
  onChange: (options: ViewOptions) => void
}

/** Loading of images, and how the email is shown, beside the tabs. */
export function ViewTools({ html, options, onChange }: ToolsProps) {
  const { remote, shownAs } = options
  const isDarkPage = useDarkPage()
  const choices = SHOWN_AS.filter(({ id }) => id !== 'bright' || isDarkPage)
  return (
    <fieldset class="cluster view-tools">
      <legend class="visually-hidden">View options</legend>
      {namesRemoteImages(html) && !shownAs.withoutImages && (
        <ImageTools remote={remote} onLoad={() => onChange({ ...options, remote: true })} />
      )}
      <select
        aria-label="Show the email as"
        value={shownAs.id}
        onChange={({ currentTarget }) => {
          const chosen = SHOWN_AS.find(({ id }) => id === currentTarget.value)
          if (chosen !== undefined) onChange({ ...options, shownAs: chosen })
        }}
      >
        {choices.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </fieldset>
  )
}

function ImageTools({ remote, onLoad }: { remote: boolean; onLoad: () => void }) {
  if (remote) {
    if (!settings.remoteImages) return null
    return (
      <button type="button" class="quiet" onClick={() => (settings.remoteImages = false)}>
        Block images
      </button>
    )
  }
  return (
    <span class="chip warn">
      <span title="Loading remote images tells the sender that the email was opened">Images blocked</span>
      <button type="button" class="plain" onClick={onLoad}>
        Load
      </button>
      <button type="button" class="plain" onClick={() => (settings.remoteImages = true)}>
        Always
      </button>
    </span>
  )
}
