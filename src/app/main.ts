/** Pakhus: configuration → database → server. The only file that knows everything. */
import { mkdir } from 'node:fs/promises'
import { errorOf, textIn } from '#domain/thrown.ts'
import { readConfig } from '#platform/config.ts'
import { migrate } from '#platform/database/migrate.ts'
import { startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { createApp } from './create-app.ts'
import { welcome } from './first-run.ts'

const say = (text: string) => void process.stdout.write(`${text}\n`)

let closing = false
let close = async (): Promise<void> => {}
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (closing) return
    closing = true
    say('Closing …')
    close().then(
      () => process.exit(0),
      error => {
        console.error(error)
        process.exit(1)
      },
    )
  })

try {
  const config = readConfig(process.env)
  await mkdir(config.data_dir, { recursive: true })
  const own = config.database_url ? undefined : await startPostgres({ dataDir: `${config.data_dir}/postgres`, log: say })
  close = async () => own?.stop()
  const url = config.database_url ?? (own?.near_url as string)
  await migrate(url)
  const building = await createApp(config, url)
  close = async () => {
    await building.close()
    await own?.stop()
  }
  const { host, text } = await welcome(building)
  await building.app.listen({ port: config.port, host })
  await building.startWorkers()
  const address = building.app.server.address()
  say(await text(typeof address === 'object' && address ? address.port : config.port))
} catch (error) {
  // A database of our own must not outlive a start that failed.
  const taken = textIn(error, 'code') === 'EADDRINUSE'
  const sentence = taken ? `Something else listens here already: ${textIn(error, 'message')}. Choose another PORT.` : errorOf(error).message
  // One line of JSON like the rest of the log, so that a collector reads it too.
  const line = { level: 60, time: new Date().toISOString(), error: taken ? undefined : errorOf(error).stack, msg: sentence }
  process.stderr.write(`${JSON.stringify(line)}\n`)
  await close().catch(() => undefined)
  process.exit(1)
}
