import { Icon } from '../ui/icon.tsx'
import { ActivityLog } from './activity-log.tsx'

interface Props {
  address: string
  open: (id: string | undefined) => void
}

/** Why a test did not get its email: everything that the service recorded about this inbox. */
export function ActivityPane({ address, open }: Props) {
  return (
    <div class="empty stack">
      <div class="cluster nowrap">
        <button type="button" class="quiet" aria-label="Back to the list" onClick={() => open(undefined)}>
          <Icon name="back" />
        </button>
        <h2>Why did my test not get its email?</h2>
      </div>
      <p>
        Bars are requests of your tests, dots are emails, red dots refused ones. An email that arrived during
        a wait and did not match says which filter refused it.
      </p>
      <ActivityLog address={address} isWhole />
    </div>
  )
}
