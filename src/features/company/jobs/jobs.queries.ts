/** Jobs in the database: created with the change that needs them, updated by the task that runs them. */

import { sql, type Updateable } from 'kysely'
import type { StoredContent } from '#contract/endpoint.ts'
import { AppError, unprocessable } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { errorOf } from '#domain/thrown.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import type { DB } from '#platform/database/schema.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import type { Job, JobKind } from './jobs.schemas.ts'

const columns = [
  'id',
  'kind',
  'title',
  'state',
  'done',
  'total',
  'message',
  'result',
  'cancel_asked_at',
  'created_at',
  'started_at',
  'finished_at',
] as const

const refusal = sql<Job['refusal']>`jobs.result -> 'refusal'`.as('refusal')

/** Interruptions by a dying server before the job fails; after that the job itself may be the cause. */
const mostInterruptions = 2

export const jobSentences = {
  interrupted: 'The server stopped {{count}} times during this work, so it does not go on automatically: start it again',
} as const

export const jobById = (db: Db, id: number): Promise<Job | undefined> =>
  db.selectFrom('jobs').select(columns).select(refusal).where('id', '=', id).$castTo<Job>().executeTakeFirst()

export async function newestJobs(db: Db, kinds: readonly JobKind[], query: { page: number; limit: number }): Promise<Page<Job>> {
  const some = db.selectFrom('jobs').where('kind', '=', eb => eb.fn.any(eb.val(kinds)))
  const rows = await some
    .select(columns)
    .select(refusal)
    .orderBy('id', 'desc')
    .limit(query.limit)
    .offset(pageOffset(query))
    .$castTo<Job>()
    .execute()
  return { rows, ...(await cappedCount(db, some)), offset: pageOffset(query), limit: query.limit }
}

/** Jobs of a company that wait or run. */
export const openJobs = (db: Db, company_id: number): Promise<{ id: number }[]> =>
  db
    .selectFrom('jobs')
    .select('id')
    .where('company_id', '=', company_id)
    .where('state', 'in', ['queued', 'running'])
    .orderBy('id')
    .execute()

/** Creates the job's row; the caller queues its task in the same transaction. */
export async function newJob(db: Db, job: { kind: JobKind; title: string; total?: number; created_by: number | null }): Promise<number> {
  const { id } = await db
    .insertInto('jobs')
    .values({ kind: job.kind, title: job.title, total: job.total ?? null, created_by: job.created_by })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Asks a job to stop: one that waits ends at once, one that runs ends at its next progress.
 * Answers `undefined` where it has ended already.
 */
export async function cancelJob(db: Db, id: number, at: Date): Promise<'cancelled' | 'asked' | undefined> {
  const row = await db
    .updateTable('jobs')
    .set({
      cancel_asked_at: at.toISOString(),
      state: sql<'cancelled' | 'running'>`case when state = 'queued' then 'cancelled' else state end`,
      finished_at: sql<string | null>`case when state = 'queued' then ${at.toISOString()}::timestamptz end`,
    })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .returning('state')
    .executeTakeFirst()
  if (!row) return undefined
  return row.state === 'cancelled' ? 'cancelled' : 'asked'
}

export class Cancelled extends Error {
  override name = 'Cancelled'
}

/** Thrown on a graceful shutdown: the queue starts the job again later. */
class Closing extends Error {
  override name = 'Closing'
}

/** Milliseconds between two notes of how far a job is. */
const noteEvery = 200

/**
 * Runs `work` as job `id`: marks it running, done, failed or cancelled. `progress` saves the progress and throws
 * `Cancelled` when a user asked to stop. An error is stored as the job's message and thrown again only while tries are left.
 * A job that is thrown again waits as queued, so a job found running here was interrupted by a crash of its server.
 */
export async function doJob(
  context: ExternalContext & { last_try: boolean },
  id: number,
  work: (progress: (done: number, total?: number) => Promise<void>) => Promise<unknown>,
): Promise<void> {
  /** How far the job is, where that is not noted yet. */
  let unnoted: { done?: number; total?: number } = {}
  const mark = (change: Pick<Updateable<DB['jobs']>, 'state' | 'message' | 'result' | 'started_at' | 'finished_at' | 'done' | 'total'>) =>
    context.transaction(async ({ db, notify }) => {
      const row = await db
        .updateTable('jobs')
        .set({ ...unnoted, ...change })
        .where('id', '=', id)
        .returning(['state', 'cancel_asked_at'])
        .executeTakeFirst()
      notify('job', id)
      return row
    })
  const now = () => context.now().toISOString()
  const begun = await context.transaction(({ db }) => jobById(db, id))
  if (!begun || begun.state === 'done' || begun.state === 'cancelled' || begun.state === 'failed') return
  if (begun.cancel_asked_at) {
    await mark({ state: 'cancelled', finished_at: now() })
    return
  }
  const fail = (error: Error) => {
    const refused = error instanceof AppError ? JSON.stringify({ refusal: { text: error.key, values: error.values } }) : null
    return mark({ state: 'failed', message: error.message, result: refused, finished_at: now() })
  }
  if (begun.state === 'running') {
    const { interruptions } = await context.transaction(({ db }) => countInterruption(db, id))
    if (interruptions >= mostInterruptions) {
      await fail(unprocessable('job_interrupted', jobSentences.interrupted, { count: interruptions }))
      return
    }
  }
  await mark({ state: 'running', started_at: begun.started_at ?? now() })
  try {
    let noted = Number.NEGATIVE_INFINITY
    const result = await work(async (done, total) => {
      const more = total === undefined || done < total
      if (context.signal.aborted && more && !context.last_try) throw new Closing()
      unnoted = { done, ...(total === undefined ? {} : { total }) }
      // A note is a transaction with a commit of its own: this often is enough for those who watch, and for those who cancel.
      if (more && performance.now() - noted < noteEvery) return
      noted = performance.now()
      const row = await mark(unnoted)
      if (row?.cancel_asked_at) throw new Cancelled()
    })
    await mark({ state: 'done', result: JSON.stringify(result ?? null), finished_at: now() })
  } catch (error) {
    if (error instanceof Cancelled) {
      await mark({ state: 'cancelled', finished_at: now() })
      return
    }
    // A refusal would repeat; any other error may be temporary.
    if (!context.last_try && !(error instanceof AppError)) {
      // Report the first error: the database may be the cause of both.
      await mark({ state: 'queued' }).catch(() => undefined)
      throw error
    }
    await fail(errorOf(error))
  }
}

const countInterruption = (db: Db, id: number) =>
  db
    .updateTable('jobs')
    .set(eb => ({ interruptions: eb('interruptions', '+', 1) }))
    .where('id', '=', id)
    .returning('interruptions')
    .executeTakeFirstOrThrow()

export const fileOfJob = (db: Db, file_id: number): Promise<(StoredContent & { media_type: string; name: string }) | undefined> =>
  db
    .selectFrom('files')
    .select(['sha256', 'bytes', 'media_type', 'name'])
    .where('id', '=', file_id)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
