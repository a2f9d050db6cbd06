import type { Mayfly } from './mayfly.ts'

/** What a deployment tells whoever made it, by the names of outputs. */
export function outputsOf(mayfly: Mayfly): Record<string, { value: string; description: string }> {
  const outputs: Record<string, { value: string; description: string }> = {
    BaseUrl: { value: mayfly.baseUrl, description: 'Where the API is' },
    MxRecord: {
      value: `10 ${mayfly.mxHost}`,
      description: 'The MX record of every domain whose mail is to come here',
    },
  }
  if (mayfly.hostRecord !== undefined) {
    outputs.HostRecord = {
      value: mayfly.hostRecord,
      description: 'The DNS record still wanted for the host name of the base URL',
    }
  }
  if (mayfly.smtpHostRecord !== undefined) {
    outputs.SmtpHostRecord = {
      value: mayfly.smtpHostRecord,
      description:
        'The DNS record still wanted for the host name that MX records name; not a CNAME (RFC 2181)',
    }
  }
  for (const domain of new Set(mayfly.dnsRecords.map((record) => record.domain))) {
    const records = mayfly.dnsRecords.filter((record) => record.domain === domain)
    outputs[`Records${idOf(domain)}`] = {
      value: records.map(({ name, type, value }) => `${name} ${type} ${value}`).join('\n'),
      description: `DNS records still wanted for ${domain}`,
    }
  }
  return outputs
}

/** Letters and digits are all that the id of an output takes; a domain has no upper case, so no two are equal. */
function idOf(domain: string): string {
  return domain.replaceAll('.', 'Dot').replaceAll('-', 'Dash')
}
