/** The groups of operations, in the order of the pages. A generated client has a class for each. */
export const TAGS = {
  'Addresses and domains': 'Addresses that are unused, and domains that receive mail.',
  Emails: 'The mail of one address: lists, waits, whole emails and their attachments.',
  Streams: 'New mail as Server-Sent Events.',
  'All mail': 'The mail of all addresses, for the operator of the service.',
  Webhooks: 'New mail as signed requests to a URL (Standard Webhooks).',
  'API keys': 'Keys that identify a client to the other operations.',
  Agents: 'Tools for agents (Model Context Protocol).',
  Service: 'State and properties of the service.',
} as const

export type Tag = keyof typeof TAGS
