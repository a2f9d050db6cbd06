/** The HTML around what a page's script renders; used when the pages are built. */

export interface PageFiles {
  script: string
  /** Scripts that `script` imports. */
  chunks: string[]
  styles: string[]
  icon: string
}

const NAVIGATION = [
  ['/', 'Inbox'],
  ['/domains', 'Domains'],
  ['/webhooks', 'Webhooks'],
  ['/keys', 'API keys'],
  ['/docs', 'Docs'],
] as const

export interface PageText {
  path: string
  title: string
  description: string
  /** Whether the page is as high as the window, and its parts scroll by themselves. */
  isApp?: boolean
  /** The content of <main> until the script has rendered. */
  body: string
}

export function pageDocument(
  { path, title, description, isApp = false, body }: PageText,
  files: PageFiles,
): string {
  const links = NAVIGATION.map(
    ([href, label]) => `<a href="${href}"${href === path ? ' aria-current="page"' : ''}>${label}</a>`,
  )
  return `<!doctype html>
<html lang="en"${isApp ? ' class="app"' : ''}>
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${description}">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/${files.icon}" type="image/svg+xml">
<link rel="manifest" href="/manifest.webmanifest">
${files.styles.map((style) => `<link rel="stylesheet" href="/${style}">`).join('\n')}
${files.chunks.map((chunk) => `<link rel="modulepreload" href="/${chunk}">`).join('\n')}
<script type="module" src="/${files.script}"></script>
</head>
<body>
<a class="button primary skip visually-hidden" href="#main" data-skip>Skip to content</a>
<header class="site">
<a class="brand cluster" href="/" aria-label="Mayfly"><img src="/${files.icon}" alt="" width="26" height="26"><span class="wide-only">Mayfly</span></a>
<nav class="strip" aria-label="Pages">${links.join('')}</nav>
</header>
<main class="site" id="main" tabindex="-1">${body}</main>
<footer class="site fine"><p>Emails are deleted automatically. Anyone who knows a public address can read its mail.</p></footer>
</body>
</html>
`
}

/** The document of the outer frame of an email; see web/frame/frame.ts. */
export function frameDocument(script: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Email</title>
<style>html, body, iframe { display: block; width: 100%; height: 100%; margin: 0; border: 0; overflow: hidden }
iframe { overflow: auto }</style>
<script src="/${script}" defer></script>
</head>
<body></body>
</html>
`
}
