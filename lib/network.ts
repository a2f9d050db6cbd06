import { Aws, CfnCondition, Fn, Stack, Token, Validations } from 'aws-cdk-lib'
import { type CfnSubnet, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2'
import { Cluster, ContainerInsights } from 'aws-cdk-lib/aws-ecs'
import { Construct, type IDependable } from 'constructs'
import type { SdkCalls } from './sdk-calls.ts'

/**
 * In us-east-1 the zone use1-az3 has neither Fargate on arm64 nor VPC origins, and which name it has differs from
 * account to account (docs.aws.amazon.com/AmazonCloudFront, private-content-vpc-origins.html).
 */
const US_EAST_1_ZONES = ['use1-az1', 'use1-az2']

export interface NetworkProps {
  availabilityZones: string[] | undefined
  calls: SdkCalls
  /** Whether some tasks run on Fargate Spot. */
  spot: boolean
}

/**
 * Where tasks run: public subnets in two zones, and no NAT gateway. Tasks have public addresses to reach AWS by,
 * and take connections from their load balancer only.
 */
export class Network extends Construct {
  readonly vpc: Vpc
  readonly cluster: Cluster
  /** What is to be there while something needs the way to the internet. */
  readonly connected: IDependable[]

  constructor(scope: Construct, id: string, { availabilityZones, calls, spot }: NetworkProps) {
    super(scope, id)
    this.vpc = new Vpc(this, 'Vpc', {
      ...(availabilityZones ? { availabilityZones } : { maxAzs: 2 }),
      natGateways: 0,
      subnetConfiguration: [{ name: 'public', subnetType: SubnetType.PUBLIC, cidrMask: 24 }],
      // The rule that empties the default security group is a Lambda function of its own; nothing uses the group.
      restrictDefaultSecurityGroup: false,
    })
    if (availabilityZones === undefined) this.#chooseZones()
    this.connected = this.vpc.publicSubnets.map((subnet) => subnet.internetConnectivityEstablished)
    this.cluster = new Cluster(this, 'Cluster', {
      vpc: this.vpc,
      containerInsightsV2: ContainerInsights.DISABLED,
      enableFargateCapacityProviders: spot,
    })
    this.cluster.node.addDependency(calls.ecsServiceRole())

    Validations.of(this.vpc).acknowledge({
      id: 'AwsSolutions-VPC7',
      reason: 'Nothing in it takes connections but load balancers; flow logs would cost more than the rest.',
    })
    Validations.of(this.cluster).acknowledge({
      id: 'AwsSolutions-ECS4',
      reason:
        'The lag of the stream reader and the load balancer’s metrics tell what Container Insights would, for nothing.',
    })
  }

  #chooseZones(): void {
    const { region } = Stack.of(this)
    if (!Token.isUnresolved(region) && region !== 'us-east-1') return
    const condition = new CfnCondition(this, 'UsEast1', {
      expression: Fn.conditionEquals(Aws.REGION, 'us-east-1'),
    })
    const there = (yes: string, no: string) => Fn.conditionIf(condition.logicalId, yes, no).toString()
    this.vpc.publicSubnets.forEach((subnet, i) => {
      const resource = subnet.node.defaultChild as CfnSubnet
      resource.availabilityZoneId = there(US_EAST_1_ZONES[i]!, Aws.NO_VALUE)
      resource.availabilityZone = there(Aws.NO_VALUE, subnet.availabilityZone)
      Validations.of(subnet).acknowledge({
        id: 'CloudFormation-Validate::F3020',
        reason: 'Never both: the one or the other has no value.',
      })
    })
  }
}
