import {
  GetSecretValueCommand,
  ResourceNotFoundException,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'

/** Staging labels (docs.aws.amazon.com/secretsmanager/latest/userguide/whats-in-a-secret.html). */
type Stage = 'AWSCURRENT' | 'AWSPREVIOUS'

/**
 * A secret in Secrets Manager. The program reads it itself, so no environment variable contains it.
 */
export class StoredSecret {
  readonly #client: SecretsManagerClient
  readonly #arn: string

  constructor(arn: string, client = secretsClient()) {
    this.#client = client
    this.#arn = arn
  }

  /** @throws Error that names the secret and what is wrong */
  current(): Promise<string> {
    return this.#read('AWSCURRENT')
  }

  /**
   * Returns the current value and the previous one, if it exists: during a rotation, both are in
   * use.
   * @throws Error that names the secret and what is wrong
   */
  async values(): Promise<string[]> {
    const [current, previous] = await Promise.all([
      this.current(),
      this.#read('AWSPREVIOUS').catch((error: Error) => {
        if (error.cause instanceof ResourceNotFoundException) return undefined
        throw error
      }),
    ])
    return previous === undefined ? [current] : [current, previous]
  }

  async #read(VersionStage: Stage): Promise<string> {
    try {
      const command = new GetSecretValueCommand({ SecretId: this.#arn, VersionStage })
      const { SecretString } = await this.#client.send(command)
      if (SecretString === undefined) throw new Error('its value is no text')
      return SecretString
    } catch (cause) {
      const { name, message } = cause as Error
      // Lambda logs no cause.
      throw new Error(`the secret ${this.#arn} cannot be read: ${name}: ${message}`, { cause })
    }
  }
}

/**
 * A function has 10 s for its start
 * (docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html).
 */
function secretsClient(): SecretsManagerClient {
  return new SecretsManagerClient({
    requestHandler: { connectionTimeout: 1000, requestTimeout: 2000, throwOnRequestTimeout: true },
    maxAttempts: 3,
  })
}
