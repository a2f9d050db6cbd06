const REMOTE =
  /<(?:img|source|video|input|image|table|td|th|tr|body|div)\b[^>]*?\b(?:src|srcset|background|poster|href)\s*=\s*["']?\s*(?:https?:)?\/\/|url\(\s*["']?\s*(?:https?:)?\/\//i

/**
 * Whether an email names images that a mail client would load from other hosts: in an element, an attribute or a
 * style. This only decides whether loading is offered; what loads is decided by the policy of the frame.
 */
export function namesRemoteImages(html: string): boolean {
  return REMOTE.test(html)
}
