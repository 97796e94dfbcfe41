/** `npm run admin -- COMMAND`: works beside a running server and without one. */
import { AdminError, runAdmin } from '../src/app/admin.ts'
import { createApp } from '../src/app/create-app.ts'
import { textIn } from '../src/domain/thrown.ts'
import { readConfig } from '../src/platform/config.ts'
import { startPostgres } from '../src/platform/postgres/embedded-postgres.ts'

const config = readConfig(process.env)
const own = config.database_url ? undefined : await startPostgres({ dataDir: `${config.data_dir}/postgres`, log: () => undefined })
const url = config.database_url ?? own?.url ?? ''
const building = await createApp(config, url).catch(async error => {
  // Its roles come with the first migration.
  const missing = textIn(error, 'code') === '42704'
  console.error(missing ? 'This database is not set up yet: start Pakhus once.' : error)
  await own?.stop()
  process.exit(1)
})
try {
  console.log(await runAdmin(building.services, process.argv.slice(2), url))
} catch (error) {
  console.error(error instanceof AdminError ? error.message : error)
  process.exitCode = 1
} finally {
  await building.close()
  // A database that another Pakhus uses is left running; what watches it here would keep this process alive.
  await own?.stop()
}
