import { Token } from 'aws-cdk-lib'
import { RECEIVING_REGIONS, WEB_ACL_REGION } from '../regions.ts'
import { Faults } from './faults.ts'
import type { Config } from './resolved.ts'

/** Returns every fault that depends on the Region, a sentence each. */
export function regionFaults(config: Config, region: string): string[] {
  const faults = new Faults()
  faults.when(
    config.inbound.includes('ses') && !RECEIVING_REGIONS.includes(region),
    `Amazon SES receives no mail in the Region ${region}; deploy to one of ${RECEIVING_REGIONS.join(', ')}, ` +
      'or set inbound to ["smtp"]',
  )
  const { webAcl } = config
  const createsWebAcl = webAcl !== undefined && webAcl.arn === undefined && webAcl.stackName === undefined
  faults.when(
    createsWebAcl && region !== WEB_ACL_REGION,
    `webAcl is created in ${WEB_ACL_REGION}, and the deployment is in ${region}: name its arn, or the ` +
      'stackName of a stack there',
  )
  for (const [field, arn] of Object.entries(regionalArns(config))) {
    if (arn === undefined || Token.isUnresolved(arn)) continue
    const [, , , other] = arn.split(':')
    faults.when(other !== region, `${field} is in the Region ${other}, and the deployment in ${region}`)
  }
  for (const zone of config.availabilityZones ?? [])
    faults.when(!zone.startsWith(region), `availabilityZones has ${zone}, which is not in ${region}`)
  return faults.list
}

/** Returns the ARNs that must be in the Region of the deployment, by field. */
function regionalArns({ encryptionKey, operatorKeys, smtp }: Config): Record<string, string | undefined> {
  return {
    encryptionKey: encryptionKey?.keyArn,
    operatorKeys: operatorKeys?.secretArn,
    'smtp.certificate': smtp.certificate?.secretArn,
  }
}
