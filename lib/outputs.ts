import type { Mayfly } from './mayfly.ts'

/** Returns the outputs of a deployment by name. */
export function outputsOf(mayfly: Mayfly): Record<string, { value: string; description: string }> {
  const outputs: Record<string, { value: string; description: string }> = {
    BaseUrl: { value: mayfly.baseUrl, description: 'URL of the API and the pages' },
    MxRecord: {
      value: `10 ${mayfly.mxHost}`,
      description: 'The MX record of every domain of this service',
    },
  }
  if (mayfly.hostRecord !== undefined) {
    outputs.HostRecord = {
      value: mayfly.hostRecord,
      description: 'The DNS record that the host name of the base URL needs',
    }
  }
  if (mayfly.smtpHostRecord !== undefined) {
    outputs.SmtpHostRecord = {
      value: mayfly.smtpHostRecord,
      description: 'The DNS record that the host name in MX records needs; not a CNAME (RFC 2181)',
    }
  }
  for (const domain of new Set(mayfly.dnsRecords.map((record) => record.domain))) {
    const records = mayfly.dnsRecords.filter((record) => record.domain === domain)
    outputs[`Records${idOf(domain)}`] = {
      value: records.map(({ name, type, value }) => `${name} ${type} ${value}`).join('\n'),
      description: `DNS records that ${domain} needs`,
    }
  }
  return outputs
}

/**
 * Output names allow letters and digits only; domains have no upper case, so two domains never
 * collide.
 */
function idOf(domain: string): string {
  return domain.replaceAll('.', 'Dot').replaceAll('-', 'Dash')
}
