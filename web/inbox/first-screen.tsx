import { isLoopbackName } from '../../core/access/loopback.ts'
import type { Info } from '../lib/api.ts'
import { BASE_PATH, baseUrl } from '../lib/base.ts'
import { plural } from '../lib/format.ts'
import { useInfo } from '../lib/info.ts'
import { Command } from '../ui/command.tsx'
import { ActivityLog } from './activity-log.tsx'
import { SendTestMail } from './send-test-mail.tsx'
import { snippetInbox } from './snippet-tabs.tsx'
import { curlSend, curlWait, sendApiVariables } from './snippets.ts'

interface Props {
  address: string
  /** Whether the page shows the mail of all addresses. */
  isAll?: boolean
  /** Whether there are emails already: only the steps. */
  isPart?: boolean
}

/** An empty inbox: how to get an email into it. */
export function FirstScreen({ address, isAll = false, isPart = false }: Props) {
  const info = useInfo()
  if (isPart) return info ? <FirstSteps address={address} smtp={info.smtp} /> : null
  return (
    <div class="empty card stack">
      <div class="cluster nowrap">
        <div class="pulse" aria-hidden="true" />
        <div class="wrap">
          <h2>Waiting for email</h2>
          <p>
            Emails to {isAll ? 'any address, such as ' : ''}
            <strong>{address}</strong>
            {isAll ? ',' : ''} appear here as they arrive, with their codes ready to copy.
            {info && ` Each is deleted after ${kept(info.retention_hours)}.`}
          </p>
        </div>
      </div>
      {/* Together, because sections that appear one after the other move those below them. */}
      {info !== undefined && <FirstSteps address={address} smtp={info?.smtp ?? null} />}
    </div>
  )
}

interface StepsProps {
  address: string
  /** Null if mail arrives in another way, or if the service has not said. */
  smtp: Info['smtp']
}

function FirstSteps({ address, smtp }: StepsProps) {
  return (
    <>
      {smtp && <WaysToSend address={address} smtp={smtp} />}
      <section class="stack tight">
        <h3>Wait for the code in a script</h3>
        <Command text={curlWait(snippetInbox(address), { has: 'code' })} />
      </section>
      {smtp && <ActivityLog address={address} />}
      <p class="fine">
        See the <a href={`${BASE_PATH}/docs`}>API documentation</a> for tests in your language, and{' '}
        <a href={`${BASE_PATH}/keys`}>generate an API key</a>.
      </p>
    </>
  )
}

interface SendProps {
  address: string
  smtp: NonNullable<Info['smtp']>
}

/** From the page, an application, its mail provider's SDK, or a shell. */
function WaysToSend({ address, smtp }: SendProps) {
  return (
    <>
      <SendTestMail address={address} />
      <section class="stack tight">
        <h3>Point your application at this SMTP server</h3>
        <p class="cluster">
          <span>
            SMTP host <code>{smtp.host}</code>
          </span>
          <span>
            port <code>{smtp.port}</code>
          </span>
          <span class="fine">No username, password or TLS needed.</span>
        </p>
      </section>
      {/* Such a service accepts mail by the send APIs unless it is configured otherwise. */}
      {isLoopbackName(location.hostname) && (
        <section class="stack tight">
          <h3>Or redirect its SES or Resend SDK</h3>
          <Command text={sendApiVariables(baseUrl())} />
        </section>
      )}
      <section class="stack tight">
        <h3>Or send from a shell</h3>
        <Command text={curlSend(address, smtp)} />
      </section>
    </>
  )
}

function kept(hours: number): string {
  return hours % 24 === 0 && hours > 24 ? plural(hours / 24, 'day') : plural(hours, 'hour')
}
