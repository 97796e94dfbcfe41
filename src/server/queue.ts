/** The queue: work that outlives its request, run at least once, every task idempotent. */
import { Logger, type Runner, run } from 'graphile-worker'
import type { House, OutsideContext } from './serve.ts'

/** A task does its work for the person and scope that queued it; throwing means "later again". */
export type Task = (payload: never, context: OutsideContext & { last_try: boolean }) => Promise<void>
export type Tasks = Record<string, Task>

/** What every queued payload carries beside its own. */
export interface Carried {
  operator_id: number
  company_id: number
  companies: number[]
  user_id: number
  user_name: string
  station: string
}

export interface Queue {
  start(house: House, tasks: Tasks, contextOf: (carried: Carried) => OutsideContext): Promise<void>
  stop(): Promise<void>
}

export function openQueue(url: string, concurrency = 4): Queue {
  let runner: Runner | undefined
  return {
    async start(house, tasks, contextOf) {
      runner = await run({
        connectionString: url,
        concurrency,
        noHandleSignals: true,
        pollInterval: 1_000,
        maxPoolSize: concurrency + 2,
        logger: quiet(house),
        taskList: Object.fromEntries(
          Object.entries(tasks).map(([name, task]) => [
            name,
            async (payload: unknown, helpers: { job: { attempts: number; max_attempts: number } }) => {
              const { carried, ...own } = payload as { carried: Carried }
              await task(own as never, { ...contextOf(carried), last_try: helpers.job.attempts >= helpers.job.max_attempts })
            },
          ]),
        ),
      })
      runner.promise.catch(error => house.log.error({ error: String(error) }, 'The queue stopped'))
    },
    async stop() {
      await runner?.stop().catch(() => undefined)
    },
  }
}

const quiet = (house: House) =>
  new Logger(() => (level, message) => {
    if (level === 'error') house.log.error({}, message)
    else if (level === 'warning') house.log.warn({}, message)
  })
