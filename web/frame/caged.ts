import { decoded } from '../lib/decoded.ts'

export interface MailContent {
  html: string
  /** data: URLs of inline images by their content id. */
  images: Record<string, string>
  /** Whether images may be loaded from elsewhere. */
  remote: boolean
  /** Whether it is shown as in a dark mail program. */
  dark: boolean
}

/**
 * What has no place in a mail that is only looked at. The sandbox and the policy hold without this; it takes
 * away what they do not cover (`<link rel=preconnect>` tells a host of the reader) or would only log.
 */
const REMOVED =
  'script, base, meta, link, iframe, frame, frameset, object, embed, applet, portal, fencedframe'

const BASE_STYLE =
  'body{margin:16px;font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}img{max-width:100%}'
/** A mail that says nothing of dark programs is made for white paper. */
const LIGHT = 'html{color-scheme:light;color:#1a1a1a}'
const DARK = 'html{color-scheme:dark;color:#e8e8e8;background:#16191a}'

/**
 * The document of a mail's HTML that can load nothing by itself, and lead nowhere but to a new tab.
 * @param measure the URL of the only script that may run in it
 */
export function cagedDocument({ html, images, remote, dark }: MailContent, measure: string): string {
  const mail = new DOMParser().parseFromString(html, 'text/html')
  for (const element of mail.querySelectorAll(REMOVED)) element.remove()
  for (const element of mail.querySelectorAll('*')) clean(element, images, remote)
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src ${measure}`,
    remote ? 'img-src data: https: http:' : 'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  return `<!doctype html><html${attributes(mail.documentElement)}><head><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta charset="utf-8"><meta name="referrer" content="no-referrer"><base target="_blank">
<style>${dark ? DARK : LIGHT}${BASE_STYLE}</style><script src="${measure}" defer></script>
${mail.head.innerHTML}</head>${mail.body?.outerHTML ?? ''}</html>`
}

/** The direction and the language of the whole mail, which stand on an element that is made anew here. */
function attributes(root: Element): string {
  return ['dir', 'lang']
    .filter((name) => /^[A-Za-z0-9-]{1,35}$/.test(root.getAttribute(name) ?? ''))
    .map((name) => ` ${name}="${root.getAttribute(name)}"`)
    .join('')
}

function clean(element: Element, images: Record<string, string>, remote: boolean): void {
  for (const { name } of [...element.attributes]) {
    if (name.startsWith('on') || name === 'ping' || name === 'target' || name === 'rel') {
      element.removeAttribute(name)
    }
  }
  for (const name of ['href', 'xlink:href']) {
    const target = element.getAttribute(name)
    if (target === null) continue
    // Anything else would lead to this site's own pages, into the frame itself, or to a script.
    if (/^\s*(?:https?:|mailto:|tel:)/i.test(target)) {
      element.setAttribute('target', '_blank')
      element.setAttribute('rel', 'noopener noreferrer')
    } else element.removeAttribute(name)
  }
  const source = element.getAttribute('src')?.trim()
  if (source !== undefined && /^cid:/i.test(source)) {
    // RFC 2392: a cid URL is percent-encoded.
    const id = decoded(source.slice('cid:'.length))
    element.setAttribute('src', images[id] ?? '')
  } else if (!remote && element.localName === 'img' && !/^data:/i.test(source ?? '')) {
    // An image without a source shows its alternative text; one that is blocked, a broken picture.
    element.removeAttribute('src')
    element.removeAttribute('srcset')
  }
}
