/** OpenAPI expressions for the parameters of the next operation, by the name of the parameter. */
type Expressions = Record<string, string>

interface Link {
  operationId: string
  description: string
  parameters: Expressions
}

const address = '$request.path.address'

function emailAt(pointer: string, inAddress = address): Record<string, Link> {
  const parameters = { address: inAddress, id: `$response.body#/${pointer}/id` }
  return { readEmail: { operationId: 'readEmail', description: 'The whole email.', parameters } }
}

function next(operationId: string, parameters: Expressions): Record<string, Link> {
  const description = 'The next page, unless `next_cursor` is null.'
  return { nextPage: { operationId, description, parameters } }
}

function later(operationId: string, parameters: Expressions): Record<string, Link> {
  const description = 'Waits for an email that arrives after this one.'
  const since = '$response.body#/email/id'
  return { nextEmail: { operationId, description, parameters: { ...parameters, since } } }
}

const cursor = '$response.body#/next_cursor'
const parts: Expressions = { address, id: '$request.path.id' }
const webhook: Expressions = { id: '$response.body#/id' }

/** The operations that may follow an operation, and where their parameters are in its answer. */
const LINKS: Record<string, Record<string, Link>> = {
  listDomains: {
    verifyDomain: {
      operationId: 'verifyDomain',
      description: 'The DNS records of a domain.',
      parameters: { domain: '$response.body#/domains/0/domain' },
    },
  },
  sendTestMail: {
    waitForEmail: {
      operationId: 'waitForEmail',
      description: 'Waits for the test mail.',
      parameters: { address: '$request.body#/address' },
    },
  },
  publicInbox: { ...emailAt('emails/0'), ...next('publicInbox', { address, cursor }) },
  inbox: { ...emailAt('emails/0'), ...next('inbox', { address, cursor }) },
  latestEmail: { ...emailAt('email'), ...later('waitForEmail', { address }) },
  waitForEmail: { ...emailAt('email'), ...later('waitForEmail', { address }) },
  allMail: { ...emailAt('emails/0', '$response.body#/emails/0/address'), ...next('allMail', { cursor }) },
  latestOfAllMail: { ...emailAt('email', '$response.body#/email/address'), ...later('waitForAnyEmail', {}) },
  waitForAnyEmail: { ...emailAt('email', '$response.body#/email/address'), ...later('waitForAnyEmail', {}) },
  readEmail: {
    rawMessage: {
      operationId: 'rawMessage',
      description: 'The message as it was received.',
      parameters: parts,
    },
    attachment: {
      operationId: 'attachment',
      description: 'The first attachment.',
      parameters: { ...parts, n: '$response.body#/email/attachments/0/id' },
    },
    deleteEmail: { operationId: 'deleteEmail', description: 'Deletes the email.', parameters: parts },
  },
  newWebhook: {
    getWebhook: {
      operationId: 'getWebhook',
      description: 'The webhook, without its secret.',
      parameters: webhook,
    },
    testWebhook: { operationId: 'testWebhook', description: 'Sends a ping.', parameters: webhook },
    webhookDeliveries: {
      operationId: 'webhookDeliveries',
      description: 'The attempts so far.',
      parameters: webhook,
    },
    deleteWebhook: { operationId: 'deleteWebhook', description: 'Removes the webhook.', parameters: webhook },
  },
}

/** Returns the links of an operation to operations of the same document; undefined for none. */
export function linksOf(operationId: string, known: Set<string>): Record<string, Link> | undefined {
  const links = Object.entries(LINKS[operationId] ?? {}).filter(([, link]) => known.has(link.operationId))
  return links.length === 0 ? undefined : Object.fromEntries(links)
}
