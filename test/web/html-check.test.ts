import { execFileSync } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from '@jest/globals'
import { checkHtml } from '../../web/html-check/check.ts'
import { readDeclarations } from '../../web/html-check/css.ts'
import { placesOf } from '../../web/html-check/places.ts'
import { signsIn } from '../../web/html-check/usage.ts'

describe('the features of an email', () => {
  test.each([
    ['<video src="x"></video>', 'element:video'],
    ['<TABLE ALIGN=center>', 'attribute:align'],
    ['<p style="display: flex !important; gap:4px">', 'value:display:flex'],
    ["<p style='width:calc(1rem + 2vw)'>", 'function:calc'],
    ['<p style="margin:1rem">', 'unit:rem'],
    ['<style>a:hover{color:red}</style>', 'pseudo:hover'],
    [
      '<style>@media (max-width:1px) and (prefers-color-scheme:dark){a{top:0}}</style>',
      'media:prefers-color-scheme',
    ],
    ['<style>@media print{a{position:fixed}}</style>', 'property:position'],
    ['<img src="data:image/webp;base64,x">', 'image:data'],
    ['<img src="https://x.example/a.WEBP?b=1">', 'image:webp'],
    ['<a title="a > b" dir=rtl>', 'attribute:dir'],
    ['<img src="https://x.example/a?b#c" loading="lazy">', 'attribute:loading'],
  ])('%s: %s', (html, sign) => {
    expect([...signsIn(html)]).toContain(sign)
    expect(placesOf(`<i>\n${html}`, [sign])).toEqual({ count: 1, lines: [2] })
  })

  test('are all of these, and no others', () => {
    const html = `<P CLASS="a" style="Margin:1.5em 2ch;x;--y:1px;a b:1px;${'long'.repeat(11)}:1px;color : RED ! important"><br/>
<img src='data:image/GIF;base64,x' width=1><img src="/b.jpeg#x"><img src="/none"><input src="c.png">
<a href = "x>y" title='"'>text < 1</a><!-- <hr> -->
<style>@media (-webkit-min-device-pixel-ratio:2) and (any-hover){ p::before, p:hover{ width : min(1vmin, 2in) } }
@font-face{src:url(x)} /* q:focus{top:1pc} */ </style>`
    expect([...signsIn(html)].sort()).toEqual([
      ...['attribute:class', 'attribute:href', 'attribute:src', 'attribute:style', 'attribute:title'],
      ...['attribute:width', 'element:a', 'element:br', 'element:img', 'element:input', 'element:p'],
      ...['element:style', 'function:min', 'function:url', 'image:data', 'image:gif', 'image:jpeg'],
      ...['media:device-pixel-ratio', 'media:hover', 'property:--y', 'property:color', 'property:margin'],
      ...['property:src', 'property:width', 'pseudo:before', 'pseudo:hover', 'rule:font-face', 'rule:media'],
      ...['selector:grouping', 'unit:ch', 'unit:em', 'unit:in', 'unit:px', 'unit:vmin', 'value:--y:1px'],
      ...['value:color:red ! important', 'value:margin:1.5em 2ch', 'value:src:url(x)'],
      'value:width:min(1vmin, 2in)',
    ])
  })

  test('comments and scripts are not features', () => {
    const signs = signsIn('<!-- <video> --><script>"<audio>"</script><style>/* gap:1px */</style>')
    expect([...signs]).toEqual(['element:script', 'element:style'])
    expect([...signsIn('<!-- <video>')]).toEqual([])
    for (const empty of ['<!-->', '<!--->', '<!---->'])
      expect(signsIn(`${empty}<video><!-- <audio> -->`)).toEqual(signsIn('<video>'))
    // A document type is no element, although it begins alike.
    expect(signsIn('<!DOCTYPE html><video>')).toEqual(signsIn('<video>'))
    expect([...signsIn('<style>a{/*/ gap:1px */}</style>')]).toEqual(['element:style'])
    // A comment without an end is one to the end of the style.
    expect([...signsIn('<style>/* a{gap:1px}</style>')]).toEqual(['element:style'])
  })

  test('broken and huge HTML is examined up to a limit', () => {
    for (const html of ['<', '<a', '<a b="', '<style>a{b', '<!--', '< <<>>'])
      expect(() => signsIn(html)).not.toThrow()
    const has = (html: string, sign: string) => signsIn(html).has(sign)
    expect(has(`${'<p>'.repeat(49_999)}<video>`, 'element:video')).toBe(true)
    expect(has(`${'<p>'.repeat(50_000)}<video>`, 'element:video')).toBe(false)
    const attribute = (blanks: number) => `<a${' '.repeat(blanks)} dir=rtl>`
    expect(has(attribute(19_980), 'attribute:dir')).toBe(true)
    expect(has(attribute(20_000), 'attribute:dir')).toBe(false)
    const value = (blanks: number) => `<a style="width:${' '.repeat(blanks)}calc(1px)">`
    expect(has(value(480), 'function:calc')).toBe(true)
    expect(has(value(500), 'function:calc')).toBe(false)
    expect(has(`${' '.repeat(9_999_993)}<video>`, 'element:video')).toBe(true)
    expect(has(`${' '.repeat(10_000_000)}<video>`, 'element:video')).toBe(false)
    const rule = (blanks: number) => `<style>${' '.repeat(blanks)}a{gap:0}</style>`
    expect(has(rule(999_980), 'property:gap')).toBe(true)
    expect(has(rule(1_000_000), 'property:gap')).toBe(false)
    expect([999_980, 1_000_000].map((blanks) => checkHtml(rule(blanks)).isPartial)).toEqual([false, true])
    const rules = (count: number) =>
      `<style>${Array.from({ length: count / 2 }, (_, n) => `a${n}{b:${n}}`).join('')}</style><p style="gap:0">`
    expect([has(rules(9_998), 'property:gap'), checkHtml(rules(9_998)).isPartial]).toEqual([true, false])
    expect([has(rules(10_000), 'property:gap'), checkHtml(rules(10_000)).isPartial]).toEqual([false, true])
    expect(checkHtml(`<style>${'a{b:c}'.repeat(20_000)}</style>`).isPartial).toBe(false)
    // What is read already is still known when no more is read.
    expect(checkHtml(`${rules(9_998)}<p style="top:0"><p style="gap:0">`).isPartial).toBe(false)
    expect(signsIn(`<a b="${'x'.repeat(5_000_000)}"><video>`).has('element:video')).toBe(true)
    expect(signsIn(`<style>${'a{b:c}'.repeat(500_000)}</style><video>`).has('element:video')).toBe(true)
  })
})

