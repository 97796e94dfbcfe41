/** Erases a person: every registered part in one transaction per 200 orders, so that an interrupted erasure goes on where it stopped. */
import { doJob } from '#features/company/jobs/jobs.queries.ts'
import type { Db } from '#platform/database/database.ts'
import type { ErasedSubjects, ErasurePart } from '#platform/database/erasure.ts'
import { retryOnConflict } from '#platform/database/retry-on-conflict.ts'
import { eraseFiles, removeErasedFiles } from '#platform/files/erased-files.ts'
import { listOrdersOfFile, recordFile } from '#platform/files/file-store.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { keepProgress, startErasure } from './erasure.commands.ts'
import {
  type Erasure,
  endedCustomers,
  erasureById,
  erasuresWithoutJob,
  nextSubjects,
  oldExports,
  rootsOfCustomers,
  wordsOfCustomers,
} from './erasure.queries.ts'
import { storePersonExport } from './person-export.server.ts'

const ordersAtOnce = 200

type Report = Record<string, number>

const sum = (one: Report, other: Readonly<Report>): Report => {
  const all = { ...one }
  for (const [table, rows] of Object.entries(other)) if (rows > 0) all[table] = (all[table] ?? 0) + rows
  return all
}

export async function eraseAll(parts: readonly ErasurePart[], db: Db, subjects: ErasedSubjects, now: Date): Promise<Report> {
  let report: Report = {}
  for (const part of parts) report = sum(report, await part.erase(db, subjects, now))
  return report
}

/** Undoes what was done only to be counted. */
export class Counted extends Error {
  override name = 'Counted'
  readonly report: Report
  constructor(report: Report) {
    super('Counted, not erased')
    this.report = report
  }
}

/** The queue's task: `{ job_id, erasure_id }`. `parts` erase in their order; those of orders come last, since others read them. */
export const erasePersons =
  (parts: readonly ErasurePart[]): Tasks['customers.erase'] =>
  ({ job_id, erasure_id }, context) =>
    doJob(context, job_id, async progress => {
      const { services, scope, transaction, now } = context
      const tools = {
        operator_id: scope.operator_id,
        now: now(),
        files: services.files,
        transaction: <T>(step: (db: Db) => Promise<T>) => transaction(({ db }) => step(db)),
      }
      const counted = (step: (db: Db) => Promise<Report>): Promise<Report> =>
        transaction(async ({ db }): Promise<Report> => {
          throw new Counted(await step(db))
        }).catch(error => {
          if (error instanceof Counted) return error.report
          throw error
        })
      const begun = await transaction(({ db }) => erasureById(db, erasure_id))
      if (!begun || begun.state === 'done') return null
      const only = begun.kind === 'report'
      let erasure: Erasure = begun
      let orders = 0
      for (;;) {
        const current: Erasure = erasure
        const subjects = await transaction(({ db }) => nextSubjects(db, current, ordersAtOnce))
        if (!subjects) break
        if (!only) for (const part of parts) await part.rewriteFiles?.(tools, subjects)
        const done_order_id = subjects.order_ids.at(-1)!
        const dry = only ? await counted(db => eraseAll(parts, db, subjects, now())) : null
        const report: Report = await retryOnConflict(() =>
          transaction(async ({ db, notify }) => {
            const all = sum(current.report, dry ?? (await eraseAll(parts, db, subjects, now())))
            await keepProgress(db, erasure_id, { done_order_id, report: all })
            if (!only) notify('order')
            return all
          }),
        )
        await removeErasedFiles(services, scope.operator_id, now())
        orders += subjects.order_ids.length
        erasure = { ...current, done_order_id, report }
        await progress(orders)
      }
      const last = erasure
      const content = only ? await storePersonExport(parts, tools, last) : null
      let file_id: number | null = null
      await retryOnConflict(() =>
        transaction(async ({ db, recordEvent, recordEvents }) => {
          const customer_ids = only ? [] : await endedCustomers(db, last)
          const roots = await rootsOfCustomers(db, customer_ids)
          const words = await wordsOfCustomers(db, customer_ids)
          const subjects = { order_ids: [], customer_ids, words }
          const report = only ? last.report : sum(last.report, await eraseAll(parts, db, subjects, now()))
          await keepProgress(db, erasure_id, {
            done_order_id: last.done_order_id,
            report,
            customer_ids,
            state: 'done',
            finished_at: now().toISOString(),
          })
          file_id = content && (await recordFile(db, content, { media_type: 'application/zip', name: `person-export-${erasure_id}.zip` }))
          if (file_id !== null) await listOrdersOfFile(db, file_id, last.order_ids)
          const rows = Object.values(report).reduce((one, other) => one + other, 0)
          const data = { erasure_id, orders, rows }
          if (only || roots.length === 0) await recordEvent({ kind: only ? 'customer.data_counted' : 'customer.erased', data })
          else
            await recordEvents(
              roots.map(customer_id => ({ kind: 'customer.erased' as const, subject: 'customer', subject_id: customer_id, data })),
            )
        }),
      )
      // Files that an earlier attempt erased just before it was interrupted.
      await removeErasedFiles(services, scope.operator_id, now())
      return file_id === null ? { orders } : { orders, file_id }
    })

export const startErasures: ScheduledTask = {
  name: 'erase persons whose last order has ended',
  seconds: 3_600,
  run: services => startWaitingErasures(services),
}

export const endExports: ScheduledTask = { name: "remove copies of persons' data after seven days", seconds: 3_600, run: removeOldExports }

/** The person's copy is fetched within this time. */
const exportDays = 7

/** Removes the files of exports whose time has ended. */
export async function removeOldExports(services: Services): Promise<void> {
  const before = new Date(services.now().getTime() - exportDays * 86_400_000)
  const old = await services.database.systemTransaction('the clock knows no tenant', db => oldExports(db, before))
  for (const { operator_id, company_id, file_id } of old) {
    await createSystemContext(services, { operator_id, company_id, companies: [company_id] }).transaction(({ db }) =>
      eraseFiles(db, [file_id], services.now()),
    )
    await removeErasedFiles(services, operator_id, services.now())
  }
}

export async function startWaitingErasures(services: Services): Promise<void> {
  const waiting = await services.database.systemTransaction('the clock knows no tenant', erasuresWithoutJob)
  for (const { operator_id, company_id, id } of waiting)
    await createSystemContext(services, { operator_id, company_id, companies: [company_id] }).transaction(context =>
      startErasure(context, id),
    )
}
