import { type CfnResource, Tags } from 'aws-cdk-lib'
import { CfnRecordSetGroup, type IHostedZone } from 'aws-cdk-lib/aws-route53'
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses'
import { Construct } from 'constructs'
import { IDENTITY_TAG } from '../../adapters/aws/env.ts'
import type { MayflyDomain } from '../props.ts'

const MX_PREFERENCE = 10
const TTL_SECONDS = '1800'

/** A DNS record that a domain needs; `name` without a final dot. */
export interface DnsRecord {
  domain: string
  type: 'MX' | 'CNAME'
  name: string
  value: string
}

export interface IdentitiesProps {
  domains: MayflyDomain[]
  /** Whether SES receives mail, which needs an identity for each domain. */
  usesSes: boolean
  mxHost: string
  /** Value of the tag that marks identities of this deployment. */
  owner: string
}

/**
 * The domains of the configuration: SES identities and their DNS records. All records of one hosted
 * zone are one resource, because a stack has at most 500.
 */
export class Identities extends Construct {
  /** The records of domains without a zone, which the operator sets by hand. */
  readonly wanted: DnsRecord[] = []

  constructor(scope: Construct, id: string, { domains, usesSes, mxHost, owner }: IdentitiesProps) {
    super(scope, id)
    const zones = new Map<IHostedZone, DnsRecord[]>()
    let previous: CfnResource | undefined
    for (const { name, zone, identity } of domains) {
      const records: DnsRecord[] = [{ domain: name, type: 'MX', name, value: `${MX_PREFERENCE} ${mxHost}` }]
      if (usesSes && identity !== 'existing') {
        const created = this.#identity(name, owner)
        const resource = created.node.defaultChild as CfnResource
        // One after the other: SES accepts one identity call a second (docs.aws.amazon.com/ses,
        // quotas.html).
        if (previous !== undefined) resource.addResourceDependency(previous)
        previous = resource
        for (const proof of created.dkimRecords) records.push({ domain: name, type: 'CNAME', ...proof })
      }
      if (zone === undefined) this.wanted.push(...records)
      else zones.set(sameZone(zones, zone), [...(zones.get(sameZone(zones, zone)) ?? []), ...records])
    }
    for (const [zone, records] of zones) this.#records(zone, records)
  }

  #identity(name: string, owner: string): EmailIdentity {
    const identity = new EmailIdentity(new Construct(this, name), 'Identity', {
      identity: Identity.domain(name),
    })
    Tags.of(identity).add(IDENTITY_TAG, owner)
    return identity
  }

  #records({ hostedZoneId }: IHostedZone, records: DnsRecord[]): void {
    new CfnRecordSetGroup(this, `Records-${hostedZoneId}`, {
      hostedZoneId,
      comment: 'Mayfly',
      recordSets: records.map(({ type, name, value }) => ({
        type,
        // The final dot marks a complete name.
        name: `${name}.`,
        ttl: TTL_SECONDS,
        resourceRecords: [value],
      })),
    })
  }
}

/** Returns the zone in the map with this id: two objects may represent one zone. */
function sameZone(zones: Map<IHostedZone, unknown>, zone: IHostedZone): IHostedZone {
  return [...zones.keys()].find(({ hostedZoneId }) => hostedZoneId === zone.hostedZoneId) ?? zone
}
