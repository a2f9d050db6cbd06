import { useEffect, useState } from 'preact/hooks'
import { ask, type Info } from '../lib/api.ts'
import { plural } from '../lib/format.ts'
import { Command } from '../ui/command.tsx'
import { ActivityLog } from './activity-log.tsx'
import { SendTestMail } from './send-test-mail.tsx'
import { curlSend, curlWait, sendApiVariables } from './snippets.ts'

/** An empty inbox: how to get an email into it. */
export function FirstScreen({ address }: { address: string }) {
  const info = useInfo()
  return (
    <div class="empty stack">
      <div class="empty-head">
        <div class="pulse" aria-hidden="true" />
        <div>
          <h2>Waiting for mail</h2>
          <p>
            Send something to <strong>{address}</strong>. It appears here by itself, with its codes ready to
            copy{info && `, and is deleted after ${kept(info.retention_hours)}`}.
          </p>
        </div>
      </div>
      {info?.smtp && (
        <>
          <SendTestMail address={address} />
          <section class="stack tight">
            <h3>Let your application send to</h3>
            <p class="cluster">
              <span>
                SMTP host <code>{info.smtp.host}</code>
              </span>
              <span>
                port <code>{info.smtp.port}</code>
              </span>
              <span class="fine">No user, password or TLS required.</span>
            </p>
          </section>
          {isLoopback(location.hostname) && (
            <section class="stack tight">
              <h3>Or by the API of its mail provider</h3>
              <Command text={sendApiVariables(location.origin)} />
            </section>
          )}
          <section class="stack tight">
            <h3>Or from a shell</h3>
            <Command text={curlSend(address, info.smtp)} />
          </section>
        </>
      )}
      <section class="stack tight">
        <h3>Wait for its code in a script</h3>
        <Command text={curlWait(location.origin, address, { has: 'code' })} />
      </section>
      {info?.smtp && <ActivityLog address={address} />}
      <p class="fine">
        See the <a href="/docs">API documentation</a> for tests in your language, and{' '}
        <a href="/keys">generate an API key</a>.
      </p>
    </div>
  )
}

/** The service's description of itself; undefined until it has answered. The page works without it. */
export function useInfo(): Info | undefined {
  const [info, setInfo] = useState<Info>()
  useEffect(() => {
    ask<Info>('/api/info').then(setInfo, () => {})
  }, [])
  return info
}

/** A service on loopback accepts mail by the send APIs unless it is configured otherwise. */
function isLoopback(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

function kept(hours: number): string {
  return hours % 24 === 0 && hours > 24 ? plural(hours / 24, 'day') : plural(hours, 'hour')
}
