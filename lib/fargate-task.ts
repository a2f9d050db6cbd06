import { join } from 'node:path'
import { type Duration, RemovalPolicy, Validations } from 'aws-cdk-lib'
import {
  CpuArchitecture,
  FargateTaskDefinition,
  LogDrivers,
  OperatingSystemFamily,
} from 'aws-cdk-lib/aws-ecs'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import type { Service } from './bundling/names.ts'
import { containerImage } from './image.ts'
import type { Tasks } from './props.ts'

export interface FargateTaskProps {
  program: Service
  bundles: string
  /** A prebuilt image instead of one that Docker builds at the deployment. */
  image: string | undefined
  tasks: Tasks
  logRetentionDays: number
  port: number
  /** From SIGTERM to SIGKILL. */
  stopTimeout: Duration
  environment: Record<string, string>
}

/** A task of one container: a program of this project on arm64, with a log group that forgets. */
export function fargateTask(scope: Construct, props: FargateTaskProps): FargateTaskDefinition {
  const { program, bundles, image, tasks, port } = props
  const task = new FargateTaskDefinition(scope, 'Task', {
    cpu: tasks.cpu,
    memoryLimitMiB: tasks.memoryMiB,
    runtimePlatform: {
      cpuArchitecture: CpuArchitecture.ARM64,
      operatingSystemFamily: OperatingSystemFamily.LINUX,
    },
  })
  task.addContainer(program, {
    image: containerImage(scope, { folder: join(bundles, program), image }),
    environment: props.environment,
    portMappings: [{ containerPort: port }],
    readonlyRootFilesystem: true,
    stopTimeout: props.stopTimeout,
    logging: LogDrivers.awsLogs({
      streamPrefix: program,
      logGroup: new LogGroup(scope, 'Logs', {
        retention: props.logRetentionDays,
        removalPolicy: RemovalPolicy.DESTROY,
      }),
    }),
  })
  Validations.of(task).acknowledge(
    {
      id: 'AwsSolutions-ECS2',
      reason: 'Names of resources, no secrets: a program reads those by itself.',
    },
    {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'The execution role pulls the image: ecr:GetAuthorizationToken takes no resource.',
    },
  )
  return task
}
