import { BASE_PATH } from '../lib/base.ts'
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
        {isSaved ? 'Forget in this browser' : 'Remember for the Webhooks page'}
      </button>
      {isSaved && (
        <span>
          Saved. <a href={`${BASE_PATH}/webhooks`}>Manage its webhooks</a>
        </span>
      )}
    </div>
  )
}
