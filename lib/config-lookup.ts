import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { type ISubnet, type IVpc, Subnet, Vpc } from 'aws-cdk-lib/aws-ec2'
import { type IKey, Key } from 'aws-cdk-lib/aws-kms'
import { HostedZone, type IHostedZone } from 'aws-cdk-lib/aws-route53'
import { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import type { ZoneFields } from './config-objects.ts'
import type { MayflyProps, MayflyVpc } from './props.ts'

/** Turns ids and ARNs into CDK's objects. */
export interface Lookup {
  zone(id: string, zone: ZoneFields): IHostedZone
  certificate(arn: string): NonNullable<MayflyProps['host']>['certificate']
  secret(id: string, arn: string): NonNullable<NonNullable<MayflyProps['smtp']>['certificate']>
  key(arn: string): IKey
  vpc(fields: { id: string; subnets: string[]; publicSubnets: string[] | undefined }): MayflyVpc
}

/** Objects that have only what validation reads: there is no scope yet. */
export const FORM_ONLY: Lookup = {
  zone: (_, { name }) => ({ zoneName: name }) as IHostedZone,
  certificate: () => ({}) as never,
  secret: (_, arn) => ({ secretArn: arn }) as never,
  key: (arn) => ({ keyArn: arn }) as IKey,
  vpc: ({ publicSubnets }) => ({
    vpc: {} as IVpc,
    subnets: {},
    ...(publicSubnets && { publicSubnets: {} }),
  }),
}

/** Returns the objects of CDK, created in the scope. */
export function lookupIn(scope: Construct): Lookup {
  const subnets = (ids: string[]) => ({
    subnets: ids.map((id) => subnet(scope, id)),
  })
  return {
    zone: (id, zone) =>
      HostedZone.fromHostedZoneAttributes(scope, id, { hostedZoneId: zone.id, zoneName: zone.name }),
    certificate: (arn) => Certificate.fromCertificateArn(scope, 'Certificate', arn),
    secret: (id, arn) => Secret.fromSecretCompleteArn(scope, id, arn),
    key: (arn) => Key.fromKeyArn(scope, 'EncryptionKey', arn),
    vpc: ({ id, subnets: inside, publicSubnets }) => ({
      vpc: Vpc.fromVpcAttributes(scope, 'ExistingVpc', { vpcId: id, availabilityZones: ['unused'] }),
      subnets: subnets(inside),
      ...(publicSubnets && { publicSubnets: subnets(publicSubnets) }),
    }),
  }
}

/** Returns the subnet of this id, which may be one of the tasks and of the load balancer. */
function subnet(scope: Construct, id: string): ISubnet {
  const name = `Subnet-${id}`
  const known = scope.node.tryFindChild(name) as ISubnet | undefined
  return known ?? Subnet.fromSubnetAttributes(scope, name, { subnetId: id })
}
