import { useState } from 'preact/hooks'
import { credentials } from '../lib/credentials.ts'
import { useStore } from '../lib/store.ts'
import { Copy } from '../ui/copy.tsx'
import type { Operation } from './openapi.ts'
import { OwnKey } from './own-key.tsx'
import { asCurl, type Field, fieldsOf, type Prepared, prepared } from './request.ts'

/** More of an answer than this is for a terminal. */
const SHOWN_CHARACTERS = 100_000
/** A stream goes on for ever; its beginning is enough to see what it is. */
const STREAM_MS = 3000

interface Answer {
  status: string
  ms: number
  text: string
  /** A new key would be taken. */
  refusedKey: boolean
}

/** Sends a request for real, and shows what came. */
export function TryIt({ operation }: { operation: Operation }) {
  const { method, path, body } = operation
  const { apiKey = '' } = useStore(credentials)
  const [values, setValues] = useState<Record<string, string>>({})
  const [bodyText, setBodyText] = useState('{}')
  const [answer, setAnswer] = useState<Answer>()
  const [busy, setBusy] = useState(false)

  const isApiKey = (field: Field) => 'isApiKey' in field && field.isApiKey
  // A key that is used here already need not be given again.
  const given = (field: Field) => values[field.name] ?? (isApiKey(field) ? apiKey : '')
  const set = (name: string, value: string | undefined) => {
    const { [name]: _, ...others } = values
    setValues(value === undefined ? others : { ...others, [name]: value })
    if (answer?.refusedKey) setAnswer(undefined)
  }
  const request = () => prepared(operation, given, bodyText)
  const send = async () => {
    setBusy(true)
    setAnswer(await answerTo(request()))
    setBusy(false)
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
      {fieldsOf(operation).map((field) => (
        <div key={field.name}>
          <label>
            {field.name}
            <input
              value={given(field)}
              required={field.required ?? false}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => set(field.name, event.currentTarget.value)}
            />
          </label>
          {isApiKey(field) && (
            <OwnKey
              value={given(field)}
              refused={answer?.refusedKey === true}
              onUse={() => set(field.name, undefined)}
            />
          )}
        </div>
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
        <Copy text={asCurl(request())} what="as curl" class="">
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

async function answerTo({ url, init }: Prepared): Promise<Answer> {
  const from = performance.now()
  const ms = () => Math.round(performance.now() - from)
  try {
    const response = await fetch(url, init)
    const text = await textOf(response)
    const refusedKey = response.status === 401 && /"code": "api_key_(invalid|expired)"/.test(text)
    return { status: `${response.status} ${response.statusText}`, ms: ms(), text, refusedKey }
  } catch {
    return { status: 'No answer', ms: ms(), text: 'The service cannot be reached.', refusedKey: false }
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
