import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '../support/eventually.ts'
import { freePort, listens } from '../support/ports.ts'
import { unpacked } from './installed.ts'

export interface Postfix {
  /** Where an application hands over its mail. */
  port: number
  version: string
  log(): string
  close(): Promise<void>
}

const RUN = fileURLToPath(new URL('postfix/run.sh', import.meta.url))

/**
 * Starts a Postfix that sends everything on to an SMTP server on this machine, by TLS with a certificate that it
 * verifies. Users and groups are some that every Debian has.
 * @param certificate file of the certificate that it trusts
 * @throws Error if it is not root, and may not become it by `sudo -n`
 */
export async function startPostfix(relayPort: number, certificate: string): Promise<Postfix> {
  const dir = await mkdtemp(join(tmpdir(), 'mayfly-postfix-'))
  const port = await freePort()
  const root = unpacked('postfix', 'usr/sbin/postfix').replace(/\/usr\/sbin\/postfix$/, '')
  const programs = `${root}/usr/lib/postfix/sbin`
  const main = {
    compatibility_level: '3.6',
    queue_directory: `${dir}/queue`,
    data_directory: `${dir}/data`,
    daemon_directory: programs,
    command_directory: `${root}/usr/sbin`,
    shlib_directory: `${root}/usr/lib/postfix`,
    import_environment: `MAIL_CONFIG LD_LIBRARY_PATH=${root}/usr/lib/postfix`,
    mail_owner: 'uucp',
    setgid_group: 'games',
    maillog_file: `${dir}/log`,
    maillog_file_prefixes: dir,
    myhostname: 'app.example.org',
    inet_protocols: 'ipv4',
    mynetworks: '127.0.0.0/8',
    mydestination: '',
    local_recipient_maps: '',
    alias_maps: '',
    smtpd_relay_restrictions: 'permit_mynetworks, reject',
    smtp_host_lookup: 'native',
    relayhost: `[localhost]:${relayPort}`,
    smtp_tls_security_level: 'verify',
    smtp_tls_verify_cert_match: 'hostname',
    smtp_tls_CAfile: certificate,
    smtp_tls_loglevel: '1',
    smtputf8_enable: 'yes',
    // So that what was deferred is tried again soon.
    minimal_backoff_time: '1s',
    maximal_backoff_time: '1s',
    queue_run_delay: '1s',
  }
  const services = [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'postlog unix-dgram n - n - 1 postlogd',
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 1 1 qmgr',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'smtp unix - - n - - smtp',
    'relay unix - - n - - smtp',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
  ]
  const lines = Object.entries(main).map(([name, value]) => `${name} = ${value}`)
  await writeFile(join(dir, 'main.cf'), `${lines.join('\n')}\n`)
  await writeFile(join(dir, 'master.cf'), `${services.join('\n')}\n`)
  const sudo = process.getuid!() === 0 ? [] : ['sudo', '-n']
  const [command = '', ...args] = [...sudo, 'sh', RUN, dir, `${programs}/master`]
  const child = spawn(command, args, { stdio: ['pipe', 'inherit', 'inherit'] })
  const ended = once(child, 'close')
  const log = () => (existsSync(join(dir, 'log')) ? readFileSync(join(dir, 'log'), 'utf8') : '')
  await Promise.race([
    eventually('Postfix', () => listens(port)),
    ended.then(() => Promise.reject(new Error(`Postfix ended; it takes root or sudo: ${log()}`))),
  ])
  return {
    port,
    version: (await eventually('the start in the log', () => /version ([\d.]+)/.exec(log())))[1]!,
    log,
    async close() {
      child.stdin!.end()
      await ended
    },
  }
}
