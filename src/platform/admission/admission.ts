/** Admission: which calls and which steps of tasks run at once on this server, in fair turns of companies and classes of work. */
import type { KeyHolder } from '#contract/access.ts'
import { tooMany, unavailable } from '#contract/errors.ts'
import type { WorkClass } from '#contract/work-classes.ts'
import { readersOf } from '#platform/database/database.ts'
import { createFairQueue, type FairQueue, type FairQueueLimits, QueueFullError } from './fair-queue.ts'

/** Whose turn it is: a company, and apart from it the visitors without a login. */
interface Asker {
  kind: 'user' | KeyHolder | 'visitor' | 'anonymous'
  company: { operator_id: number; id: number }
}

export interface Admission {
  /**
   * Calls `begin` when a call may run. A call that speaks to systems outside waits for them: it takes a place among its like, and its
   * transactions take their turns by `step`. Throws a refusal where too many wait already.
   */
  enter(asker: Asker, call: { workClass: WorkClass; external: boolean }, begin: (end: () => void) => void): () => void
  /** Runs one transaction of a call or a task that has begun, in its turn. */
  step<T>(asker: Asker, work: WorkClass, transaction: () => Promise<T>): Promise<T>
  /** Calls and steps that use the database. */
  queue: FairQueue
  /** Calls that speak to systems outside. */
  external: FairQueue
}

/** Seconds after which a refused client is asked to try again. */
const retrySeconds = 5

export function createAdmission({
  connections,
  processors,
  aloneAfter = 1_000,
  onBegin,
}: {
  connections: number
  processors: number
  /** Milliseconds without calls of another company after which one may have all places. */
  aloneAfter?: number
  onBegin?: (work: WorkClass, waited: number) => void
}): Admission {
  const queue = createFairQueue({ ...databaseLimits(connections, processors), aloneAfter }, onBegin && { onBegin })
  const external = createFairQueue(externalLimits)
  return {
    queue,
    external,
    enter(asker, call, begin) {
      try {
        return (call.external ? external : queue).enter(nameOf(asker), call.workClass, begin)
      } catch (error) {
        if (!(error instanceof QueueFullError)) throw error
        throw error.full === 'company'
          ? tooMany('company_queue_full', sentences.company, { seconds: retrySeconds })
          : unavailable('server_queue_full', sentences.server, { seconds: retrySeconds })
      }
    },
    step: (asker, work, transaction) =>
      new Promise((resolve, reject) => {
        queue.enter(nameOf(asker), work, end => void transaction().then(resolve, reject).finally(end), { promised: true })
      }),
  }
}

const sentences = {
  company: 'Too many requests of this company wait already. Try again in {{seconds}} seconds.',
  server: 'The server has too much to do at the moment. Nothing was changed. Try again in {{seconds}} seconds.',
} as const

const nameOf = ({ kind, company }: Asker): string => `${company.operator_id}/${company.id}${kind === 'anonymous' ? '/visitors' : ''}`

/**
 * How many of one company's calls of a class may wait: two hundred screens that ask for their parts at once after a restart are all answered.
 * What waits has its body in memory, so imports wait in smaller numbers.
 */
const waitingOfCompany = { scan: 1_000, change: 500, read: 1_000, search: 500, bulk: 50 }

/**
 * A quarter of the connections is left to what runs outside of the queue: sign-in and schedules. Searches and bulk work keep a processor
 * busy, so the processors bound them, and while several companies work, none has all of their places.
 */
export function databaseLimits(connections: number, processors: number): FairQueueLimits {
  const all = Math.max(4, Math.floor(connections * 0.75))
  const read = Math.min(readersOf(connections, processors), all - 2)
  const search = Math.min(Math.max(3, 2 * processors), read - 1)
  const bulk = Math.max(2, Math.min(processors, search - 1))
  const half = Math.max(1, Math.floor(processors / 2))
  return {
    running: { scan: all, change: all - 1, read, search, bulk },
    runningOfCompany: { scan: all, change: all, read, search: Math.min(half, search - 1), bulk: Math.min(half, bulk - 1) },
    aloneAfter: 1_000,
    waitingOfCompany,
    waiting: 4_000,
  }
}

/** Calls that wait for a courier or a slow sender cost little meanwhile. Their number bounds the steps that nothing refuses. */
const externalLimits: FairQueueLimits = {
  running: { scan: 300, change: 250, read: 150, search: 50, bulk: 30 },
  runningOfCompany: { scan: 200, change: 60, read: 60, search: 10, bulk: 4 },
  aloneAfter: 1_000,
  waitingOfCompany,
  waiting: 4_000,
}
