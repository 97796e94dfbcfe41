/** Building the house: database, files, keys, queue and live notices, then the server on top. Tests and main build it alike. */
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { addApiPage } from '#platform/http/api-docs.ts'
import { aroundOf, makeApp } from '#platform/http/http-server.ts'
import type { Config } from '#platform/config.ts'
import { openDatabase } from '#platform/database/database.ts'
import { openFiles } from '#platform/files/file-store.ts'
import { keeperOf, readSecretKey } from '#platform/crypto/vault.ts'
import { openLive } from '#platform/notifications/change-notifier.ts'
import { knowPeople, nobody, type People } from '#platform/auth/identity.ts'
import { openQueue } from '#platform/jobs/job-queue.ts'
import { makeRounds } from '#platform/jobs/scheduler.ts'
import type { House } from '#platform/http/feature-module.ts'
import { doors, rounds, slices, tasks } from './features.ts'
import { addVitals, makeVitals } from '#platform/observability/health.routes.ts'
import { addWeb } from '#platform/http/static-files.ts'

export interface Building {
  house: House
  people: People
  app: FastifyInstance
  /** Begins to take up queued work and to make the rounds. */
  startWork(): Promise<void>
  /** Takes no new requests, ends what runs, leaves nothing open. */
  close(): Promise<void>
}

export async function build(config: Config, url: string, clock: () => Date = () => new Date()): Promise<Building> {
  const log = pino(
    { level: config.log_level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime, redact: ['token', 'password', 'authorization'] },
    pino.destination({ dest: 2, sync: false }),
  )
  const trouble = (error: Error) => log.warn({ error: error.message }, 'the database connection broke')
  const database = openDatabase(url, { onError: trouble })
  try {
    await database.checkWalls()
  } catch (error) {
    await database.close()
    throw error
  }
  const live = await openLive(url, trouble)
  const queue = openQueue(url)
  const ending = new AbortController()
  const house: House = {
    config,
    database,
    files: openFiles(config),
    keeper: keeperOf(await readSecretKey(config.secret_key, config.data_dir)),
    live,
    queue,
    now: clock,
    log: {
      info: (about, text) => log.info(about, text),
      warn: (about, text) => log.warn(about, text),
      error: (about, text) => log.error(about, text),
    },
    demo: { logins: [] },
    closing: ending.signal,
  }
  const people = knowPeople(database)
  live.listen(({ topic }) => {
    if (topic === 'people') people.forget()
  }, people.forget)
  const vitals = makeVitals()
  const app = makeApp(house, people, slices, vitals.observe)
  addVitals(app, house, vitals)
  await addApiPage(app, config.base_domain)
  await addWeb(app, house, people)
  for (const open of doors) open(app, house)
  await app.ready()
  let stopRounds = async () => {}
  return {
    house,
    people,
    app,
    async startWork() {
      await queue.start(house, tasks, carried => {
        const company = {
          operator_id: carried.operator_id,
          id: carried.company_id,
          code: '',
          name: '',
          is_main: carried.companies.length > 1,
          packing_ip_pattern: '',
        }
        const person = { ...nobody(company), id: carried.user_id, name: carried.user_name, siblings: carried.companies }
        const scope = { operator_id: carried.operator_id, company_id: carried.company_id, companies: carried.companies }
        return aroundOf(house, person, scope, { ip: '', station: carried.station, headers: {}, signal: ending.signal })
      })
      stopRounds = makeRounds(house, rounds)
    },
    async close() {
      ending.abort()
      await stopRounds()
      await app.close()
      await queue.stop()
      await live.close()
      await database.close()
    },
  }
}
