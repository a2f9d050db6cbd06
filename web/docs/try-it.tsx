import { useState } from 'preact/hooks'
import { credentials } from '../lib/credentials.ts'
import { useStore } from '../lib/store.ts'
import { Copy } from '../ui/copy.tsx'
import type { Operation } from './openapi.ts'

/** More of an answer than this is for a terminal. */
const SHOWN_CHARACTERS = 100_000
/** A stream goes on for ever; its beginning is enough to see what it is. */
const STREAM_MS = 3000

interface Answer {
  status: string
  ms: number
  text: string
}

/** Sends a request for real, and shows what came. */
export function TryIt({ operation }: { operation: Operation }) {
  const { method, path, parameters, body, secured } = operation
  const { apiKey } = useStore(credentials)
  const [values, setValues] = useState<Record<string, string>>({})
  const [bodyText, setBodyText] = useState('{}')
  const [answer, setAnswer] = useState<Answer>()
  const [busy, setBusy] = useState(false)

  const value = (name: string) => values[name] ?? (name === 'X-API-Key' ? (apiKey ?? '') : '')
  // A key that is used here already need not be given again.
  const fields = [...parameters.map(({ name, required = false }) => ({ name, required }))]
  if (secured && !fields.some(({ name }) => name === 'X-API-Key'))
    fields.unshift({ name: 'X-API-Key', required: true })

  const request = () => {
    let url = path
    const query = new URLSearchParams()
    const headers: Record<string, string> = {}
    for (const { name } of fields) {
      const given = value(name)
      const place = parameters.find((parameter) => parameter.name === name)?.in ?? 'header'
      if (place === 'path') url = url.replace(`{${name}}`, encodeURIComponent(given))
      else if (given === '') continue
      else if (place === 'query') query.set(name, given)
      else headers[name] = given
    }
    if (body !== undefined) headers['Content-Type'] = 'application/json'
    return { url: query.size > 0 ? `${url}?${query}` : url, headers }
  }
  const send = async () => {
    setBusy(true)
    const { url, headers } = request()
    setAnswer(await answerOf(url, { method, headers, ...(body === undefined ? {} : { body: bodyText }) }))
    setBusy(false)
  }
  const curl = () => {
    const { url, headers } = request()
    const flags = Object.entries(headers).map(([name, text]) => `-H ${quoted(`${name}: ${text}`)}`)
    if (method !== 'GET') flags.unshift(`-X ${method}`)
    if (body !== undefined) flags.push(`-d ${quoted(bodyText)}`)
    return ['curl -s', ...flags, quoted(location.origin + url)].join(' ')
  }
  return (
    <form
      class="try-it"
      aria-label={`Try ${method} ${path}`}
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      {fields.map(({ name, required }) => (
        <label key={name}>
          {name}
          <input
            value={value(name)}
            required={required}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
          />
        </label>
      ))}
      {body !== undefined && (
        <label>
          JSON body
          <textarea rows={4} value={bodyText} onInput={(event) => setBodyText(event.currentTarget.value)} />
        </label>
      )}
      <p class="actions">
        <button type="submit" class="primary" disabled={busy}>
          Send
        </button>
        <Copy text={curl()} what="as curl" class="">
          Copy as curl
        </Copy>
      </p>
      {answer && (
        <div class="result" role="status">
          <p>
            <strong>{answer.status}</strong> <span class="fine">{answer.ms} ms</span>
          </p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
          <pre tabIndex={0}>{answer.text}</pre>
        </div>
      )}
    </form>
  )
}

async function answerOf(url: string, init: RequestInit): Promise<Answer> {
  const from = performance.now()
  try {
    const response = await fetch(url, init)
    const ms = Math.round(performance.now() - from)
    return { status: `${response.status} ${response.statusText}`, ms, text: await textOf(response) }
  } catch {
    return {
      status: 'No answer',
      ms: Math.round(performance.now() - from),
      text: 'The service cannot be reached.',
    }
  }
}

async function textOf(response: Response): Promise<string> {
  const type = response.headers.get('Content-Type') ?? ''
  const text = type.includes('event-stream') ? await beginning(response) : await response.text()
  const pretty = type.includes('json') ? JSON.stringify(JSON.parse(text), null, 2) : text
  return pretty.length > SHOWN_CHARACTERS ? `${pretty.slice(0, SHOWN_CHARACTERS)}\n…` : pretty
}

/** What a stream says in its first seconds. */
async function beginning(response: Response): Promise<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const end = setTimeout(() => void reader.cancel(), STREAM_MS)
  let text = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) text += part.value
  clearTimeout(end)
  return text
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
