import { useState } from 'preact/hooks'
import type { Email, WholeEmail } from '../lib/api.ts'
import { placeHash } from '../lib/place.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { copyAndAnnounce } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu, type MenuItem, MenuItems } from '../ui/menu.tsx'
import { Problem } from '../ui/problem.tsx'
import { saveAs } from './download.ts'
import type { InboxStore } from './inbox-store.ts'
import { SnippetTabs, snippetInbox } from './snippet-tabs.tsx'
import { assertionFor, curlRead, filterFor } from './snippets.ts'

interface Props {
  store: InboxStore
  email: Email
  whole: WholeEmail | undefined
  remove: (ids: string[]) => void
}

/** The actions for one email. */
export function MailTools({ store, email, whole, remove }: Props) {
  const [problem, setProblem] = useState<ApiProblem>()
  const [showsCode, setShowsCode] = useState(false)
  const { address } = email
  const saveRaw = (path: string) => {
    setProblem(undefined)
    store.api.part(path).then((blob) => saveAs(blob, `${email.id}.eml`), setProblem)
  }
  const items = menuItems(email, whole, saveRaw)
  return (
    <div class="cluster flush">
      <IconButton icon="code" label="Use in a test" onClick={() => setShowsCode(true)} />
      <OpenInTab href={placeHash({ address, id: email.id, alone: true })} />
      <Menu label="" name="More" icon="more" class="quiet">
        {(close) => <MenuItems items={items} close={close} />}
      </Menu>
      <IconButton icon="trash" label="Delete" title="Delete (#)" onClick={() => remove([email.id])} />
      {problem && <Problem problem={problem} onDismiss={() => setProblem(undefined)} />}
      {showsCode && (
        <Dialog title="Wait for this email in a test" onClose={() => setShowsCode(false)} class="wide">
          <SnippetTabs address={address} filter={filterFor(email)} />
        </Dialog>
      )}
    </div>
  )
}

/** The actions of the menu; those that save need the whole email. */
function menuItems(email: Email, whole: WholeEmail | undefined, saveRaw: (path: string) => void): MenuItem[] {
  const items: MenuItem[] = [
    [
      'Copy as curl',
      () => copyAndAnnounce(curlRead(snippetInbox(email.address), email.id), 'the curl command'),
    ],
    ['Copy as test assertion', () => copyAndAnnounce(assertionFor(email), 'the assertion')],
    ['Print', () => print()],
  ]
  if (whole !== undefined) {
    items.push(['Save as .eml', () => saveRaw(whole.raw_url)])
    items.push(['Save as JSON', () => saveAs(asJson(whole), `${email.id}.json`)])
  }
  return items
}

/** With an opener, the new tab gets the domain key of this one, which is in its session storage. */
function OpenInTab({ href }: { href: string }) {
  return (
    <a
      class="button quiet"
      href={href}
      // biome-ignore lint/security/noBlankTarget: the link leads to this page itself
      target="_blank"
      rel="opener"
      aria-label="Open in a new tab"
      title="Open in a new tab"
    >
      <Icon name="open" />
    </a>
  )
}

function asJson(whole: WholeEmail): Blob {
  return new Blob([`${JSON.stringify(whole, null, 2)}\n`], { type: 'application/json' })
}
