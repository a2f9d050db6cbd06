import { OriginSecret } from '../adapters/cloudfront/origin-secret.ts'
import { StoredSecret } from '../adapters/secretsmanager/secret.ts'

/**
 * Reads the origin secret. Call it once, outside of the handler.
 * @throws Error if it cannot be read
 */
export async function openOriginSecret(arn: string): Promise<OriginSecret> {
  return new OriginSecret(await new StoredSecret(arn).values())
}
