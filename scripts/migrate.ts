/** Brings the database of DATABASE_URL, or the own one in DATA_DIR, up to date. */
import { readConfig } from '../src/platform/config.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { startPostgres } from '../src/platform/postgres/embedded-postgres.ts'

const config = readConfig(process.env)
const own = config.database_url ? undefined : await startPostgres({ dataDir: `${config.data_dir}/postgres`, log: console.log })
try {
  const applied = await migrate(config.database_url ?? (own?.url as string))
  console.log(applied.length ? `Applied ${applied.join(', ')}` : 'Nothing to apply')
} finally {
  // One that a running server had started already is left to it.
  if (!own?.adopted) await own?.stop()
}
