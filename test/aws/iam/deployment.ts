import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listening } from '../../support/http-server.ts'
import type { CustomResource } from './policies.ts'
import type { RunningFunction } from './running.ts'
import { DOMAIN, PRIVATE_DOMAIN, type World } from './world.ts'

/** Creates, updates and deletes each custom resource of a function, as CloudFormation does. */
export async function deployWith(
  custom: RunningFunction,
  { customResources, world }: { customResources: CustomResource[]; world: World },
): Promise<void> {
  const answers: string[] = []
  const server = await listening(
    createServer(async (request, response) => {
      if (request.method === 'PUT') answers.push(await text(request))
      response.end()
    }),
  )
  try {
    for (const resource of customResources) {
      const ResourceProperties = await prepared(resource, world, server.url)
      for (const RequestType of ['Create', 'Update', 'Delete'])
        await custom.invoke({
          RequestType,
          ResponseURL: server.url,
          StackId: world.stackId,
          RequestId: '1',
          LogicalResourceId: resource.type,
          ResourceProperties,
          ...(RequestType === 'Update' && { OldResourceProperties: ResourceProperties }),
        })
    }
  } finally {
    await server.close()
  }
  const failed = answers.filter((answer) => !answer.includes('"SUCCESS"'))
  if (failed.length > 0 || answers.length !== 3 * customResources.length) throw new Error(answers.join('\n'))
}

/** Makes what the custom resource needs, and returns its properties. */
async function prepared(
  { type, properties }: CustomResource,
  world: World,
  url: string,
): Promise<Record<string, unknown>> {
  if (type === 'Custom::MayflyObjects') await world.putObject(properties.bucket as string)
  if (type === 'Custom::MayflyEndpointCheck') return { ...properties, url }
  if (type !== 'Custom::MayflySetup') return properties
  if (properties.ruleSet !== '') await world.createRuleSet(properties.ruleSet as string, [])
  // Another rule set is active, which the deployment takes over and gives back.
  await world.activateTheirs()
  return { ...properties, takeOver: 'true', domains: [DOMAIN, PRIVATE_DOMAIN, 'setup.example'] }
}
