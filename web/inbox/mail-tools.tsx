import { useState } from 'preact/hooks'
import type { Email, WholeEmail } from '../lib/api.ts'
import { copyText } from '../lib/clipboard.ts'
import { placeHash } from '../lib/place.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { announce } from '../ui/announcer.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { Problem } from '../ui/problem.tsx'
import { assertionOf, curlOf } from './copies.ts'
import { saveAs } from './download.ts'
import type { InboxStore } from './inbox-store.ts'

interface Props {
  store: InboxStore
  email: Email
  whole: WholeEmail | undefined
  remove: (ids: string[]) => void
}

/** What can be done with a mail. */
export function MailTools({ store, email, whole, remove }: Props) {
  const [problem, setProblem] = useState<ApiProblem>()
  const { address } = store
  const copy = async (text: string, what: string) =>
    announce((await copyText(text)) ? `Copied ${what}` : `The browser did not allow copying ${what}`)
  const items: [label: string, act: () => unknown][] = [
    ['Print', () => print()],
    ['Copy as curl', () => copy(curlOf(email), 'the curl command')],
    ['Copy as assertion', () => copy(assertionOf(email), 'the assertion')],
  ]
  if (whole !== undefined) {
    const json = () => new Blob([`${JSON.stringify(whole, null, 2)}\n`], { type: 'application/json' })
    items.push(
      ['Save as .eml', async () => saveAs(await store.api.part(whole.raw_url), `${email.id}.eml`)],
      ['Save as JSON', () => saveAs(json(), `${email.id}.json`)],
    )
  }
  const act = async (work: () => unknown) => {
    setProblem(undefined)
    try {
      await work()
    } catch (error) {
      setProblem(error as ApiProblem)
    }
  }
  return (
    <div class="mail-tools">
      <a
        class="button quiet"
        href={placeHash({ address, id: email.id, alone: true })}
        target="_blank"
        rel="noopener noreferrer"
        aria-label="Open in a new tab"
        title="Open in a new tab"
      >
        <Icon name="open" />
      </a>
      <Menu label="" name="More" icon="more" class="quiet">
        {(close) => (
          <ul>
            {items.map(([label, work]) => (
              <li key={label}>
                <button
                  type="button"
                  class="menu-item"
                  onClick={() => {
                    close()
                    void act(work)
                  }}
                >
                  {label}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Menu>
      <button
        type="button"
        class="quiet"
        aria-label="Delete"
        title="Delete (#)"
        onClick={() => remove([email.id])}
      >
        <Icon name="trash" />
      </button>
      {problem && <Problem problem={problem} />}
    </div>
  )
}
