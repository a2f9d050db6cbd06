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

  create(provider: string, template: StoredTemplate): Promise<TemplateSaved> {
    return this.#commands.createTemplate(provider, template)
  }

  replace(provider: string, name: string, content: string): Promise<TemplateSaved> {
    return this.#commands.replaceTemplate(provider, name, content)
  }

  async find(provider: string, name: string): Promise<StoredTemplate | undefined> {
    const row = this.#db.get<StoredTemplate>(
      `SELECT ${COLUMNS} FROM email_templates WHERE provider = ? AND name = ?`,
      provider,
      name,
    )
    return row && { ...row }
  }

  async list(provider: string, after: string, limit: number): Promise<StoredTemplate[]> {
    const rows = this.#db.all<StoredTemplate>(
      `SELECT ${COLUMNS} FROM email_templates WHERE provider = ? AND name > ? ORDER BY name LIMIT ?`,
      provider,
      after,
      limit,
    )
    return rows.map((row) => ({ ...row }))
  }

  remove(provider: string, name: string): Promise<boolean> {
    return this.#commands.removeTemplate(provider, name)
  }
}

/** Commands that change templates. */
export const templateCommands = {
  createTemplate(
    { db }: Transaction,
    provider: string,
    { name, content, createdAt }: StoredTemplate,
  ): TemplateSaved {
    if (exists(db, provider, name)) return 'exists'
    if (!hasRoom(db, provider, name, content)) return 'full'
    db.run(
      'INSERT INTO email_templates (provider, name, content, size, created_at) VALUES (?, ?, ?, ?, ?)',
      provider,
      name,
      content,
      Buffer.byteLength(content),
      createdAt,
    )
    return 'saved'
  },

  replaceTemplate({ db }: Transaction, provider: string, name: string, content: string): TemplateSaved {
    if (!exists(db, provider, name)) return 'missing'
    if (!hasRoom(db, provider, name, content)) return 'full'
    db.run(
      'UPDATE email_templates SET content = ?, size = ? WHERE provider = ? AND name = ?',
      content,
      Buffer.byteLength(content),
      provider,
      name,
    )
    return 'saved'
  },

  removeTemplate({ db }: Transaction, provider: string, name: string): boolean {
    return db.run('DELETE FROM email_templates WHERE provider = ? AND name = ?', provider, name).changes > 0
  },
} satisfies CommandSet

function exists(db: Database, provider: string, name: string): boolean {
  return (
    db.get('SELECT 1 AS found FROM email_templates WHERE provider = ? AND name = ?', provider, name) !==
    undefined
  )
}

/** Whether the store has room for this content, apart from the template that it replaces. */
function hasRoom(db: Database, provider: string, name: string, content: string): boolean {
  const { count, bytes } = db.get<{ count: number; bytes: number }>(
    `SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM email_templates
     WHERE NOT (provider = ? AND name = ?)`,
    provider,
    name,
  )!
  return count < TEMPLATES_MAX && bytes + Buffer.byteLength(content) <= TEMPLATES_BYTES
}
