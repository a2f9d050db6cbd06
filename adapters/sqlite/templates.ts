import type { EmailTemplates, StoredTemplate, TemplateSaved } from '../../core/inbox/templates.ts'
import { TEMPLATES_BYTES, TEMPLATES_MAX } from '../../core/limits.ts'
import type { Database } from './database.ts'
import type { CommandSet, Committed, Transaction } from './transaction.ts'

type Commands = Committed<typeof templateCommands>

const COLUMNS = 'name, content, created_at AS createdAt'

export class SqliteTemplates implements EmailTemplates {
  readonly #db: Database
  readonly #commands: Commands

  constructor(db: Database, commands: Commands) {
    this.#db = db
    this.#commands = commands
  }

  create(scope: string, template: StoredTemplate): Promise<TemplateSaved> {
    return this.#commands.createTemplate(scope, template)
  }

  replace(scope: string, name: string, content: string): Promise<TemplateSaved> {
    return this.#commands.replaceTemplate(scope, name, content)
  }

  async find(scope: string, name: string): Promise<StoredTemplate | undefined> {
    return this.#db.get<StoredTemplate>(
      `SELECT ${COLUMNS} FROM email_templates WHERE scope = ? AND name = ?`,
      scope,
      name,
    )
  }

  async list(scope: string, after: string, limit: number): Promise<StoredTemplate[]> {
    return this.#db.all<StoredTemplate>(
      `SELECT ${COLUMNS} FROM email_templates WHERE scope = ? AND name > ? ORDER BY name LIMIT ?`,
      scope,
      after,
      limit,
    )
  }

  remove(scope: string, name: string): Promise<boolean> {
    return this.#commands.removeTemplate(scope, name)
  }
}

/** Commands that change templates. */
export const templateCommands = {
  createTemplate(
    { db }: Transaction,
    scope: string,
    { name, content, createdAt }: StoredTemplate,
  ): TemplateSaved {
    if (exists(db, scope, name)) return 'exists'
    if (!hasRoom(db, scope, name, content)) return 'full'
    db.run(
      'INSERT INTO email_templates (scope, name, content, size, created_at) VALUES (?, ?, ?, ?, ?)',
      scope,
      name,
      content,
      Buffer.byteLength(content),
      createdAt,
    )
    return 'saved'
  },

  replaceTemplate({ db }: Transaction, scope: string, name: string, content: string): TemplateSaved {
    if (!exists(db, scope, name)) return 'missing'
    if (!hasRoom(db, scope, name, content)) return 'full'
    db.run(
      'UPDATE email_templates SET content = ?, size = ? WHERE scope = ? AND name = ?',
      content,
      Buffer.byteLength(content),
      scope,
      name,
    )
    return 'saved'
  },

  removeTemplate({ db }: Transaction, scope: string, name: string): boolean {
    return db.run('DELETE FROM email_templates WHERE scope = ? AND name = ?', scope, name).changes > 0
  },
} satisfies CommandSet

function exists(db: Database, scope: string, name: string): boolean {
  return (
    db.get('SELECT 1 AS found FROM email_templates WHERE scope = ? AND name = ?', scope, name) !== undefined
  )
}

/** Whether the store has room for this content, apart from the template that it replaces. */
function hasRoom(db: Database, scope: string, name: string, content: string): boolean {
  const { count, bytes } = db.get<{ count: number; bytes: number }>(
    `SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM email_templates
     WHERE NOT (scope = ? AND name = ?)`,
    scope,
    name,
  )!
  return count < TEMPLATES_MAX && bytes + Buffer.byteLength(content) <= TEMPLATES_BYTES
}
