import { useEffect, useState } from 'preact/hooks'
import { ask, type Info } from '../lib/api.ts'
import { credentials } from '../lib/credentials.ts'
import { useStore } from '../lib/store.ts'
import { Copy } from '../ui/copy.tsx'
import { SendTestMail } from './send-test-mail.tsx'

/** An inbox without mail: how to get one into it, here and now. */
export function FirstScreen({ address }: { address: string }) {
  const { apiKey } = useStore(credentials)
  const [info, setInfo] = useState<Info>()
  useEffect(() => {
    // Without it there is less to say, but enough.
    ask<Info>('/api/info').then(setInfo, () => {})
  }, [])
  return (
    <div class="empty">
      <div class="empty-head">
        <div class="pulse" aria-hidden="true" />
        <div>
          <h2>Waiting for mail</h2>
          <p>
            Send something to <strong>{address}</strong>. It shows up here by itself, with its codes ready to
            copy{info && `, and stays for ${hours(info.retention_hours)}`}.
          </p>
        </div>
      </div>
      {info?.smtp && (
        <>
          <SendTestMail address={address} />
          <section>
            <h3>Let your application send to</h3>
            <p class="smtp">
              <span>
                SMTP host <code>{info.smtp.host}</code>
              </span>
              <span>
                port <code>{info.smtp.port}</code>
              </span>
              <span class="fine">no user, no password, no TLS needed</span>
            </p>
          </section>
          <Command title="Or from a shell" text={curlMail(address, info.smtp)} />
        </>
      )}
      <Command title="Wait for its code in a script" text={curlWait(address, apiKey)} />
      <p class="fine">
        More, for tests in your language: <a href="/docs">the API</a>.
      </p>
    </div>
  )
}

function Command({ title, text }: { title: string; text: string }) {
  return (
    <section>
      <h3>{title}</h3>
      <div class="command">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls sideways, also by keyboard */}
        <pre tabIndex={0}>{text}</pre>
        <Copy text={text} what="command" />
      </div>
    </section>
  )
}

function curlMail(address: string, { host, port }: { host: string; port: number }): string {
  return `printf 'From: me@example.org\\r\\nTo: ${address}\\r\\nSubject: Hello\\r\\n\\r\\nYour code is 739105\\r\\n' |
  curl smtp://${host}:${port} --mail-from me@example.org --mail-rcpt '${address}' -T -`
}

function curlWait(address: string, apiKey: string | undefined): string {
  const base = location.origin
  const key = apiKey ?? `$(curl -s -X POST ${base}/api/keys | sed 's/.*"key":"\\([^"]*\\)".*/\\1/')`
  return `curl -s -H "X-API-Key: ${key}" \\
  '${base}/api/emails/${encodeURIComponent(address).replace('%40', '@')}/wait?has=code&timeout=25'`
}

function hours(count: number): string {
  if (count === 1) return 'an hour'
  return count % 24 === 0 && count > 24 ? `${count / 24} days` : `${count} hours`
}
