import { CfnRecordSetGroup, type IHostedZone } from 'aws-cdk-lib/aws-route53'
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses'
import { Construct } from 'constructs'
import type { MayflyDomain } from './props.ts'

const MX_PREFERENCE = 10
const TTL_SECONDS = '1800'

/** A DNS record that a domain wants; `name` without a final dot. */
export interface DnsRecord {
  domain: string
  type: 'MX' | 'CNAME'
  name: string
  value: string
}

export interface IdentitiesProps {
  domains: MayflyDomain[]
  /** Whether SES takes mail, which wants an identity of each domain. */
  usesSes: boolean
  mxHost: string
}

/**
 * The domains of the configuration: identities of SES, and their DNS records. Those of one hosted zone are one
 * resource, since a stack has 500 at most.
 */
export class Identities extends Construct {
  /** The records of domains without a zone, which are to be set by hand. */
  readonly wanted: DnsRecord[] = []

  constructor(scope: Construct, id: string, { domains, usesSes, mxHost }: IdentitiesProps) {
    super(scope, id)
    const zones = new Map<IHostedZone, DnsRecord[]>()
    for (const { name, zone, identity } of domains) {
      const proofs =
        usesSes && identity !== 'existing'
          ? new EmailIdentity(new Construct(this, name), 'Identity', { identity: Identity.domain(name) })
              .dkimRecords
          : []
      const records: DnsRecord[] = [
        { domain: name, type: 'MX', name, value: `${MX_PREFERENCE} ${mxHost}` },
        ...proofs.map((proof) => ({ domain: name, type: 'CNAME' as const, ...proof })),
      ]
      if (zone === undefined) this.wanted.push(...records)
      else zones.set(same(zones, zone), [...(zones.get(same(zones, zone)) ?? []), ...records])
    }
    for (const [zone, records] of zones) {
      new CfnRecordSetGroup(this, `Records-${zone.hostedZoneId}`, {
        hostedZoneId: zone.hostedZoneId,
        comment: 'Mayfly',
        recordSets: records.map(({ type, name, value }) => ({
          type,
          // The final dot says that the name is whole.
          name: `${name}.`,
          ttl: TTL_SECONDS,
          resourceRecords: [value],
        })),
      })
    }
  }
}

/** The zone of this id that is there already, for several objects may stand for one zone. */
function same(zones: Map<IHostedZone, unknown>, zone: IHostedZone): IHostedZone {
  return [...zones.keys()].find(({ hostedZoneId }) => hostedZoneId === zone.hostedZoneId) ?? zone
}
