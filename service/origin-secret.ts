import { OriginSecret } from '../adapters/cloudfront/origin-secret.ts'
import { StoredSecret } from '../adapters/secretsmanager/secret.ts'
import { log } from './aws-log.ts'

/** Reads the origin secret. To be called once, outside of the handler. @throws Error when it cannot be read */
export function openOriginSecret(arn: string): Promise<OriginSecret> {
  return OriginSecret.open({
    kept: new StoredSecret(arn),
    clock: Date.now,
    report: (error) => log('warn', 'the origin secret was not read again', { error }),
  })
}
