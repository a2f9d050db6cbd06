/** The first segments of the paths of the send APIs. */
const PROVIDER_NAMES = ['ses', 'resend', 'sendgrid', 'postmark', 'mailgun'] as const

export type ProviderName = (typeof PROVIDER_NAMES)[number]

/** Whether the path belongs to a send API. */
export function isSendPath(path: string): boolean {
  const [, name] = path.split('/', 2)
  return PROVIDER_NAMES.some((provider) => provider === name)
}
