import { StoredSecret } from '../adapters/secretsmanager/secret.ts'
import { OperatorKeys } from '../core/access/api-keys.ts'

/** The contract's form of an operator's key. */
const KEY = /^[A-Za-z0-9_-]{16,200}$/

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
  const keys = (await new StoredSecret(arn).current())
    .split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '')
  const malformed = keys.findIndex((key) => !KEY.test(key))
  if (malformed !== -1) {
    throw new Error(
      `key ${malformed + 1} in the secret ${arn} must have 16 to 200 characters of [A-Za-z0-9_-]`,
    )
  }
  return new OperatorKeys(keys, Date.now())
}
