import { useEffect, useRef, useState } from 'preact/hooks'
import type { WholeEmail } from '../lib/api.ts'
import { dataUrl, partOf } from './download.ts'

/** Something that a mail client would fetch from elsewhere; only decides whether to offer that. */
const REMOTE =
  /(?:src|srcset|background|poster)\s*=\s*["']?\s*(?:https?:)?\/\/|url\(\s*["']?\s*(?:https?:)?\/\/|@import/i
/** Each inline image is a request of the API key's 120 a minute, and is held in memory twice. */
const INLINE_IMAGES_MAX = 20
const INLINE_IMAGE_BYTES_MAX = 5_000_000

/**
 * A mail's HTML, in a frame in a frame. The outer one is a document of ours with an origin of its own; it puts
 * the mail into an inner one that may not run scripts (web/frame/frame.ts, web/headers.ts).
 */
export function HtmlView({ email }: { email: WholeEmail }) {
  const html = email.body_html!
  const frame = useRef<HTMLIFrameElement>(null)
  const [ready, setReady] = useState(false)
  const [remote, setRemote] = useState(false)
  const [images, setImages] = useState<Record<string, string>>({})

  useEffect(() => {
    inlineImages(email).then((found) => {
      // Setting none would draw the mail a second time.
      if (Object.keys(found).length > 0) setImages(found)
    })
  }, [email.id])
  useEffect(() => {
    // The frame's origin is opaque and cannot be named; the window is the one that this page made.
    if (ready) frame.current?.contentWindow?.postMessage({ html, images, remote }, '*')
  }, [ready, html, images, remote])

  return (
    <>
      {!remote && REMOTE.test(html) && (
        <div class="notice">
          <p>Remote content is blocked: loading it tells the sender that the mail was opened.</p>
          <button type="button" onClick={() => setRemote(true)}>
            Load remote images
          </button>
        </div>
      )}
      <iframe
        ref={frame}
        class="mail-frame"
        title="HTML of the mail"
        src="/frame.html"
        sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
        onLoad={() => setReady(true)}
      />
    </>
  )
}

/** The images that the HTML names by content id, as data: URLs. One that cannot be had is left out. */
async function inlineImages(email: WholeEmail): Promise<Record<string, string>> {
  const wanted = email.attachments.filter(
    ({ content_id, content_type, size }) =>
      content_id !== null &&
      content_type.startsWith('image/') &&
      size <= INLINE_IMAGE_BYTES_MAX &&
      email.body_html?.includes(content_id),
  )
  const loaded = await Promise.all(
    wanted.slice(0, INLINE_IMAGES_MAX).map(async ({ content_id, url }) => {
      try {
        return [[content_id!, await dataUrl(await partOf(email, url))]]
      } catch {
        return []
      }
    }),
  )
  return Object.fromEntries(loaded.flat())
}
