import { DatabaseSync } from 'node:sqlite'
import { expect, test } from '@jest/globals'
import { MIGRATIONS, migrate } from '../../../adapters/sqlite/migrations.ts'
import { storedNames } from '../../support/glossary.ts'

test('every column has a name of the glossary', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db, MIGRATIONS)
  const columns = db
    .prepare(
      `SELECT DISTINCT c.name FROM sqlite_schema t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' ORDER BY c.name`,
    )
    .all()
  expect(columns.map(({ name }) => name)).toEqual(storedNames('SQLite'))
  db.close()
})
