import { useEffect, useState } from 'preact/hooks'
import type { InboxStore, OpenedEmail } from './inbox-store.ts'

/** What the page has of an email. It is read again when the service is back after it could not answer. */
export function useOpened(store: InboxStore, id: string): OpenedEmail {
  const [opened, setOpened] = useState<OpenedEmail>({})
  const isRetry = opened.problem?.isTransient === true && store.link === 'live'
  useEffect(() => {
    let isCurrent = true
    store.read(id).then((result) => isCurrent && setOpened(result))
    return () => {
      isCurrent = false
    }
  }, [id, isRetry])
  return opened
}
