import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { listening } from './http-server.ts'

export interface TestSecrets {
  /** For `AWS_ENDPOINT_URL_SECRETS_MANAGER`. */
  url: string
  /** The values by ARN, the newest first; assign them again to rotate one. */
  values: Map<string, string[]>
  /** How often a secret was read. */
  readonly reads: number
  close(): Promise<void>
}

/**
 * The part of Secrets Manager that reading needs (API_GetSecretValue), for programs that run
 * without the emulator.
 */
export async function startSecrets(initial: Record<string, string[]> = {}): Promise<TestSecrets> {
  const values = new Map(Object.entries(initial))
  let reads = 0
  const server = createServer(async (request, response) => {
    const { SecretId, VersionStage } = (await json(request)) as { SecretId: string; VersionStage: string }
    reads++
    const SecretString = values.get(SecretId)?.[VersionStage === 'AWSPREVIOUS' ? 1 : 0]
    response.statusCode = SecretString === undefined ? 400 : 200
    response.setHeader('Content-Type', 'application/x-amz-json-1.1')
    response.end(
      JSON.stringify(
        SecretString === undefined
          ? { __type: 'ResourceNotFoundException', Message: `there is no ${VersionStage} of it` }
          : { ARN: SecretId, SecretString },
      ),
    )
  })
  return {
    ...(await listening(server)),
    values,
    get reads() {
      return reads
    },
  }
}
