/**
 * Parses the JSON of an answer. Of one that is larger than `most` bytes only the beginning is read: it
 * is that of an email (docs/contract.md), whose last members are its bodies, and these are cut.
 * Parsing 38 MB would hold the thread for a fifth of a second.
 */
export async function boundedJson({ body }: Response, most: number): Promise<unknown> {
  const decoder = new TextDecoder()
  let json = ''
  let bytes = 0
  // The type of the stream lacks its iterator.
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    json += decoder.decode(chunk, { stream: true })
    bytes += chunk.length
    if (bytes > most) return JSON.parse(closed(json))
  }
  return JSON.parse(json + decoder.decode())
}

const BODY_TEXT = ',"body_text":"'
const QUOTE = 0x22
const BACKSLASH = 0x5c

/** The beginning of an email's answer, which ends in one of the bodies, as complete JSON. */
function closed(json: string): string {
  // Inside of a text of the sender the quotes would be escaped.
  const start = json.indexOf(BODY_TEXT) + BODY_TEXT.length
  return `${json.slice(0, endOfString(json, start))}","body_html":null}}`
}

/** Where a JSON string ends, or the last of its characters and escapes that are complete. */
function endOfString(json: string, start: number): number {
  let at = start
  while (at < json.length) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) return at
    const length = code === BACKSLASH ? (json[at + 1] === 'u' ? 6 : 2) : 1
    if (at + length > json.length) return at
    at += length
  }
  return at
}
