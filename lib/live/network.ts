import { Aws, CfnCondition, Fn, Stack, Token, Validations } from 'aws-cdk-lib'
import { type CfnSubnet, type IVpc, type SubnetSelection, SubnetType, Vpc } from 'aws-cdk-lib/aws-ec2'
import { Cluster, ContainerInsights } from 'aws-cdk-lib/aws-ecs'
import { Construct, type IDependable } from 'constructs'
import type { MayflyVpc } from '../props.ts'
import { ZONES_BY_REGION } from '../regions.ts'
import type { SdkCalls } from '../sdk-calls.ts'

export interface NetworkProps {
  availabilityZones: string[] | undefined
  /** An existing network; undefined: the stack creates one. */
  existing: MayflyVpc | undefined
  calls: SdkCalls
  /** Whether tasks run on Fargate Spot. */
  spot: boolean
}

/**
 * The network of the tasks. By default a VPC with public subnets in two zones and no NAT gateway:
 * tasks have public addresses to reach AWS, and accept connections from their load balancer only.
 * With `existing`, the stack creates no VPC, no gateway and no public address.
 */
export class Network extends Construct {
  readonly vpc: IVpc
  readonly cluster: Cluster
  /** Subnets of the tasks, of the internal load balancer and of Valkey. */
  readonly subnets: SubnetSelection
  /** Subnets of the internet-facing load balancer for SMTP. */
  readonly publicSubnets: SubnetSelection
  /** Whether tasks need a public address to reach AWS. */
  readonly assignPublicIp: boolean
  /**
   * The routes to the internet. Resources that need AWS endpoints depend on them, so deletion
   * removes these last.
   */
  readonly connected: IDependable[]

  constructor(scope: Construct, id: string, { availabilityZones, existing, calls, spot }: NetworkProps) {
    super(scope, id)
    if (existing !== undefined) {
      this.vpc = existing.vpc
      this.subnets = existing.subnets
      this.publicSubnets = existing.publicSubnets ?? existing.subnets
      this.connected = []
    } else {
      const vpc = this.#createVpc(availabilityZones)
      this.vpc = vpc
      this.subnets = { subnetType: SubnetType.PUBLIC }
      this.publicSubnets = this.subnets
      this.connected = vpc.publicSubnets.map((subnet) => subnet.internetConnectivityEstablished)
    }
    this.assignPublicIp = existing === undefined
    this.cluster = new Cluster(this, 'Cluster', {
      vpc: this.vpc,
      containerInsightsV2: ContainerInsights.DISABLED,
      enableFargateCapacityProviders: spot,
    })
    this.cluster.node.addDependency(calls.ecsServiceRole())
  }

  #createVpc(availabilityZones: string[] | undefined): Vpc {
    const vpc = new Vpc(this, 'Vpc', {
      ...(availabilityZones ? { availabilityZones } : { maxAzs: 2 }),
      natGateways: 0,
      subnetConfiguration: [{ name: 'public', subnetType: SubnetType.PUBLIC, cidrMask: 24 }],
      // Emptying the default security group would need a Lambda function, and nothing uses that
      // group.
      restrictDefaultSecurityGroup: false,
    })
    if (availabilityZones === undefined) this.#chooseZones(vpc)
    return vpc
  }

  /**
   * Selects zones by id where the Region has zones that do not work; the deployment decides if
   * synthesis cannot.
   */
  #chooseZones(vpc: Vpc): void {
    const { region } = Stack.of(this)
    const regions = Token.isUnresolved(region) ? Object.keys(ZONES_BY_REGION) : [region]
    const choices = regions.flatMap((name) => {
      const zones = ZONES_BY_REGION[name]
      return zones === undefined ? [] : [{ zones, condition: this.#isRegion(name) }]
    })
    const choose = (other: string, of: (zones: readonly [string, string]) => string) =>
      choices.reduce(
        (otherwise, { zones, condition }) =>
          Fn.conditionIf(condition.logicalId, of(zones), otherwise).toString(),
        other,
      )
    vpc.publicSubnets.forEach((subnet, i) => {
      const resource = subnet.node.defaultChild as CfnSubnet
      resource.availabilityZoneId = choose(Aws.NO_VALUE, (zones) => zones[i] ?? zones[0])
      resource.availabilityZone = choose(subnet.availabilityZone, () => Aws.NO_VALUE)
      Validations.of(subnet).acknowledge({
        id: 'CloudFormation-Validate::F3020',
        reason: 'Exactly one of the two properties has a value at the deployment.',
      })
    })
  }

  #isRegion(region: string): CfnCondition {
    const id = region
      .split('-')
      .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
      .join('')
    return new CfnCondition(this, id, { expression: Fn.conditionEquals(Aws.REGION, region) })
  }
}
