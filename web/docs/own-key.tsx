import { useState } from 'preact/hooks'
import { credentials } from '../lib/credentials.ts'
import { ownKey } from '../lib/own-key.ts'
import type { ApiProblem } from '../lib/problem.ts'
import { useStore } from '../lib/store.ts'
import { announce } from '../ui/announcer.ts'
import { Problem } from '../ui/problem.tsx'

interface Props {
  value: string
  /** The service has just refused it. */
  refused: boolean
  /** The browser's key is to be sent. */
  onUse: () => void
}

/** Says under the field of an API key whose key is in it, and has the browser's own for whoever has none. */
export function OwnKey({ value, refused, onUse }: Props) {
  const { apiKey } = useStore(credentials)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiProblem>()

  const use = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      await ownKey(refused ? value : undefined)
      announce('This browser’s key is in the field')
      onUse()
    } catch (error) {
      setProblem(error as ApiProblem)
    }
    setBusy(false)
  }

  if (value !== '' && value === apiKey && !refused) return <p class="fine">This browser’s key</p>
  if (value !== '' && !refused) return null
  return (
    <>
      <p>
        <button type="button" disabled={busy} onClick={use}>
          {apiKey === undefined || refused ? 'Take a free key' : 'Use this browser’s key'}
        </button>
      </p>
      {problem && <Problem problem={problem} />}
    </>
  )
}
