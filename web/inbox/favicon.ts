let original: string | undefined

/** Shows the number of unread emails on the icon of the tab. */
export function showBadge(unread: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (link === null) return
  original ??= link.href
  link.href = unread === 0 ? original : `data:image/svg+xml,${encodeURIComponent(badge(unread))}`
}

function badge(unread: number): string {
  const text = unread > 99 ? '99+' : String(unread)
  const size = [20, 18, 14][text.length - 1]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#0d6e78"/><text x="16" y="${16 + (size ?? 14) * 0.36}" font-family="system-ui,sans-serif" font-size="${size}" font-weight="700" fill="#fff" text-anchor="middle">${text}</text></svg>`
}
