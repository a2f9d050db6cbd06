import { useState } from 'preact/hooks'
import { forget, recentAddresses } from '../lib/recent.ts'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'

interface Props {
  current: string
  onChoose: (address: string) => void
}

/** The inboxes that were opened in this browser before. */
export function RecentAddresses({ current, onChoose }: Props) {
  const [, redraw] = useState(0)
  const others = recentAddresses().filter((address) => address !== current)
  if (others.length === 0) return null
  return (
    <Menu label="Recent" icon="clock" name="Recent addresses" class="quiet" align="left">
      {(close) => (
        <ul>
          {others.map((address) => (
            <li key={address} class="cluster nowrap">
              <button
                type="button"
                class="menu-item"
                onClick={() => {
                  close()
                  onChoose(address)
                }}
              >
                {address}
              </button>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${address} from recent addresses`}
                onClick={() => {
                  forget(address)
                  redraw((count) => count + 1)
                }}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </Menu>
  )
}
