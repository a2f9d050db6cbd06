import type { Construct } from 'constructs'
import { ENV } from '../../adapters/aws/env.ts'
import type { ServiceCommon } from '../common.ts'
import type { Config } from '../config/resolved.ts'
import { SdkCalls } from '../sdk-calls.ts'
import { Network } from './network.ts'
import type { LiveTarget } from './origin.ts'
import { SseService } from './sse-service.ts'
import { Valkey } from './valkey.ts'
import { LiveWebFunction } from './web-function.ts'

/** The network of tasks, and the API calls that create it. */
export interface TaskNetwork {
  calls: SdkCalls
  network: Network
}

/** The program that serves streams, waits and MCP, with what alarms watch. */
export interface Live {
  target: LiveTarget
  sseService: SseService | undefined
  webFunction: LiveWebFunction | undefined
  valkey: Valkey | undefined
}

/** Creates the network of tasks; returns undefined if no program runs on Fargate. */
export function addNetwork(
  scope: Construct,
  { inbound, live, availabilityZones, vpc, tasks: { spot } }: Config,
): TaskNetwork | undefined {
  if (live !== 'fargate' && !inbound.includes('smtp')) return undefined
  const calls = SdkCalls.of(scope)
  return { calls, network: new Network(scope, 'Network', { availabilityZones, existing: vpc, calls, spot }) }
}

/** Creates the stream service, on Fargate or as a web function. */
export function addLive(scope: Construct, service: ServiceCommon, tasks: TaskNetwork | undefined): Live {
  const { config, storage, handlers, name } = service
  const environment = { ...service.environment, [ENV.stackName]: name }
  if (config.live === 'web-function' || tasks === undefined) {
    const { logRetentionDays, throttle } = config
    const { requestsPerSecond } = throttle
    const settings = { ...service, environment, logRetentionDays, requestsPerSecond }
    const webFunction = new LiveWebFunction(scope, 'Sse', settings)
    return { target: { webFunction }, webFunction, sseService: undefined, valkey: undefined }
  }
  const { network, calls } = tasks
  const valkey =
    config.fanOut === 'valkey' ? new Valkey(scope, 'Valkey', { storage, network, handlers }) : undefined
  const prefixList = calls.edgePrefixList()
  const sseService = new SseService(scope, 'Sse', { ...service, network, environment, valkey, prefixList })
  return { target: { sseService, network }, sseService, webFunction: undefined, valkey }
}
