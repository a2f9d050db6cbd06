import { credentials } from '../lib/credentials.ts'
import { useStore } from '../lib/store.ts'

/** Lets the inbox of this browser use the key. */
export function UseHere({ apiKey }: { apiKey: string }) {
  const inUse = useStore(credentials).apiKey === apiKey
  return (
    <p class="use-here">
      <button
        type="button"
        onClick={() => {
          credentials.apiKey = inUse ? undefined : apiKey
        }}
      >
        {inUse ? 'Stop using it in this browser' : 'Use it in this browser’s inbox'}
      </button>
      {inUse && (
        <span>
          In use. <a href="/">Go to the inbox</a>
        </span>
      )}
    </p>
  )
}
