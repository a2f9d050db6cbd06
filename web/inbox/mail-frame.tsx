import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { Mark } from '../frame/marks.ts'
import type { WholeEmail } from '../lib/api.ts'
import { BASE_PATH } from '../lib/base.ts'
import { useDarkPage } from '../ui/dark-page.ts'
import { shownContentIds } from './attachment-kinds.ts'
import { isShownDark } from './dark-support.ts'
import { dataUrl } from './download.ts'
import type { MailSource } from './mail-api.ts'
import type { ShownAs } from './shown-as.ts'
import { shownHtml } from './shown-html.ts'

/** Each inline image is a request, and its bytes are in memory twice. */
const INLINE_IMAGES_MAX = 20
const INLINE_IMAGE_BYTES_MAX = 5_000_000
/** A higher email scrolls inside its frame: browsers draw no layers that are much higher. */
const HEIGHT_MAX_PX = 30_000
const HEIGHT_MIN_PX = 80

interface Props {
  api: MailSource
  email: WholeEmail
  remote: boolean
  shownAs: ShownAs
  marks: Mark[]
  title?: string
}

/**
 * An email's HTML in two nested frames, as high as its content. The outer frame is a document of this site with an
 * opaque origin. It puts the email into the inner frame, where only the script that measures it can run
 * (web/frame/frame.ts, web/headers.ts).
 */
export function MailFrame({ api, email, remote, shownAs, marks, title = 'HTML of the email' }: Props) {
  const { html } = shownHtml(email.body_html ?? '')
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  const [images, setImages] = useState<Record<string, string>>({})
  const isPageDark = useDarkPage()
  const { unstyled = false, inverted = false } = shownAs
  // An inverted email begins with its light version.
  const isDark = !inverted && shownAs.id !== 'bright' && isShownDark(isPageDark, html)

  useEffect(() => {
    inlineImages(api, email).then((found) => {
      // An empty object would draw the email a second time.
      if (Object.keys(found).length > 0) setImages(found)
    })
  }, [email.id])
  useEffect(() => {
    const element = frame.current
    if (element === null) return
    element.style.colorScheme = isDark ? 'dark' : 'light'
    // The frame's origin is opaque, so it cannot be named here; the window is the one that this page created.
    const content = { html, images, remote, dark: isDark, unstyled, inverted, marks }
    if (isReady) element.contentWindow?.postMessage(content, '*')
  }, [isReady, html, images, remote, isDark, unstyled, inverted, marks])
  // Before the frame, whose messages must not be missed.
  useLayoutEffect(() => {
    const onMessage = ({ source, data }: MessageEvent<{ height?: unknown; key?: unknown }>) => {
      const element = frame.current
      if (element === null || source !== element.contentWindow) return
      if (typeof data?.key === 'string' && data.key !== '#') {
        element.dispatchEvent(
          new KeyboardEvent('keydown', { key: data.key, bubbles: true, cancelable: true }),
        )
      }
      if (typeof data?.height !== 'number') return
      const border = element.offsetHeight - element.clientHeight
      element.style.height = `${Math.min(Math.max(data.height, HEIGHT_MIN_PX), HEIGHT_MAX_PX) + border}px`
    }
    addEventListener('message', onMessage)
    return () => removeEventListener('message', onMessage)
  }, [])

  return (
    <iframe
      ref={frame}
      class="mail-frame"
      // A white email on a dark page is dimmed, unless its reader asks for the light version.
      data-dimmed={isPageDark && !isDark && !inverted && shownAs.id !== 'bright'}
      title={title}
      src={`${BASE_PATH}/frame.html`}
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      onLoad={() => setReady(true)}
    />
  )
}

/** The images that the HTML names by content id, as data: URLs. Images that cannot be loaded are left out. */
async function inlineImages(api: MailSource, email: WholeEmail): Promise<Record<string, string>> {
  const named = shownContentIds(email.body_html)
  const wanted = email.attachments.filter(
    ({ content_id, content_type, size }) =>
      content_id !== null &&
      content_type.startsWith('image/') &&
      size <= INLINE_IMAGE_BYTES_MAX &&
      named.has(content_id),
  )
  const loaded = await Promise.all(
    wanted.slice(0, INLINE_IMAGES_MAX).map(async ({ content_id, url }) => {
      try {
        return [[content_id, await dataUrl(await api.part(url))]]
      } catch {
        return []
      }
    }),
  )
  return Object.fromEntries(loaded.flat())
}
