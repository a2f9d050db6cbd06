import { useEffect, useState } from 'preact/hooks'
import type { CheckResult, Finding } from '../html-check/check.ts'
import type { Places } from '../html-check/places.ts'
import { plural } from '../lib/format.ts'

const FINDINGS_SHOWN = 15

/** Which mail clients support the HTML and CSS of an email. The data is loaded when it is first needed. */
interface Props {
  html: string
  /** Shows a line of the HTML in its source. */
  onLine: (line: number) => void
}

export function HtmlCheck({ html, onLine }: Props) {
  const [result, setResult] = useState<CheckResult>()
  const [showsAll, setShowsAll] = useState(false)
  useEffect(() => {
    import('../html-check/check.ts').then(({ checkHtml }) => setResult(checkHtml(html)))
  }, [html])
  if (result === undefined) return <p class="nothing">Checking…</p>
  const { score, clients, features, findings, updated, isPartial } = result
  const shown = showsAll ? findings : findings.slice(0, FINDINGS_SHOWN)
  return (
    <div class="stack">
      <p>
        <strong class="score">{score}%</strong> supported across {clients.length} clients.{' '}
        <span class="fine">
          {plural(features, 'feature')} checked with data of{' '}
          <a href="https://www.caniemail.com" target="_blank" rel="noopener noreferrer">
            caniemail.com
          </a>{' '}
          of {updated}.
        </span>
      </p>
      <ul class="cells client-scores" aria-label="Support by client">
        {clients.map(({ name, score: own }) => (
          <li key={name} class="split">
            <span>{name}</span>
            <span class="fine">{own}%</span>
            <meter min={0} max={100} low={80} optimum={100} value={own} aria-label={name} />
          </li>
        ))}
      </ul>
      {isPartial && (
        <p class="notice">Only the beginning of this email was checked, because it is very long.</p>
      )}
      {findings.length === 0 ? (
        <p class="notice good">All clients support everything this email uses.</p>
      ) : (
        <Findings findings={shown} onLine={onLine} />
      )}
      {shown.length < findings.length && (
        <p>
          <button type="button" onClick={() => setShowsAll(true)}>
            Show all {findings.length}
          </button>
        </p>
      )}
    </div>
  )
}

function Findings({ findings, onLine }: { findings: Finding[]; onLine: (line: number) => void }) {
  return (
    <table class="findings">
      <thead>
        <tr>
          <th scope="col">Feature</th>
          <th scope="col">Used</th>
          <th scope="col">No support</th>
          <th scope="col">Partial support</th>
        </tr>
      </thead>
      <tbody>
        {findings.map(({ title, url, unsupported, partial, places }) => (
          <tr key={title}>
            <td>
              <a href={url} target="_blank" rel="noopener noreferrer">
                {title}
              </a>
            </td>
            <td>
              <Used places={places} onLine={onLine} />
            </td>
            <td class="bad" data-label="No support:">
              {unsupported.join(', ')}
            </td>
            <td class="fine" data-label="Partial support:">
              {partial.join(', ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** How often, and the first lines, which lead to the source. */
function Used({ places: { count, lines }, onLine }: { places: Places; onLine: (line: number) => void }) {
  if (count === 0) return null
  return (
    <span class="cluster flush">
      {count}×
      {lines.map((line) => (
        <button
          key={line}
          type="button"
          class="plain"
          onClick={() => onLine(line)}
          aria-label={`Show line ${line}`}
        >
          line {line}
        </button>
      ))}
    </span>
  )
}
