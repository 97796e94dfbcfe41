/** Reads exports of companies, and which of them end. */
import { sql } from 'kysely'
import type { StoredContent } from '#contract/endpoint.ts'
import type { Db } from '#platform/database/database.ts'
import type { CompanyExport } from './company-exports.schemas.ts'

const newest = 20

export async function exportsOf(db: Db, company_id: number, user_id: number): Promise<CompanyExport[]> {
  const { rows } = await sql<CompanyExport>`
    select e.id, e.job_id, j.state, j.done, j.total, e.row_count as rows, e.file_count as files, f.bytes, e.requested_by_name as requested_by,
      e.requested_by = ${user_id} as is_own, e.created_at, coalesce(e.finished_at, j.finished_at) as finished_at
    from company_exports e join jobs j on j.operator_id = e.operator_id and j.id = e.job_id
      left join files f on f.operator_id = e.operator_id and f.id = e.file_id and f.erased_at is null
    where e.operator_id = current_operator_id() and e.company_id = ${company_id} and e.company_id = any (current_company_ids())
    order by e.id desc limit ${newest}`.execute(db)
  return rows
}

export interface FetchedExport extends StoredContent {
  company_id: number
  requested_by: number
  name: string
}

export async function fileOfExport(db: Db, id: number): Promise<FetchedExport | undefined> {
  const { rows } = await sql<FetchedExport>`
    select e.company_id, e.requested_by, f.sha256, f.bytes, f.name
    from company_exports e join files f on f.operator_id = e.operator_id and f.id = e.file_id
    where e.operator_id = current_operator_id() and e.company_id = any (current_company_ids()) and e.id = ${id} and f.erased_at is null`.execute(
    db,
  )
  return rows[0]
}

/** Companies with exports that were made before an instant. Only the system role may ask. */
export async function companiesWithOldExports(db: Db, before: Date): Promise<{ operator_id: number; company_id: number }[]> {
  const { rows } = await sql<{ operator_id: number; company_id: number }>`
    select distinct operator_id, company_id from company_exports where file_id is not null and finished_at < ${before.toISOString()} limit 500`.execute(
    db,
  )
  return rows
}

/** Ways in which customers of a company were met: the operator's rows that this company has seen. */
export async function lookupsOfCompany(
  db: Db,
  company_id: number,
  page: { last: number; most: number },
): Promise<{ id: number; row: string }[]> {
  const { rows } = await sql<{ id: number; row: string }>`
    select id, (to_jsonb(l) - 'seen_by')::text as row from customer_lookups l
    where operator_id = current_operator_id() and ${company_id} = any (seen_by) and id > ${page.last} order by id limit ${page.most}`.execute(
    db,
  )
  return rows
}

export interface ExportedFile extends StoredContent {
  id: number
  name: string
  media_type: string
}

/** The next stored files of the company in scope, but for archives of exports. */
export async function filesOfCompany(db: Db, company_id: number, page: { last: number; most: number }): Promise<ExportedFile[]> {
  const { rows } = await sql<ExportedFile>`
    select f.id, f.sha256, f.bytes, f.name, f.media_type from files f
    where f.operator_id = current_operator_id() and f.company_id = ${company_id} and f.company_id = any (current_company_ids())
      and f.id > ${page.last} and f.erased_at is null
      and not exists (select from company_exports e where e.operator_id = f.operator_id and e.company_id = f.company_id and e.file_id = f.id)
    order by f.id limit ${page.most}`.execute(db)
  return rows
}
