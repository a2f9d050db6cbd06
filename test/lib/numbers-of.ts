import type { Properties, Synthesised } from './synth.ts'

type Numbers = Record<string, Record<string, unknown>>

/** Logical ids without the hash and the name of the construct: `MayflyRestHandlerFunction1A2B3C4D` → `RestHandler`. */
function shortId(id: string): string {
  return id
    .replace(/^Mayfly/, '')
    .replace(/[0-9A-F]{8}$/, '')
    .replace(/(Function|Service|TargetGroup)$/, '')
}

/** The logical id to which a value of the template refers. */
function target(value: unknown): string {
  const [, id] = /"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/.exec(JSON.stringify(value)) ?? []
  return shortId(id ?? JSON.stringify(value))
}

/** Removes undefined values, so that tables hold only what the template has. */
function defined(numbers: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined))
}

function table(
  { all }: Synthesised,
  type: string,
  name: (id: string, properties: Properties) => string,
  numbers: (properties: Properties) => Record<string, unknown>,
): Numbers {
  const rows = Object.entries(all(type))
    .filter(([id]) => id.startsWith('Mayfly'))
    .map(([id, properties]) => [name(id, properties), defined(numbers(properties))] as const)
  return Object.fromEntries(rows.sort(([a], [b]) => (a < b ? -1 : 1)))
}

const byId = (id: string) => shortId(id)
const attributes = (list: { Key: string; Value: string }[] = []) =>
  Object.fromEntries(list.map(({ Key, Value }) => [Key, Value]))

/** Every number of the template that is part of its contract, by kind and name. */
export function numbersOf(stack: Synthesised): Record<string, Numbers> {
  return {
    functions: table(stack, 'AWS::Lambda::Function', byId, (of) => ({
      seconds: of.Timeout,
      MiB: of.MemorySize,
      reserved: of.ReservedConcurrentExecutions,
    })),
    sources: table(
      stack,
      'AWS::Lambda::EventSourceMapping',
      (_, of) => target(of.EventSourceArn),
      (of) => ({
        batch: of.BatchSize,
        concurrency: of.ScalingConfig?.MaximumConcurrency,
        retries: of.MaximumRetryAttempts,
        responses: of.FunctionResponseTypes?.join(),
        position: of.StartingPosition,
      }),
    ),
    queues: table(stack, 'AWS::SQS::Queue', byId, (of) => ({
      visibility: of.VisibilityTimeout,
      retention: of.MessageRetentionPeriod,
      receives: of.RedrivePolicy?.maxReceiveCount,
    })),
    alarms: table(
      stack,
      'AWS::CloudWatch::Alarm',
      (_, of) => of.AlarmDescription.split('.')[0],
      (of) => ({
        threshold: of.Threshold,
        operator: of.ComparisonOperator,
        periods: of.EvaluationPeriods,
        seconds:
          of.Period ??
          of.Metrics?.find(({ MetricStat }: Properties) => MetricStat)?.MetricStat.Period ??
          of.Metrics?.[0].Period,
        metric: of.MetricName,
        expression: of.Metrics?.find(({ Expression }: Properties) => Expression)?.Expression,
        statistic: of.Statistic,
        missing: of.TreatMissingData,
      }),
    ),
    tasks: table(stack, 'AWS::ECS::TaskDefinition', byId, (of) => ({
      cpu: of.Cpu,
      MiB: of.Memory,
      stop: of.ContainerDefinitions[0].StopTimeout,
      readOnlyRoot: of.ContainerDefinitions[0].ReadonlyRootFilesystem,
    })),
    services: table(stack, 'AWS::ECS::Service', byId, (of) => ({
      count: of.DesiredCount,
      minPercent: of.DeploymentConfiguration.MinimumHealthyPercent,
      maxPercent: of.DeploymentConfiguration.MaximumPercent,
      grace: of.HealthCheckGracePeriodSeconds,
      providers: of.CapacityProviderStrategy?.map(
        ({ CapacityProvider, Base = 0, Weight }: Properties) => `${CapacityProvider} ${Base}+${Weight}`,
      ).join(),
    })),
    targets: table(stack, 'AWS::ElasticLoadBalancingV2::TargetGroup', byId, (of) => ({
      port: of.Port,
      interval: of.HealthCheckIntervalSeconds,
      timeout: of.HealthCheckTimeoutSeconds,
      healthy: of.HealthyThresholdCount,
      unhealthy: of.UnhealthyThresholdCount,
      path: of.HealthCheckPath,
      ...attributes(of.TargetGroupAttributes),
    })),
    balancers: table(stack, 'AWS::ElasticLoadBalancingV2::LoadBalancer', byId, (of) =>
      attributes(of.LoadBalancerAttributes),
    ),
    origins: origins(stack),
    lifecycle: lifecycle(stack),
    stages: table(stack, 'AWS::ApiGatewayV2::Stage', byId, (of) => of.DefaultRouteSettings),
    schedules: table(stack, 'AWS::Events::Rule', byId, ({ ScheduleExpression, Targets }) => ({
      rate: ScheduleExpression,
      retries: Targets[0].RetryPolicy.MaximumRetryAttempts,
    })),
    logs: table(stack, 'AWS::Logs::LogGroup', byId, (of) => ({ days: of.RetentionInDays })),
    tables: table(stack, 'AWS::DynamoDB::Table', byId, (of) => ({
      ...of.OnDemandThroughput,
      index: of.GlobalSecondaryIndexes?.[0].OnDemandThroughput,
    })),
    webFunctions: {
      ...table(stack, 'AWS::Lambda::WebFunctionRevision', byId, ({ ServiceConfig: of }) => ({
        seconds: of.TimeoutSeconds,
        streamMs: of.EnvironmentVariables.MAYFLY_STREAM_MAX_MS,
        concurrency: of.MaxConcurrencyPerEnvironment,
      })),
      ...table(stack, 'AWS::Lambda::WebFunctionEndpoint', byId, (of) => ({
        environments: of.ScalingConfig.MaxEnvironments,
        auth: of.AuthType,
        type: of.EndpointType,
      })),
    },
  }
}

function origins({ all }: Synthesised): Numbers {
  const [{ DistributionConfig }] = Object.values(all('AWS::CloudFront::Distribution')) as [Properties]
  const rows = (DistributionConfig.Origins as Properties[])
    .filter(({ S3OriginConfig }) => !S3OriginConfig)
    .map(({ DomainName, ConnectionAttempts, VpcOriginConfig: vpc, CustomOriginConfig: custom }) => [
      target(DomainName),
      defined({
        attempts: ConnectionAttempts,
        read: vpc?.OriginReadTimeout ?? custom?.OriginReadTimeout,
        keepAlive: vpc?.OriginKeepaliveTimeout ?? custom?.OriginKeepaliveTimeout,
      }),
    ])
  return Object.fromEntries(rows)
}

function lifecycle({ all }: Synthesised): Numbers {
  const [bucket] = Object.entries(all('AWS::S3::Bucket')).find(([id]) => id.includes('StorageMessages')) ?? []
  const rules = all('AWS::S3::Bucket')[bucket ?? '']?.LifecycleConfiguration.Rules as Properties[]
  const rows = rules.map((rule) => [
    `${rule.Prefix ?? 'all'}${rule.TagFilters ? ` tagged ${rule.TagFilters[0].Key}` : ''}`,
    defined({
      days: rule.ExpirationInDays,
      uploads: rule.AbortIncompleteMultipartUpload?.DaysAfterInitiation,
    }),
  ])
  return Object.fromEntries(rows)
}
