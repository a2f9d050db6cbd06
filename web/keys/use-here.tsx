import { credentials } from '../lib/credentials.ts'
import { useStore } from '../lib/store.ts'

/** Saves the key in this browser, for the webhooks page. */
export function UseHere({ apiKey }: { apiKey: string }) {
  const isSaved = useStore(credentials).apiKey === apiKey
  return (
    <div class="cluster">
      <button
        type="button"
        onClick={() => {
          credentials.apiKey = isSaved ? undefined : apiKey
        }}
      >
        {isSaved ? 'Remove from this browser' : 'Save in this browser'}
      </button>
      {isSaved && (
        <span>
          Saved. <a href="/webhooks">Manage its webhooks</a>
        </span>
      )}
    </div>
  )
}