describe('the HTML check', () => {
  test('names the clients that do not support a feature, the worst feature first', () => {
    const { findings, clients, score, features } = checkHtml(
      '<p style="display:flex;gap:4px;color:red">x</p><video src="x"></video>',
    )
    const flex = findings.find(({ title }) => title === 'display:flex')
    expect(flex?.unsupported).toContain('Outlook for Windows')
    expect(flex?.url).toBe('https://www.caniemail.com/features/css-display-flex/')
    expect(features).toBeGreaterThanOrEqual(3)
    expect(score).toBeGreaterThan(0)
    expect(score).toBeLessThan(100)
    const outlook = clients.find(({ name }) => name === 'Outlook for Windows')
    expect(outlook?.score).toBeLessThan(clients.find(({ name }) => name === 'Apple Mail')?.score ?? 0)
  })

  test('the findings are in the order of their weight; what all clients support is none', () => {
    const names = ['background', 'background-origin', 'border-collapse', 'gap', 'height', 'margin']
    const { features, findings } = checkHtml(`<i style="${names.map((name) => `${name}:0`).join(';')}">`)
    expect(features).toBe(6)
    expect(findings.map(({ unsupported, partial }) => [unsupported.length, partial.length])).toEqual([
      [2, 3],
      [2, 1],
      [1, 1],
      [0, 5],
      [0, 2],
    ])
    expect(findings.map(({ title }) => title)).toEqual([
      'gap, column-gap, row-gap',
      'background-origin',
      'height property',
      'margin',
      'background',
    ])
  })

  test('partial support counts half, and an unknown result does not count', () => {
    const scores = (html: string) => {
      const { score, clients } = checkHtml(html)
      return [score, ...clients.map((client) => client.score)]
    }
    expect(scores('<i style="accent-color:red">x')).toEqual([29, 0, 0, 0, 0, 100, 0, 100, 100])
    const [, ...flex] = scores('<i style="display:flex">x')
    expect(flex.slice(0, 2)).toEqual([50, 0])
  })

  test('a finding says how often the email uses it, and in which lines', () => {
    const html = '<p style="gap:4px">a\n<p style="color:red;gap: 1px">b\n\n<style>\np{gap:0}</style>'
    const gap = checkHtml(html).findings.find(({ title }) => title.startsWith('gap'))
    expect([gap?.signs, gap?.places]).toEqual([['property:gap'], { count: 3, lines: [1, 2, 5] }])
    const many = checkHtml('<video>\n'.repeat(2000)).findings.find(({ title }) => title.includes('video'))
    expect(many?.places).toEqual({ count: 999, lines: [1, 2, 3] })
  })

  test.each([
    ['a+b{}', ['adjacent-sibling']],
    ['a [data-x="b+c > .d"]{}', ['attribute', 'descendant']],
    ['a.b.c{}', ['chaining', 'class']],
    ['a-.b{}', ['chaining', 'class']],
    ['[data-x=b]{}', ['attribute']],
    ['.a{}', ['class']],
    ['a>b{}', ['child']],
    ['a~b{}', ['general-sibling']],
    ['a,b{}', ['grouping']],
    ['#a{}', ['id']],
    ['*{}', ['universal']],
    ['a{}*{}', ['universal']],
    ['a *{}', ['descendant', 'universal']],
    ['a,*{}', ['grouping', 'universal']],
    ['a>*{}', ['child', 'universal']],
    ['a+*{}', ['adjacent-sibling', 'universal']],
    ['a~*{}', ['general-sibling', 'universal']],
    ['[a~=b]{}', ['attribute']],
    ['a b{}', ['descendant']],
    ['@media (a:b){c{}}', []],
    ['@media (a:b){c>d{}}', ['child']],
    ['a:not(.b > c){}', []],
  ])('the selectors of %s', (css, kinds) => {
    const found = [...signsIn(`<style>${css}</style>`)].filter((sign) => sign.startsWith('selector:'))
    expect(found.map((sign) => sign.slice('selector:'.length))).toEqual(kinds)
    const places = found.map((sign) => placesOf(`<style>\n${css}</style>`, [sign]))
    // The search for places does not read a selector with a value of several selectors' signs.
    const place = css.includes('> .d') ? { count: 0, lines: [] } : { count: 1, lines: [2] }
    expect(places).toEqual(found.map(() => place))
  })

  test.each([
    ['adjacent-sibling', 'a+b'],
    ['attribute', '[a]'],
    ['chaining', 'a.b'],
    ['child', 'a>b'],
    ['class', '.a'],
    ['general-sibling', 'a~b'],
    ['grouping', 'a,b'],
    ['id', '#a'],
    ['universal', '*'],
  ])('a selector of the kind %s has a place also if more follows, up to a length', (kind, selector) => {
    const count = (more: number) =>
      placesOf(`<style> ${selector} ${'c'.repeat(more)}{}`, [`selector:${kind}`]).count
    expect([count(35), count(150)]).toEqual([1, 0])
  })

  test.each([
    ['element:video', '<video-player><videos>video'],
    ['attribute:align', '<p data-align=x>align'],
    ['property:gap', '<p style="x-gap:1px;gaps:0">gap'],
    ['value:display:flex', '<p style="x-display:flex;display:block">'],
    ['function:min', '<p style="width:x-min(1px);min:0">'],
    ['unit:px', '<p class="a1pxx px">'],
    ['rule:media', '@medias media'],
    ['media:hover', '@media print{a:hover{}}'],
    ['pseudo:hover', ':hovers :hover-x hover'],
    ['image:gif', 'a.gifs /gif'],
    ['image:data', '<img title="data:x">'],
    ['selector:child', 'a > b'],
    ['selector:unknown', 'a{}'],
    ['unknown:a', 'a'],
  ])('%s has no place in %s', (sign, html) => {
    expect(placesOf(html, [sign])).toEqual({ count: 0, lines: [] })
  })

  test('places are searched in the first 300,000 characters', () => {
    const count = (before: number) => placesOf(`${' '.repeat(before)}<video>`, ['element:video']).count
    expect([count(299_994), count(299_995)]).toEqual([1, 0])
  })

  test('the last 500 characters of a selector are read', () => {
    const isChild = (length: number) =>
      signsIn(`<style>a>${'b'.repeat(length - 1)}{}</style>`).has('selector:child')
    expect([isChild(500), isChild(501)]).toEqual([true, false])
  })

  test('plain HTML is supported by every client', () => {
    expect(checkHtml('Hello')).toMatchObject({ features: 0, score: 100, findings: [] })
  })
})

