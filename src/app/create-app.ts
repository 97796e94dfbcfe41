/** Builds the app: database, files, keys, queue and live notices, then the server on top. Tests and main build it alike. */
import type { FastifyInstance } from 'fastify'
import { createAdmission } from '#platform/admission/admission.ts'
import { anonymous, createIdentityResolver, type IdentityResolver } from '#platform/auth/identity.ts'
import { type CacheFigures, cacheFigures, emptyByNotice, sumCacheFigures } from '#platform/caches/caches.ts'
import type { Config } from '#platform/config.ts'
import { createVault, readPersonalKey, readSecretKey } from '#platform/crypto/vault.ts'
import { type Database, openDatabase } from '#platform/database/database.ts'
import { requestUrl } from '#platform/database/login-role.ts'
import { openFiles } from '#platform/files/file-store.ts'
import { addApiDocs } from '#platform/http/api-docs.ts'
import { createContext } from '#platform/http/context.ts'
import { collectSubscribers } from '#platform/http/event-subscriptions.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { createHttpServer } from '#platform/http/http-server.ts'
import { addStaticFiles } from '#platform/http/static-files.ts'
import { openJobQueue } from '#platform/jobs/job-queue.ts'
import { startScheduler } from '#platform/jobs/scheduler.ts'
import { createLimitCounters, type SharedLimits } from '#platform/limits/shared-limits.ts'
import { openChangeNotifier } from '#platform/notifications/change-notifier.ts'
import { addHealthRoutes } from '#platform/observability/health.routes.ts'
import { addMetricsRoute, createMetrics, type ProcessMetrics } from '#platform/observability/metrics.ts'
import { openLog } from '#platform/processes/log.ts'
import { type ProcessRole, shareOf } from '#platform/processes/process-share.ts'
import { features, publicRoutes, schedules, tasks } from './features.ts'
import { processGauges, systemGauges } from './gauges.ts'
import { publishedEvents } from './webhook-objects.ts'

export interface App {
  services: Services
  identities: IdentityResolver
  app: FastifyInstance
  /** Begins to take up queued work and to make the rounds. */
  startWorkers(): Promise<void>
  /** The metrics of this process. */
  metrics(): Promise<ProcessMetrics>
  /** Takes no new requests, ends what runs, leaves nothing open. */
  close(): Promise<void>
}

interface AppOptions {
  /** What this process does of the server's work. */
  role?: ProcessRole
  /** The limits that this process shares with others. */
  limits?: SharedLimits
  /** The metrics of all processes; without it there is this one alone. */
  allMetrics?: () => Promise<ProcessMetrics[]>
  /** What all processes remember; without it there is this one alone. */
  allCaches?: (operator_id: number) => Promise<CacheFigures[][]>
  now?: () => Date
  /** Stands between the app and its database: a simulation fails there. */
  through?: (database: Database) => Database
  /** Milliseconds after which a database that says nothing is given up. */
  patience?: number
}

export async function createApp(
  config: Config,
  url: string,
  {
    role = 'both',
    limits = createLimitCounters().of(process.pid),
    allMetrics,
    allCaches,
    now = () => new Date(),
    through = database => database,
    patience,
  }: AppOptions = {},
): Promise<App> {
  const log = openLog(config)
  const share = shareOf(role, config.workers)
  const trouble = (error: Error) => log.warn({ error: error.message }, 'the database connection broke')
  const database = through(
    openDatabase(await requestUrl(url), { ...share, onError: trouble, ownerUrl: url, ...(patience && { patience }) }),
  )
  try {
    await database.verifyRowLevelSecurity()
  } catch (error) {
    await database.close()
    throw error
  }
  const notifier = await openChangeNotifier(url, trouble)
  const queue = openJobQueue(url)
  const ending = new AbortController()
  const metrics = createMetrics(role)
  const services: Services = {
    config,
    database,
    files: openFiles(config),
    vault: createVault(await readSecretKey(config.secret_key, config.data_dir)),
    personalVault: createVault(await readPersonalKey(config.personal_key, config.data_dir)),
    notifier,
    limits,
    admission: createAdmission({ ...share, onBegin: metrics.observeWait }),
    subscribers: collectSubscribers(features),
    eventSteps: features.flatMap(feature => feature.eventSteps ?? []),
    now,
    log,
    demo: { logins: [] },
    cacheFigures: async operator_id => sumCacheFigures((await allCaches?.(operator_id)) ?? [cacheFigures(operator_id)]),
    closing: ending.signal,
  }
  const people = createIdentityResolver(database)
  notifier.subscribe(({ topic, id, operator_id }) => {
    if (topic === 'people') people.clear()
    if (topic === 'cache' && id !== undefined) emptyByNotice(id, operator_id)
  }, people.clear)
  metrics.watch(services.admission)
  metrics.addGauges('process', processGauges, services)
  metrics.addGauges('system', systemGauges, services)
  const app = createHttpServer(services, people, features, metrics.observe)
  addHealthRoutes(app, services)
  addMetricsRoute(app, metrics, allMetrics ?? (async () => [await metrics.registry.getMetricsAsJSON()]), config.metrics_token)
  const calls = features.flatMap(feature => Object.values(feature.calls))
  await addApiDocs(app, { calls, events: publishedEvents, version: config.version, baseDomain: config.base_domain })
  await addStaticFiles(app, services, people)
  for (const open of publicRoutes) open(app, services)
  await app.ready()
  let stopRounds = async () => {}
  return {
    services,
    identities: people,
    app,
    async startWorkers() {
      await queue.start(services, tasks, (origin, workClass) => {
        const company = {
          operator_id: origin.operator_id,
          id: origin.company_id,
          code: '',
          name: '',
          is_main: origin.companies.length > 1,
          packing_ip_pattern: '',
        }
        const person = { ...anonymous(company), id: origin.user_id, name: origin.user_name, operatorCompanies: origin.companies }
        const scope = { operator_id: origin.operator_id, company_id: origin.company_id, companies: origin.companies }
        return createContext(services, person, scope, {
          ip: '',
          station: origin.station,
          headers: {},
          signal: ending.signal,
          // Long work takes turns with that of other companies, and waits for scans, at each of its transactions.
          inTurn: transaction => services.admission.step({ kind: 'user', company }, workClass, transaction),
        })
      })
      stopRounds = startScheduler(services, schedules)
    },
    metrics: () => metrics.registry.getMetricsAsJSON(),
    async close() {
      ending.abort()
      await stopRounds()
      await app.close()
      await queue.stop()
      await notifier.close()
      await database.close()
    },
  }
}
