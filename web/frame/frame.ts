import { cagedDocument, type MailContent } from './caged.ts'

/** The path of the script that measures; put in by web/build.ts. */
declare const MEASURE_SCRIPT: string

let mail: HTMLIFrameElement | undefined

/**
 * Runs in frame.html, between the page and a mail. The mail goes into a frame of its own, without this
 * document's origin, which itself is not the page's, and with no script but the one that measures it; what that
 * says is passed on as a number.
 */
addEventListener('message', ({ source, data }: MessageEvent<MailContent & { height?: unknown }>) => {
  if (mail !== undefined && source === mail.contentWindow) {
    if (typeof data?.height === 'number') parent.postMessage({ height: data.height }, '*')
    return
  }
  // Opened by itself, the page is its own parent.
  if (parent === window || source !== parent) return
  mail = document.createElement('iframe')
  mail.title = 'Mail'
  // Links may open new tabs, which are then ordinary ones. Nothing else: no forms, no navigation.
  mail.setAttribute('sandbox', 'allow-scripts allow-popups allow-popups-to-escape-sandbox')
  mail.style.colorScheme = data.dark ? 'dark' : 'light'
  mail.srcdoc = cagedDocument(data, new URL(MEASURE_SCRIPT, location.href).href)
  document.body.replaceChildren(mail)
})
