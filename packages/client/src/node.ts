import { KeyFile, keyFilePath } from './key-file.ts'
import type { KeyStore } from './keys.ts'
import { Mayfly as PortableMayfly } from './mayfly.ts'

export * from './index.ts'

const keyFile = new KeyFile(keyFilePath())

/**
 * A Mayfly service. A key that the client creates is kept in a file of the user, for other
 * processes and runs.
 *
 * @example
 * const mayfly = new Mayfly({ url: 'http://127.0.0.1:8025' })
 * await using inbox = await mayfly.inbox()
 * await signUp(inbox.address)
 * const code = await inbox.waitForCode()
 */
export class Mayfly extends PortableMayfly {
  /** @internal */
  protected override get keyStore(): KeyStore {
    return keyFile
  }
}
