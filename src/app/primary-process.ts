/** The primary process: starts the database, then the processes that answer calls and the one for jobs, and ends them in order. */
import cluster, { type Worker } from 'node:cluster'
import { mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { errorOf, textIn } from '#domain/thrown.ts'
import { type Config, readConfig } from '#platform/config.ts'
import { migrate } from '#platform/database/migrate.ts'
import { requireOwnSessions } from '#platform/database/session-settings.ts'
import { createLimitCounters } from '#platform/limits/shared-limits.ts'
import type { ProcessMetrics } from '#platform/observability/metrics.ts'
import { createPrimaryMetrics } from '#platform/observability/primary-metrics.ts'
import { type EmbeddedPostgres, startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { heapFlags } from '#platform/processes/heap-flags.ts'
import { type KeptProcess, keepProcess } from '#platform/processes/kept-process.ts'
import { type Log, openLog } from '#platform/processes/log.ts'
import { openProcessChannel, type ProcessChannel } from '#platform/processes/process-channel.ts'
import { connectionsOf } from '#platform/processes/process-share.ts'
import type { PrimaryAnswers, ServerProcessAnswers } from './process-answers.ts'

/** Milliseconds in which running requests end, and then running jobs: together less than service managers wait. */
const requestPatience = 15_000
const jobPatience = 10_000
/** Milliseconds in which a process answers with its figures; those of one that is busy for longer are left out. */
const answerPatience = 3_000

const say = (text: string) => void process.stdout.write(`${text}\n`)

/** Called once; `program` is the file that the other processes run. */
export async function runPrimaryProcess(program: string): Promise<void> {
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
    const { url, stop } = await openOrStartDatabase(config)
    close = stop
    if (config.database_url) await requireOwnSessions(url)
    await migrate(url)
    const log = openLog(config)
    await checkConnections(config, url, log)
    if (closing) return
    const server = startProcesses(config, url, program, log)
    close = async () => {
      await server.stop()
      await stop()
    }
    say(await server.started)
  } catch (error) {
    if (closing) return
    // Nothing that was started may outlive a start that failed.
    const taken = textIn(error, 'code') === 'EADDRINUSE'
    const sentence = taken
      ? `Something else listens here already: ${textIn(error, 'message')}. Choose another PORT.`
      : errorOf(error).message
    // One line of JSON like the rest of the log, so that a collector reads it too.
    const line = { level: 60, time: new Date().toISOString(), error: taken ? undefined : errorOf(error).stack, msg: sentence }
    process.stderr.write(`${JSON.stringify(line)}\n`)
    await close().catch(() => undefined)
    process.exit(1)
  }
}

/** The database of `DATABASE_URL`, which others start and stop, or our own. */
async function openOrStartDatabase(config: Config): Promise<{ url: string; stop(): Promise<void> }> {
  if (config.database_url) return { url: config.database_url, stop: async () => undefined }
  const own = await startOwnDatabase(config)
  return { url: own.near_url, stop: () => own.stop() }
}

const startOwnDatabase = ({ data_dir, workers }: Config): Promise<EmbeddedPostgres> =>
  startPostgres({
    dataDir: `${data_dir}/postgres`,
    log: say,
    settings: { max_connections: String(Math.max(100, connectionsOf(workers))) },
  })

/** A database that refuses connections only when there is much to do would be noticed at the worst time. */
async function checkConnections({ workers }: Config, url: string, log: Log): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  const { rows } = await client.query<{ most: string }>("select current_setting('max_connections') most")
  await client.end()
  const [most, needed] = [Number(rows[0]?.most), connectionsOf(workers)]
  if (most < needed)
    log.warn(
      { max_connections: most, needed, workers },
      'The database allows fewer connections than this server may need; lower WORKERS or raise max_connections',
    )
}

interface ServerProcesses {
  /** Resolves with what the terminal shows when all of them work. */
  started: Promise<string>
  stop(): Promise<void>
}

function startProcesses(config: Config, url: string, program: string, log: Log): ServerProcesses {
  cluster.setupPrimary({
    exec: program,
    serialization: 'advanced',
    execArgv: [...process.execArgv, ...heapFlags],
  })
  const counters = createLimitCounters()
  const channels = new Map<Worker, ProcessChannel<ServerProcessAnswers>>()
  const metrics = createPrimaryMetrics(() => ({ requests, jobs: [jobs] }))
  const listening = new Set<Worker>()
  let { port } = config

  async function askAll<T>(ask: (channel: ProcessChannel<ServerProcessAnswers>) => Promise<T>): Promise<T[]> {
    const asked = [...channels.values()].map(channel =>
      Promise.race([ask(channel), pause(answerPatience, undefined, { ref: false })]).catch(() => undefined),
    )
    return (await Promise.all(asked)).filter(known => known !== undefined)
  }
  const allMetrics = async (): Promise<ProcessMetrics[]> => [await metrics(), ...(await askAll(channel => channel.ask('metrics')))]
  const allCaches = (operator_id: number) => askAll(channel => channel.ask('caches', operator_id))
  function fork(): Worker {
    const worker = cluster.fork()
    worker.on('listening', () => void listening.add(worker))
    // `node --watch` restarts at changes of the files that it is sent the names of.
    if (process.env.WATCH_REPORT_DEPENDENCIES) worker.on('message', message => void process.send?.(message))
    const answers: PrimaryAnswers = { ...counters.of(worker.id), allMetrics, allCaches }
    channels.set(worker, openProcessChannel<ServerProcessAnswers>(worker, answers))
    return worker
  }
  const channelOf = (worker: Worker): ProcessChannel<ServerProcessAnswers> => {
    const channel = channels.get(worker)
    if (!channel) throw new Error('The process has ended')
    return channel
  }
  const keep = (name: string, begin: (channel: ProcessChannel<ServerProcessAnswers>) => Promise<void>): KeptProcess =>
    keepProcess({
      name,
      fork,
      log,
      begin: worker => begin(channelOf(worker)),
      // Its end is awaited, not its answer.
      end: worker =>
        void channels
          .get(worker)
          ?.ask('stop')
          .catch(() => undefined),
      onExit(worker) {
        channels.delete(worker)
        listening.delete(worker)
        counters.forget(worker.id)
      },
    })

  /** The first one to start decides on the address, and makes what an empty database needs. */
  const opened = Promise.withResolvers<{ host: string; port: number; text: string }>()
  let first = true
  const requests = Array.from({ length: config.workers }, (_, i) =>
    keep(`requests ${i + 1}`, async channel => {
      await channel.ask('open', 'requests', url)
      if (i === 0 && first) {
        first = false
        return opened.resolve(await channel.ask('welcome', port))
      }
      const address = await opened.promise
      // Where the system has chosen the port, it is free again when no process listens.
      if (listening.size === 0) port = address.port
      await channel.ask('listen', port, address.host)
    }),
  )
  const jobs = keep('jobs', async channel => {
    await channel.ask('open', 'jobs', url)
    await opened.promise
    await channel.ask('startWorkers')
  })

  return {
    started: Promise.all([...requests, jobs].map(one => one.started)).then(async () => (await opened.promise).text),
    async stop() {
      await Promise.all(requests.map(one => one.stop(requestPatience)))
      await jobs.stop(jobPatience)
    },
  }
}
