/** Whether the path belongs to the read APIs of Mailpit and MailHog. A doubled slash counts as one. */
export function isCatcherPath(path: string): boolean {
  return /^\/+(?:api\/+(?:v1|v2)\/|api\/+events$|livez$|readyz$|view\/)/.test(path)
}
