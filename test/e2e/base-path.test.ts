import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Browser, chromium } from 'playwright-core'
import { Mayfly } from '../../packages/client/src/index.ts'
import { eventually } from '../support/eventually.ts'
import { freshAddress, sendMail } from '../support/mail.ts'
import { type RunningService, startService } from '../support/service.ts'
import { CHROMIUM, CHROMIUM_ARGUMENTS, PATIENCE_MS } from './browser.ts'

const KEY = 'operator-key-0123456789'

let folder: string
let proxy: ChildProcess
let service: RunningService
let browser: Browser
/** The service behind nginx, which strips the path. It names the folder of the scripts, too. */
let base: string

beforeAll(async () => {
  const port = await freePort()
  base = `http://127.0.0.1:${port}/assets/mail`
  service = await startService({ MAYFLY_BASE_URL: base, MAYFLY_CATCH_ALL: 'on', MAYFLY_API_KEYS: KEY })
  folder = await mkdtemp(join(tmpdir(), 'mayfly-nginx-'))
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; worker_processes 1; pid ${folder}/pid; error_log stderr;
    events {}
    http {
      access_log off;
      client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy; fastcgi_temp_path ${folder}/fastcgi;
      uwsgi_temp_path ${folder}/uwsgi; scgi_temp_path ${folder}/scgi;
      server {
        listen 127.0.0.1:${port};
        location /assets/mail/ {
          proxy_pass ${service.http}/;
          proxy_http_version 1.1;
          proxy_set_header Host $http_host;
          proxy_buffering off;
        }
      }
    }`,
  )
  proxy = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  await eventually('the proxy', () =>
    fetch(`${base}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  browser = await chromium.launch({ executablePath: CHROMIUM!, args: CHROMIUM_ARGUMENTS })
}, PATIENCE_MS)

afterAll(async () => {
  await browser?.close()
  proxy?.kill()
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A page that collects every answer that is an error, and every request outside of the path. */
async function openPage() {
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('response', (answer) => {
    if (answer.status() >= 400) faults.push(`${answer.status()} ${answer.url()}`)
  })
  page.on('request', (request) => {
    const url = request.url()
    if (url.startsWith('http') && !url.startsWith(`${base}/`)) faults.push(`outside: ${url}`)
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  return { page, faults }
}

test.each([
  '',
  'inbox',
  'domains',
  'webhooks',
  'keys',
  'docs',
  'problems',
  'problems/',
  'problems/not_found',
  'docs/',
])(
  'the page /%s and every link of it are below the path',
  async (path) => {
    const { page, faults } = await openPage()
    await page.goto(`${base}/${path}`, { waitUntil: 'load' })
    expect(faults).toEqual([])
    const hrefs = await page.$$eval('a[href]', (links) =>
      links.map((link) => (link as HTMLAnchorElement).href),
    )
    expect(hrefs.length).toBeGreaterThan(4)
    const here = new URL(base).origin
    expect(hrefs.filter((href) => href.startsWith(here) && !href.startsWith(`${base}/`))).toEqual([])
    await page.close()
  },
  PATIENCE_MS,
)

test(
  'an inbox opens, live mail arrives and is shown with its HTML',
  async () => {
    const address = freshAddress('example.com')
    const { page, faults } = await openPage()
    await page.goto(`${base}/#${address}`, { waitUntil: 'load' })
    await page.getByText('Live', { exact: true }).first().waitFor()
    await sendMail(service.smtp, { to: address, subject: 'Below a path', html: '<p>Hello from HTML</p>' })
    await page.getByText('Below a path').first().click()
    await page.frameLocator('iframe.mail-frame').frameLocator('iframe').getByText('Hello from HTML').waitFor()
    expect(faults).toEqual([])
    await page.close()
  },
  PATIENCE_MS,
)

test(
  'a page that does not exist loads its files at any depth',
  async () => {
    const { page, faults } = await openPage()
    await page.goto(`${base}/a/b/c`, { waitUntil: 'load' })
    expect(faults).toEqual([`404 ${base}/a/b/c`])
    await page.close()
  },
  PATIENCE_MS,
)

test(
  'the SDK works with the URL, and the service names it',
  async () => {
    const { base_url } = await (await fetch(`${base}/api/info`)).json()
    expect(base_url).toBe(base)
    const mayfly = new Mayfly({ url: base, apiKey: KEY })
    const inbox = await mayfly.inbox({ domain: 'example.com' })
    await sendMail(service.smtp, {
      to: inbox.address,
      subject: 'Code',
      text: 'Your verification code is 482913.',
      attachments: [{ filename: 'a.txt', content: 'Hello' }],
    })
    expect(await inbox.waitForCode()).toBe('482913')
  },
  PATIENCE_MS,
)
