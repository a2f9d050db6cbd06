import { StoredSecret } from '../adapters/secretsmanager/secret.ts'
import { OperatorKeys } from '../core/access/api-keys.ts'
import { parseOperatorKeys } from '../core/access/operator-keys.ts'

/**
 * Reads the operator's API keys, comma-separated, from a secret. Call it once, outside of the
 * handler.
 *
 * @returns undefined if the deployment has no such secret
 * @throws Error if the secret cannot be read or has a malformed key; the message never contains a
 *   key
 */
export async function openOperatorKeys(arn: string | undefined): Promise<OperatorKeys | undefined> {
  if (arn === undefined) return undefined
  const text = await new StoredSecret(arn).current()
  try {
    return new OperatorKeys(parseOperatorKeys(text), Date.now())
  } catch (error) {
    throw new Error(`The secret ${arn} ${(error as Error).message}.`)
  }
}
