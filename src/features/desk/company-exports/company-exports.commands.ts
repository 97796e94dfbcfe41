/** Writes exports of companies: asked for, made, and ended after their days or when a person is erased. */
import { sql } from 'kysely'
import { newJob } from '#features/company/jobs/jobs.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { type ErasurePart, rowsOf } from '#platform/database/erasure.ts'
import { eraseFiles } from '#platform/files/erased-files.ts'
import type { Context } from '#platform/http/feature-module.ts'

export async function startCompanyExport(
  { db, principal, enqueue, recordEvent, notify }: Context,
  { id: company_id, code }: { id: number; code: string },
): Promise<{ id: number; job_id: number }> {
  const job_id = await newJob(db, { kind: 'company.export', title: code, created_by: principal.id || null })
  const { id } = await db
    .insertInto('company_exports')
    .values({ company_id, job_id, requested_by: principal.id, requested_by_name: principal.name.slice(0, 120) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(
    'company.export',
    { job_id, export_id: id, company_id },
    { key: `company.export/${job_id}`, queue: `company.export/${principal.company.operator_id}` },
  )
  await recordEvent({
    kind: 'company.export_asked',
    subject: 'company',
    subject_id: company_id,
    company_id: principal.company.id,
    data: { code },
  })
  notify('job', job_id)
  return { id, job_id }
}

export async function finishCompanyExport(
  db: Db,
  id: number,
  made: { file_id: number; row_count: number; file_count: number; finished_at: string },
): Promise<void> {
  await db.updateTable('company_exports').set(made).where('id', '=', id).execute()
}

/** Ends the files of the exports of the companies in scope that were made before an instant; of all where there is none. */
export async function endCompanyExports(db: Db, now: Date, before?: Date): Promise<number> {
  const { rows } = await sql<{ file_id: number }>`
    with ended as (
      select id, file_id from company_exports where operator_id = current_operator_id() and company_id = any (current_company_ids())
        and file_id is not null and (${before?.toISOString() ?? null}::timestamptz is null or finished_at < ${before?.toISOString() ?? null}) for update)
    update company_exports e set file_id = null from ended
    where e.operator_id = current_operator_id() and e.id = ended.id returning ended.file_id`.execute(db)
  return rows.length === 0
    ? 0
    : eraseFiles(
        db,
        rows.map(row => row.file_id),
        now,
      )
}

/** An archive holds everybody of its company, and can be made again: it ends with the first person who is erased. */
export const eraseCompanyExports: ErasurePart = {
  tables: ['company_exports'],
  erase: async (db, _subjects, now) => ({ company_exports: await endCompanyExports(db, now) }),
  read: async db => ({
    company_exports: await rowsOf(
      db,
      sql`select id, created_at, finished_at from company_exports
        where operator_id = current_operator_id() and company_id = any (current_company_ids()) and file_id is not null order by id`,
    ),
  }),
}
