/** Makes the demo operator in an empty database; refuses one that has companies. */

import { createApp } from '../src/app/create-app.ts'
import { seedDemo } from '../src/app/demo/demo.ts'
import { readConfig } from '../src/platform/config.ts'
import { migrate } from '../src/platform/database/migrate.ts'
import { startPostgres } from '../src/platform/postgres/embedded-postgres.ts'

const config = readConfig(process.env)
const own = config.database_url ? undefined : await startPostgres({ dataDir: `${config.data_dir}/postgres`, log: console.log })
const url = config.database_url ?? (own?.url as string)
await migrate(url)
const building = await createApp(config, url)
try {
  await seedDemo(building.services)
  console.log('The demo operator is there')
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  await building.close()
  if (!own?.adopted) await own?.stop()
}
