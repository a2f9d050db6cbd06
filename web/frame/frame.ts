import { cagedDocument, type MailContent } from './caged.ts'

/** The path of the script that measures, from frame.html; web/build.ts defines it. */
declare const MEASURE_SCRIPT: string

let mail: HTMLIFrameElement | undefined

/**
 * Runs in frame.html, between the page and an email. It puts the email into a frame with another opaque origin, in
 * which only the measuring script can run, and forwards the height that the script reports, as a number.
 */
addEventListener(
  'message',
  ({ source, data }: MessageEvent<MailContent & { height?: unknown; key?: unknown }>) => {
    if (mail !== undefined && source === mail.contentWindow) {
      if (typeof data?.height === 'number') parent.postMessage({ height: data.height }, '*')
      if (typeof data?.key === 'string') parent.postMessage({ key: data.key.slice(0, 10) }, '*')
      return
    }
    // A page that is opened by itself is its own parent.
    if (parent === window || source !== parent) return
    mail = document.createElement('iframe')
    mail.title = 'Email'
    // Links may open new tabs, which are ordinary ones. Forms and navigation are not allowed.
    mail.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox')
    mail.style.colorScheme = data.dark ? 'dark' : 'light'
    mail.srcdoc = cagedDocument(data, new URL(MEASURE_SCRIPT, location.href).href)
    document.body.replaceChildren(mail)
  },
)
