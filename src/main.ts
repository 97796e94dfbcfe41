/** Pakhus: configuration → database → server. The only file that knows everything. */
import { mkdir } from 'node:fs/promises'
import { readConfig } from '#server/config.ts'
import { build } from '#server/house.ts'
import { migrate } from '#server/migrate.ts'
import { startPostgres } from '#server/postgres.ts'
import { welcome } from './welcome.ts'

const say = (text: string) => void process.stdout.write(`${text}\n`)

const config = readConfig(process.env)
await mkdir(config.data_dir, { recursive: true })
const own = config.database_url ? undefined : await startPostgres({ dataDir: `${config.data_dir}/postgres`, log: say })
const url = config.database_url ?? (own?.url as string)
await migrate(url)
const building = await build(config, url)
const { host, text } = await welcome(building)
await building.app.listen({ port: config.port, host })
await building.startWork()
const address = building.app.server.address()
say(await text(typeof address === 'object' && address ? address.port : config.port))

let closing = false
async function close(): Promise<void> {
  if (closing) return
  closing = true
  say('Closing …')
  await building.close()
  await own?.stop()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    close().then(
      () => process.exit(0),
      error => {
        console.error(error)
        process.exit(1)
      },
    )
  })
