import {
  CreateSecretCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { StoredSecret } from '../../../adapters/secretsmanager/secret.ts'
import { describeOnEmulator, EMULATED, type Emulator, startEmulator } from '../../aws/emulator.ts'

describeOnEmulator('a secret of Secrets Manager', () => {
  let emulator: Emulator
  let client: SecretsManagerClient

  beforeAll(async () => {
    emulator = await startEmulator()
    client = new SecretsManagerClient({ ...EMULATED, endpoint: emulator.endpoint, maxAttempts: 1 })
  })
  afterAll(async () => {
    client?.destroy()
    await emulator?.stop()
  })

  test('has its value and, after a rotation, the previous one too', async () => {
    const { ARN } = await client.send(new CreateSecretCommand({ Name: 'rotated', SecretString: 'first' }))
    const secret = new StoredSecret(ARN!, client)
    expect(await secret.values()).toEqual(['first'])
    for (const SecretString of ['second', 'third'])
      await client.send(new PutSecretValueCommand({ SecretId: ARN!, SecretString }))
    expect(await secret.values()).toEqual(['third', 'second'])
    expect(await secret.current()).toBe('third')
  })

  test('an error names the secret and the reason, and no value', async () => {
    const { ARN } = await client.send(
      new CreateSecretCommand({ Name: 'binary', SecretBinary: Buffer.from('bytes') }),
    )
    await expect(new StoredSecret(ARN!, client).values()).rejects.toThrow(
      `the secret ${ARN} cannot be read: Error: its value is no text`,
    )
    const none = ARN!.replace('binary', 'nothing')
    await expect(new StoredSecret(none, client).values()).rejects.toThrow(
      `the secret ${none} cannot be read: ResourceNotFoundException: `,
    )
  })
})