describe('the data of the HTML check', () => {
  const web = new URL('../../web/html-check/', import.meta.url)
  /** Each client with its family and a platform. The worst result of its platforms counts. */
  const PLATFORMS = [
    ['gmail', 'ios'],
    ['outlook', 'windows'],
    ['outlook', 'outlook-com'],
    ['outlook', 'android'],
    ['apple-mail', 'macos'],
    ['yahoo', 'android'],
    ['samsung-email', 'android'],
    ['thunderbird', 'windows'],
  ]
  /** Results as caniemail.com publishes them: those of an older version, and of a better platform, do not count. */
  const statsOf = (support: string) => {
    const stats: Record<string, Record<string, Record<string, string>>> = {}
    for (const [i, [family = '', platform = '']] of PLATFORMS.entries()) {
      stats[family] ??= {}
      stats[family][platform] = { '2019-01': 'n', '2026-01': `${support[i]} #1` }
    }
    for (const [family, better] of [
      ['gmail', 'desktop-webmail'],
      ['outlook', 'ios'],
      ['apple-mail', 'ios'],
      ['yahoo', 'ios'],
      ['thunderbird', 'macos'],
    ]) {
      stats[family ?? ''] = { ...stats[family ?? ''], [better ?? '']: { '2026-01': 'y' } }
    }
    return stats
  }

  test('is at most 180 days old: web/html-check/update.ts renews it', async () => {
    const { updated } = JSON.parse(await readFile(new URL('caniemail.json', web), 'utf8')) as {
      updated: string
    }
    expect((Date.now() - Date.parse(updated)) / 86_400_000).toBeLessThan(180)
  })

  test('is made again from a clone of the repository', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'mayfly-html-check-'))
    try {
      const clone = join(dir, 'clone')
      await mkdir(join(clone, '_features'), { recursive: true })
      await writeFile(
        join(clone, '_features', 'css-gap.md'),
        `---
title: "gap, \\"row-gap\\""
stats: {
    gmail: {
        ios: {
            # "2018-01": "y",
            "2019-02": "n"
            "2026-03": "a #1",
            // "2026-04": "y"
        },
    },
    thunderbird: { macos: { "78": "y" }, }
}
notes_by_num: { "1": "not { here }" }
---
`,
      )
      await writeFile(join(clone, '_features', '_template.md'), 'title: none')
      const git = (...args: string[]) => execFileSync('git', ['-C', clone, ...args], { stdio: 'ignore' })
      git('init')
      git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '--allow-empty', '-m', 'x')
      await copyFile(new URL('update.ts', web), join(dir, 'update.ts'))
      execFileSync(process.execPath, [join(dir, 'update.ts'), clone])
      const made = JSON.parse(await readFile(join(dir, 'caniemail.json'), 'utf8')) as { updated: string }
      expect(made).toMatchObject({
        features: [
          [
            'css-gap',
            'gap, "row-gap"',
            ['property:gap', 'property:column-gap', 'property:row-gap'],
            'auuuuuuy',
          ],
        ],
      })
      expect(made.updated).toMatch(/^20\d\d-\d\d-\d\d$/)
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  })

  test('is made again from what caniemail.com publishes', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'mayfly-html-check-'))
    try {
      const saved = JSON.parse(await readFile(new URL('caniemail.json', web), 'utf8')) as {
        updated: string
        features: [slug: string, title: string, signs: string[], support: string][]
      }
      const { updated, features } = saved
      const known = features.map(([slug, title, , support]) => ({ slug, title, stats: statsOf(support) }))
      // Nothing in the HTML shows that these are used.
      const invisible = [
        ...['amp', 'bimi', 'css-comments', 'css-display', 'css-important', 'css-nesting', 'css-sytem-ui'],
        ...['css-unit-initial', 'css-unit-percent', 'html-anchor-links', 'html-comments', 'html-doctype'],
        ...['html-mailto-links', 'html-meta-color-scheme', 'image-apng', 'image-hdr', 'css-selector-type'],
        ...['html-button-reset', 'html-input-text'],
      ]
      const unseen = invisible.map((slug) => ({ slug, title: slug, stats: {} }))
      const source = { last_update_date: `${updated} 12:00`, data: [...unseen, ...known] }
      await writeFile(join(dir, 'data.json'), JSON.stringify(source))
      await copyFile(new URL('update.ts', web), join(dir, 'update.ts'))
      execFileSync(process.execPath, [join(dir, 'update.ts'), join(dir, 'data.json')])
      expect(JSON.parse(await readFile(join(dir, 'caniemail.json'), 'utf8'))).toEqual(saved)
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  })
})

test('each unit of the data is found', async () => {
  const data = await readFile(new URL('../../web/html-check/caniemail.json', import.meta.url), 'utf8')
  const units = [...new Set(data.match(/(?<=")unit:[a-z]+(?=")/g))]
  expect(units.length).toBeGreaterThan(5)
  const signs = new Set<string>()
  readDeclarations(units.map((sign) => `width: 1${sign.slice('unit:'.length)}`).join(';'), signs)
  expect(units.filter((sign) => !signs.has(sign))).toEqual([])
})
