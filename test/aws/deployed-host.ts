import type { Host } from '../http/host.ts'
import { startDns } from '../support/dns-server.ts'
import { type DeployedStack, deployStack } from './deployed-stack.ts'
import { apiUpstream, startEdge, TEST_CLIENT } from './edge.ts'

const DOMAIN = 'mail.example.com'
const PRIVATE: [string, string] = ['one.private.example', 'two.private.example']
const DOMAIN_KEY = 'the key of both domains'

export interface DeployedHost extends Host {
  stack: DeployedStack
  /** URL of the stream service itself, without CloudFront. */
  task: string
}

/**
 * Deploys the stack and returns it as a host of the HTTP suite, with access to its parts.
 * @param env see deployStack
 */
export async function startDeployedHost(env?: Record<string, string>): Promise<DeployedHost> {
  const opened: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const end of opened.splice(0).reverse()) await end()
  }
  try {
    return await join(opened, close, env)
  } catch (error) {
    await close()
    throw error
  }
}

async function join(
  opened: (() => Promise<unknown>)[],
  close: () => Promise<void>,
  env?: Record<string, string>,
): Promise<DeployedHost> {
  const dns = await startDns()
  opened.push(dns.close)
  const config = { domains: [DOMAIN, ...PRIVATE].map((name) => ({ name })) }
  const stack = await deployStack(config, dns.address, env)
  opened.push(stack.close)
  const { cloud, template, outputs } = stack
  const mxHost = outputs.MxRecord!.split(' ')[1]!
  const task = await stack.startTask()
  opened.push(task.stop)
  const edge = await startEdge(template, (logicalId, isVpcOrigin) => {
    if (isVpcOrigin && logicalId === template.the('AWS::ElasticLoadBalancingV2::LoadBalancer').id) {
      return { hostname: '127.0.0.1', port: String(task.port), host: 'load-balancer' }
    }
    if (!isVpcOrigin && logicalId === template.the('AWS::ApiGatewayV2::Api').id)
      return apiUpstream(cloud, template)
    throw new Error(`nothing is known of the origin ${logicalId}`)
  })
  opened.push(edge.close)
  for (const name of PRIVATE) dns.set('TXT', `_mayfly.${name}`, [`key=${DOMAIN_KEY}`])
  // All domains are pending after the deployment, until the service asks SES again.
  for (const name of [DOMAIN, ...PRIVATE]) {
    dns.set('MX', name, [`10 ${mxHost}`])
    // The key proves the ownership of the private domains.
    const headers = { 'X-Domain-Key': DOMAIN_KEY }
    const answer = await fetch(`${edge.url}/api/domain/verify/${name}`, { headers })
    if (!answer.ok) throw new Error(`${name} was not verified: ${await answer.text()}`)
  }
  return {
    stack,
    task: `http://127.0.0.1:${task.port}`,
    url: edge.url,
    from: (ip: string) => ({ [TEST_CLIENT]: ip }),
    deliver: async (raw, recipients, mailFrom) => {
      await stack.receive(raw, recipients, { mailFrom })
    },
    domain: DOMAIN,
    privateDomains: PRIVATE,
    domainKey: DOMAIN_KEY,
    mxHost,
    smtp: null,
    dns,
    // SES verifies an identity some time after its creation.
    confirmsAtOnce: false,
    close,
  }
}
