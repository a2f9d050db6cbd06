import { FileKeeper } from './key-file.ts'
import type { KeyKeeper } from './keys.ts'
import { Mayfly as AnyMayfly } from './mayfly.ts'

export * from './index.ts'

const fileKeeper = new FileKeeper()

/** A Mayfly service, from a program: a key that was taken is kept in a file. */
export class Mayfly extends AnyMayfly {
  protected override get keeper(): KeyKeeper {
    return fileKeeper
  }
}
