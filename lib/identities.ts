import { Aws, CfnOutput, Fn } from 'aws-cdk-lib'
import { CnameRecord, HostedZone, MxRecord } from 'aws-cdk-lib/aws-route53'
import { EmailIdentity, Identity } from 'aws-cdk-lib/aws-ses'
import { Construct } from 'constructs'
import type { DomainConfig } from './config.ts'
import { mxHost } from './regions.ts'

const MX_PREFERENCE = 10

/**
 * The domains of the configuration as identities of SES. With a hosted zone their DNS records are made too;
 * without one, what is still to be set by hand is an output.
 */
export class Identities extends Construct {
  constructor(scope: Construct, id: string, { domains }: { domains: DomainConfig[] }) {
    super(scope, id)
    for (const domain of domains) this.#domain(new Construct(this, domain.name), domain)
  }

  #domain(scope: Construct, { name, zone, identity: whose }: DomainConfig): void {
    const identity =
      whose === 'existing'
        ? undefined
        : new EmailIdentity(scope, 'Identity', { identity: Identity.domain(name) })
    const proofs = identity?.dkimRecords ?? []
    if (zone === undefined) {
      const records = [
        `${name} MX ${MX_PREFERENCE} ${mxHost(Aws.REGION)}`,
        ...proofs.map((record) => `${record.name} CNAME ${record.value}`),
      ]
      new CfnOutput(scope, 'Records', {
        key: `Records${name.replace(/[^a-z0-9]/g, '')}`,
        description: `DNS records still wanted for ${name}`,
        value: Fn.join('\n', records),
      })
      return
    }
    const hostedZone = HostedZone.fromHostedZoneAttributes(scope, 'Zone', {
      hostedZoneId: zone.id,
      zoneName: zone.name,
    })
    new MxRecord(scope, 'Mx', {
      zone: hostedZone,
      recordName: `${name}.`,
      values: [{ priority: MX_PREFERENCE, hostName: mxHost(Aws.REGION) }],
    })
    proofs.forEach((record, i) => {
      // The name is whole already; only the final dot tells that, since it is not known at synth.
      new CnameRecord(scope, `Proof${i + 1}`, {
        zone: hostedZone,
        recordName: `${record.name}.`,
        domainName: record.value,
      })
    })
  }
}
