import { Certificate, type ICertificate } from 'aws-cdk-lib/aws-certificatemanager'
import { type ISubnet, Subnet, Vpc } from 'aws-cdk-lib/aws-ec2'
import { type IKey, Key } from 'aws-cdk-lib/aws-kms'
import { HostedZone, type IHostedZone } from 'aws-cdk-lib/aws-route53'
import { type ISecret, Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import type { MayflyVpc } from '../props.ts'
import type { VpcFields, ZoneFields } from './file.ts'

export function lookUpZone(scope: Construct, id: string, zone: ZoneFields): IHostedZone {
  return HostedZone.fromHostedZoneAttributes(scope, id, { hostedZoneId: zone.id, zoneName: zone.name })
}

export function lookUpCertificate(scope: Construct, arn: string): ICertificate {
  return Certificate.fromCertificateArn(scope, 'Certificate', arn)
}

export function lookUpSecret(scope: Construct, id: string, arn: string): ISecret {
  return Secret.fromSecretCompleteArn(scope, id, arn)
}

export function lookUpKey(scope: Construct, arn: string): IKey {
  return Key.fromKeyArn(scope, 'EncryptionKey', arn)
}

export function lookUpVpc(scope: Construct, { id, subnets, publicSubnets }: VpcFields): MayflyVpc {
  // A subnet may be one of the tasks and of the load balancer.
  const known = new Map<string, ISubnet>()
  const subnet = (subnetId: string): ISubnet => {
    const found =
      known.get(subnetId) ?? Subnet.fromSubnetAttributes(scope, `Subnet-${subnetId}`, { subnetId })
    known.set(subnetId, found)
    return found
  }
  return {
    vpc: Vpc.fromVpcAttributes(scope, 'ExistingVpc', { vpcId: id, availabilityZones: ['unused'] }),
    subnets: { subnets: subnets.map(subnet) },
    ...(publicSubnets && { publicSubnets: { subnets: publicSubnets.map(subnet) } }),
  }
}
