import { useEffect, useRef, useState } from 'preact/hooks'
import type { WholeEmail } from '../lib/api.ts'
import { dataUrl } from './download.ts'
import type { MailApi } from './mail-api.ts'

/** Each inline image is a request of the API key's 120 a minute, and is held in memory twice. */
const INLINE_IMAGES_MAX = 20
const INLINE_IMAGE_BYTES_MAX = 5_000_000
/** Beyond this a mail scrolls in its frame: browsers draw no layers that are much higher. */
const HEIGHT_MAX = 30_000

interface Props {
  api: MailApi
  email: WholeEmail
  remote: boolean
  dark: boolean
}

/**
 * A mail's HTML, in a frame in a frame, as high as it is. The outer one is a document of ours with an origin of
 * its own; it puts the mail into an inner one where no script but the one that measures can run
 * (web/frame/frame.ts, web/headers.ts).
 */
export function MailFrame({ api, email, remote, dark }: Props) {
  const html = email.body_html!
  const frame = useRef<HTMLIFrameElement>(null)
  const [ready, setReady] = useState(false)
  const [images, setImages] = useState<Record<string, string>>({})

  useEffect(() => {
    inlineImages(api, email).then((found) => {
      // Setting none would draw the mail a second time.
      if (Object.keys(found).length > 0) setImages(found)
    })
  }, [email.id])
  useEffect(() => {
    frame.current!.style.colorScheme = dark ? 'dark' : 'light'
    // The frame's origin is opaque and cannot be named; the window is the one that this page made.
    if (ready) frame.current!.contentWindow?.postMessage({ html, images, remote, dark }, '*')
  }, [ready, html, images, remote, dark])
  useEffect(() => {
    const measured = ({ source, data }: MessageEvent<{ height?: unknown }>) => {
      const element = frame.current
      if (element === null || source !== element.contentWindow || typeof data?.height !== 'number') return
      const border = element.offsetHeight - element.clientHeight
      element.style.height = `${Math.min(Math.max(data.height, 80), HEIGHT_MAX) + border}px`
    }
    addEventListener('message', measured)
    return () => removeEventListener('message', measured)
  }, [])

  return (
    <iframe
      ref={frame}
      class="mail-frame"
      title="HTML of the mail"
      src="/frame.html"
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      onLoad={() => setReady(true)}
    />
  )
}

/** The images that the HTML names by content id, as data: URLs. One that cannot be had is left out. */
async function inlineImages(api: MailApi, email: WholeEmail): Promise<Record<string, string>> {
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
        return [[content_id!, await dataUrl(await api.part(url))]]
      } catch {
        return []
      }
    }),
  )
  return Object.fromEntries(loaded.flat())
}
