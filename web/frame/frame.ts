import { cagedDocument, type MailContent } from './caged.ts'

/**
 * Runs in frame.html, between the page and a mail. The mail goes into a frame of its own, without scripts and
 * without this document's origin, which itself is not the page's.
 */
addEventListener('message', ({ source, data }: MessageEvent<MailContent>) => {
  // Opened by itself, the page is its own parent.
  if (parent === window || source !== parent) return
  const mail = document.createElement('iframe')
  mail.title = 'Mail'
  // Links may open new tabs, which are then ordinary ones. Nothing else: no scripts, no forms, no navigation.
  mail.setAttribute('sandbox', 'allow-popups allow-popups-to-escape-sandbox')
  mail.srcdoc = cagedDocument(data)
  document.body.replaceChildren(mail)
})
