import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from '@jest/globals'
import { EXAMPLES } from '../../web/docs/examples.ts'
import { docsBody } from '../../web/docs/page.ts'
import { frameDocument, pageDocument } from '../../web/document.ts'
import { escapeHtml } from '../../web/escape.ts'
import { notFoundBody, problemsBody } from '../../web/problems/list.ts'
import { icoOf, webManifest } from '../../web/site-files.ts'

/** The text of HTML that the build makes; each element on a line of its own, indented by lists. */
function textOf(html: string): string {
  return html
    .replace(/<\/?(?:details|summary|div|li|ul|tr|table|p|section|h\d|dt|dd|dl)\b[^>]*>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
    .trim()
}

describe('the reference of the API', () => {
  const html = docsBody()
  const operation = (id: string) =>
    new RegExp(`<details class="operation" id="${id}".*?(?=<details class="operation"|</section>)`, 's').exec(
      html,
    )![0]

  test.each(['waitForEmail', 'newWebhook', 'listDomains', 'addressStream', 'rawMessage', 'metrics'])(
    '%s',
    (id) => {
      expect(textOf(operation(id))).toMatchSnapshot()
    },
  )

  test('the browser sends the requests that read JSON and need at most an address, except those about keys', () => {
    const run = [...html.matchAll(/id="(\w+)" data-run=/g)].map(([, id]) => id)
    expect(run).toEqual([
      ...['randomUsername', 'listDomains', 'randomDomain', 'waitForEmail', 'publicInbox', 'inbox'],
      ...['latestEmail', 'allMail', 'latestOfAllMail', 'waitForAnyEmail', 'refusals', 'health', 'info'],
    ])
    expect(operation('latestEmail')).toContain('data-run="/api/emails/{address}/latest"')
  })

  test('each group says what it is for', () => {
    const groups = html.split('<h3>').slice(1)
    expect(groups.filter((group) => !/^[^<]+<\/h3><p class="fine">[^<]+<\/p>/.test(group))).toEqual([])
    expect(groups.length).toBeGreaterThan(5)
  })

  test('operations are in groups, in the order of their use', () => {
    const groups = html.split('<h3>').slice(1)
    const index = groups.map((group) => [
      group.slice(0, group.indexOf('<')),
      ...[...group.matchAll(/<details class="operation" id="(\w+)"/g)].map(([, id]) => id),
    ])
    expect(index.map((ids) => ids.join(' '))).toMatchSnapshot()
  })

  test('the browser proposes nothing in the search field', () => {
    expect(/<input id="find"[^>]*>/.exec(html)![0]).toContain(' autocomplete="off"')
  })

  test('each parameter in a path is explained', () => {
    const ids = [...html.matchAll(/<details class="operation" id="(\w+)"/g)].map(([, id]) => id!)
    const missing = ids.flatMap((id) => {
      const shown = operation(id)
      const path = /<code class="wrap">(.*?)<\/code>/.exec(shown)![1]!
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      return names.filter((name) => !shown.includes(`<th scope="row"><code>${name}</code>`))
    })
    expect(missing).toEqual([])
  })

  test('nothing in it is left out or not escaped', () => {
    expect(html).not.toMatch(/undefined|\[object|NaN|<your|\$ref/)
    // Every tag that is opened is closed.
    for (const tag of ['details', 'summary', 'ul', 'li', 'div', 'section', 'span', 'code', 'table', 'p']) {
      const count = (pattern: string) => html.match(new RegExp(pattern, 'g'))?.length
      expect([tag, count(`<${tag}[ >]`)]).toEqual([tag, count(`</${tag}>`)])
    }
  })

  test('the method has the colour of what it does', () => {
    const chips = new Set(
      [...html.matchAll(/class="chip method ([a-z]*)">(\w+)/g)].map(([, tone, name]) => `${name} ${tone}`),
    )
    expect([...chips].sort()).toEqual(['DELETE bad', 'GET ', 'POST good'])
  })
})

test('the first example takes the key that a service on this machine wrote, and creates one elsewhere', () => {
  const { code } = EXAMPLES[0]!
  const [here, elsewhere] = [code('http://127.0.0.1:9000'), code('https://mail.example')]
  expect(here).toContain('$(cat ~/.cache/mayfly/9000.key)')
  expect(here).not.toContain('/api/keys')
  expect(elsewhere).toContain('$(curl -s -X POST https://mail.example/api/keys | jq -r .key)')
  expect(elsewhere).not.toContain('.cache')
})

test('text of the API becomes no markup, in an attribute neither', () => {
  expect(escapeHtml(`<a title="x">&amp;`)).toBe('&#60;a title=&#34;x&#34;&#62;&#38;amp;')
})

describe('the documents of the pages', () => {
  test('name their place in the navigation, and load what they need', () => {
    const text = { path: '/keys', title: 'Title', description: 'Description', body: '<p>body</p>' }
    const files = { script: 'a.js', chunks: ['b.js', 'c.js'], styles: ['d.css'], icon: 'i.svg' }
    const html = pageDocument(text, files)
    expect(html).toMatchSnapshot()
    expect(html).toContain('<a href="/keys" aria-current="page">API keys</a>')
    expect(pageDocument({ ...text, isApp: true }, files)).toContain('<html lang="en" class="app">')
    expect(frameDocument('f.js')).toMatchSnapshot()
  })

  test('the page about problems has one place for each, with its status', () => {
    expect(problemsBody()).toContain(
      '<div id="rate_limited" tabindex="-1"><dt><code>rate_limited</code> <span class="fine">429</span></dt>' +
        '<dd><strong>Too many requests.</strong> Wait for the seconds in Retry-After.',
    )
    expect(problemsBody()).toMatch(
      /^<div class="page">.*<dl class="problem-list ruled card"><div id=.*<\/dl><\/div>$/,
    )
    // main.ts writes into it which problem is unknown; a screen reader says so.
    expect(problemsBody()).toContain('<p id="unknown" class="notice" role="status" hidden></p>')
    expect(textOf(notFoundBody())).toMatchSnapshot()
  })

  test('an icon and a manifest as browsers read them', () => {
    const icon = Buffer.from(icoOf(Buffer.from('PNG'), 32))
    expect(icon.toString('hex')).toBe(
      `${['0000', '0100', '0100', '20', '20', '0000', '0100', '2000', '03000000', '16000000'].join('')}${Buffer.from('PNG').toString('hex')}`,
    )
    expect(JSON.parse(webManifest({ 192: '/a.png', 512: '/b.png' }))).toEqual({
      name: 'Mayfly',
      short_name: 'Mayfly',
      description: 'A disposable mailbox that shows mail as it arrives.',
      background_color: '#ffffff',
      theme_color: '#0d6e78',
      start_url: './',
      display: 'standalone',
      icons: [
        { src: '/a.png', sizes: '192x192', type: 'image/png', purpose: 'any maskable' },
        { src: '/b.png', sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
      ],
    })
  })
})

/** As the set-up of every run builds them: test/support/pages.ts. */
describe('the built pages', () => {
  const dist = new URL('../../web/dist/', import.meta.url)
  const bytes = (name: string) => readFileSync(new URL(name, dist))
  const text = (name: string) => readFileSync(new URL(name, dist), 'utf8')
  const widthOf = (png: Buffer) => png.readUInt32BE(16)

  test('each has a name and a sentence for a search engine, and its own script', () => {
    const heads = globSync('*.html', { cwd: dist.pathname }).map((file) => {
      const html = text(file)
      const found = (pattern: RegExp) => pattern.exec(html)?.[1]
      return [
        `${file}, ${found(/<script.* src="\/assets\/([\w-]+)-\w{8}\.js"/)}.js`,
        found(/<title>(.*)<\/title>/),
        found(/<meta name="description" content="(.*)">/),
        found(/<noscript><p>(.*)<\/p><\/noscript>/),
      ].join('\n')
    })
    expect(heads.sort().join('\n\n')).toMatchSnapshot()
  })

  test('the scripts are small, because they are minified and have what they share only once', () => {
    const scripts = globSync('assets/*.js', { cwd: dist.pathname })
    const size = scripts.reduce((sum, name) => sum + bytes(name).length, 0)
    process.stderr.write(`scripts of the pages: ${Math.round(size / 1000)} kB of 300\n`)
    expect(size).toBeLessThan(300_000)
  })

  test('the icons have the size that their place names', () => {
    expect(widthOf(bytes('favicon.ico').subarray(22))).toBe(32)
    expect(widthOf(bytes('apple-touch-icon.png'))).toBe(180)
    const { icons } = JSON.parse(text('manifest.webmanifest')) as { icons: { src: string; sizes: string }[] }
    expect(icons.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512'])
    for (const { src, sizes } of icons) {
      const width = widthOf(bytes(src))
      expect([src, `${width}x${width}`]).toEqual([src, sizes])
    }
  })

  test('files with a fixed name are those of the sources, and no file of an earlier build is left', () => {
    for (const name of ['llms.txt', 'SKILL.md']) {
      expect(text(name)).toBe(readFileSync(new URL(`../../web/${name}`, import.meta.url), 'utf8'))
    }
    expect(text('robots.txt')).toBe('User-agent: *\nAllow: /\nDisallow: /api/\n')
    const files = globSync('**/*.*', { cwd: dist.pathname })
    const all = files
      .filter((file) => /\.(?:html|js|css|webmanifest)$/.test(file))
      .map(text)
      .join('\n')
    const assets = files.filter((file) => file.startsWith('assets/'))
    expect(assets.filter((file) => !all.includes(file.slice('assets/'.length)))).toEqual([])
  })
})
