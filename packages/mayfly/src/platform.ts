/** This Node has no SQLite. The message is a sentence for the user. */
export class NodeVersionError extends Error {
  override name = 'NodeVersionError'

  constructor() {
    super(`The service needs Node 22.13 or newer, for its SQLite; this is ${process.version}.`)
  }
}

/**
 * Loads modules that import Node's SQLite, without the warning that Node 22 prints about it at
 * every start.
 *
 * @param load imports the modules
 * @throws NodeVersionError in a Node without SQLite
 */
export async function withSqlite<T>(load: () => Promise<T>): Promise<T> {
  const { emitWarning } = process
  process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
    if (String(warning).includes('SQLite is an experimental')) return
    Reflect.apply(emitWarning, process, [warning, ...rest])
  }) as typeof process.emitWarning
  try {
    if (process.getBuiltinModule?.('node:sqlite') === undefined) {
      throw new NodeVersionError()
    }
    return await load()
  } finally {
    process.emitWarning = emitWarning
  }
}
