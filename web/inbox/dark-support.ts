const DECLARED =
  /prefers-color-scheme\s*:\s*dark|<meta\b[^>]*\bname\s*=\s*["']?(?:supported-)?color-schemes?["'\s>]|color-scheme\s*:[^;}"']*\bdark\b/i
const COLOURED = /\b(?:bgcolor|background|color)\s*=|\b(?:background(?:-color)?|color)\s*:|<font\b|<img\b/i

/** How bright an email is shown. `auto`: dark if the page is dark and the email can be. */
export type MailScheme = 'auto' | 'light' | 'dark'

/** Whether an email is shown in dark colours. */
export function isShownDark(scheme: MailScheme, isPageDark: boolean, html: string): boolean {
  return scheme === 'dark' || (scheme === 'auto' && isPageDark && darkSupport(html) !== 'none')
}

/**
 * Whether an email can be shown in dark colours: `declared` if it has a dark version, `plain` if it sets no colours
 * at all, `none` if it is made for white paper.
 */
export function darkSupport(html: string): 'declared' | 'plain' | 'none' {
  if (DECLARED.test(html)) return 'declared'
  return COLOURED.test(html) ? 'none' : 'plain'
}
