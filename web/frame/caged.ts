import { decoded } from '../../core/decoded.ts'
import { type Mark, markLost } from './marks.ts'

export interface MailContent {
  html: string
  /** data: URLs of inline images by their content id. */
  images: Record<string, string>
  /** Whether images may be loaded from other hosts. */
  remote: boolean
  /** Whether the email is shown as in a dark mail client. */
  dark: boolean
  /** Whether `<style>` is removed, as some mail clients do. */
  unstyled: boolean
  /** Whether light colours become dark and dark ones light, as in some dark mail clients. */
  inverted: boolean
  /** What is outlined, because some mail clients lose it. */
  marks: Mark[]
}

/**
 * Elements that an email has no use for while it is only looked at. Sandbox and policy hold without this; it
 * removes what they do not cover (`<link rel=preconnect>` tells a host about the reader) or would only log.
 */
const REMOVED =
  'script, base, meta, link, iframe, frame, frameset, object, embed, applet, portal, fencedframe'

const REMOVED_ATTRIBUTES = new Set(['ping', 'target', 'rel'])
/** In any attribute: `href`, `action`, `formaction`, and `values` of an SVG animation. Browsers skip control characters. */
const SCRIPT_URL = /^[\s\p{Cc}]*javascript:/iu

/** Without parentheses in the URL, because a search from each `url(` to the end of the style would be quadratic. */
const CSS_IMAGE = /url\(["']?(cid:[^"'()]*)["']?\)/gi

const BASE_STYLE =
  'body{margin:16px;font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}img{max-width:100%}'
/** An email without a dark version is made for white paper. */
const LIGHT = 'html{color-scheme:light;color:#1a1a1a}'
const DARK = 'html{color-scheme:dark;color:#e8e8e8;background:#16191a}'

/** The ground that a mail client gives to an email; the script in the frame inverts it (invert.ts). */
const WHITE = 'html{background:#fff}'
const MARKED = '[data-lost]{outline:2px dashed #d2322d!important;outline-offset:2px}'

/**
 * The document for the inner frame. It can load nothing but what `content` allows, and its links open new tabs.
 * @param measure the URL of the only script that may run in it
 */
export function cagedDocument(content: MailContent, measure: string): string {
  const { html, images, remote, dark, unstyled, inverted, marks } = content
  const mail = new DOMParser().parseFromString(html, 'text/html')
  const inline = new InlineImages(images)
  for (const element of mail.querySelectorAll(REMOVED)) element.remove()
  if (unstyled) for (const element of mail.querySelectorAll('style')) element.remove()
  for (const sheet of mail.querySelectorAll('style')) {
    sheet.textContent = withImages(sheet.textContent ?? '', inline)
  }
  for (const element of mail.querySelectorAll('*')) clean(element, inline, remote)
  if (marks.length > 0) markLost(mail, marks)
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src ${measure}`,
    remote ? 'img-src data: https: http:' : 'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html><html${attributes(mail.documentElement)}${inverted ? ' data-inverted' : ''}><head><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta charset="utf-8"><meta name="referrer" content="no-referrer"><base target="_blank">
<style>${dark ? DARK : LIGHT}${BASE_STYLE}${inverted ? WHITE : ''}${marks.length > 0 ? MARKED : ''}</style><script src="${measure}" defer></script>
${mail.head.innerHTML}</head>${mail.body?.outerHTML ?? ''}</html>`
}

/** The direction and the language of the email, which are on its root element. */
function attributes(root: Element): string {
  return ['dir', 'lang']
    .filter((name) => /^[A-Za-z0-9-]{1,35}$/.test(root.getAttribute(name) ?? ''))
    .map((name) => ` ${name}="${root.getAttribute(name)}"`)
    .join('')
}

function clean(element: Element, images: InlineImages, remote: boolean): void {
  for (const { name, value } of [...element.attributes]) {
    if (name.startsWith('on') || REMOVED_ATTRIBUTES.has(name) || SCRIPT_URL.test(value)) {
      element.removeAttribute(name)
    }
  }
  for (const name of ['href', 'xlink:href']) {
    const target = element.getAttribute(name)
    if (target === null) continue
    // Other targets are pages of this site, the frame itself, or scripts.
    if (/^\s*(?:https?:|mailto:|tel:)/i.test(target)) {
      element.setAttribute('target', '_blank')
      element.setAttribute('rel', 'noopener noreferrer')
    } else element.removeAttribute(name)
  }
  for (const name of ['src', 'background']) {
    const source = element.getAttribute(name)?.trim() ?? ''
    if (/^cid:/i.test(source)) element.setAttribute(name, images.of(source) ?? '')
    else if (!remote && name === 'src' && element.localName === 'img' && !/^data:/i.test(source))
      block(element)
  }
  const style = element.getAttribute('style')
  if (style !== null) element.setAttribute('style', withImages(style, images))
}

/**
 * Characters of data: URLs that images may add by being named again. The first use of each is bounded by the size of
 * the email, but a large one that is named a thousand times would fill the memory of the tab.
 */
const REPEATED_MAX = 10_000_000

class InlineImages {
  readonly #images: Record<string, string>
  readonly #used = new Set<string>()
  #left = REPEATED_MAX

  constructor(images: Record<string, string>) {
    this.#images = images
  }

  /**
   * The data: URL of a cid URL, which is percent-encoded (RFC 2392); undefined if the email has no such image, or
   * names it too often.
   */
  of(url: string): string | undefined {
    const id = decoded(url.slice('cid:'.length))
    const image = Object.hasOwn(this.#images, id) ? this.#images[id]! : undefined
    if (image === undefined || !this.#used.has(id)) {
      this.#used.add(id)
      return image
    }
    if (image.length > this.#left) return undefined
    this.#left -= image.length
    return image
  }
}

/** The style with the inline images that it names. */
function withImages(style: string, images: InlineImages): string {
  return style.replace(CSS_IMAGE, (whole, url: string) => {
    const image = images.of(url)
    return image === undefined ? whole : `url(${image})`
  })
}

/** Replaces an image by an empty frame of its size, so that the layout is the one of the loaded email. */
function block(image: Element): void {
  image.removeAttribute('srcset')
  const [width, height] = [sizeOf(image, 'width'), sizeOf(image, 'height')]
  const alt = image.getAttribute('alt') ?? ''
  // Without both sizes the alternative text says more than a frame of the wrong size would.
  if (width === undefined || height === undefined || width * height <= 16) image.removeAttribute('src')
  else image.setAttribute('src', `data:image/svg+xml,${encodeURIComponent(placeholder(width, height, alt))}`)
}

function placeholder(width: number, height: number, alt: string): string {
  const label = alt.replace(/[<>&"\p{Cc}]/gu, ' ').slice(0, Math.floor(width / 8))
  const text =
    height < 16
      ? ''
      : `<text x="50%" y="50%" fill="#777" font-family="sans-serif" font-size="13" text-anchor="middle" dominant-baseline="middle">${label}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" fill="#8881" stroke="#8886"/>${text}</svg>`
}

/** A size in px from the style or the attribute of an image. */
function sizeOf(image: Element, name: 'width' | 'height'): number | undefined {
  const style = new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*(\\d{1,4})px`, 'i').exec(
    image.getAttribute('style') ?? '',
  )
  const text = style?.[1] ?? /^\s*(\d{1,4})(?:px)?\s*$/.exec(image.getAttribute(name) ?? '')?.[1]
  return text === undefined ? undefined : Number(text)
}
