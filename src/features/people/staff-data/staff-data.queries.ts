/** Reads what is stored of one member of the staff, for the person's own copy. Secrets are left out: hashes, seals and tokens. */
import { sql } from 'kysely'
import { notFound } from '#contract/errors.ts'
import type { Db } from '#platform/database/database.ts'
import { rowsOf } from '#platform/database/erasure.ts'

/** Rows of one table, each an object. */
type Section = readonly unknown[]

/** Most rows of one table: five years of times of a person are 6,000. */
const mostRows = 50_000

const tables: readonly { table: string; column: string; order: string; without?: readonly string[] }[] = [
  { table: 'employees', column: 'user_id', order: 'user_id' },
  { table: 'pay_terms', column: 'user_id', order: 'valid_from' },
  { table: 'schedule_entries', column: 'user_id', order: 'work_date' },
  { table: 'leave_ledger', column: 'user_id', order: 'day' },
  { table: 'shift_offers', column: 'from_user_id', order: 'id' },
  { table: 'punches', column: 'user_id', order: 'work_date' },
  { table: 'timesheet_days', column: 'user_id', order: 'work_date' },
  { table: 'timesheet_versions', column: 'user_id', order: 'id' },
  { table: 'pay_export_lines', column: 'user_id', order: 'id' },
  { table: 'work_daily', column: 'user_id', order: 'day' },
  { table: 'announcement_agreements', column: 'user_id', order: 'at' },
  { table: 'user_group_members', column: 'user_id', order: 'group_id' },
  { table: 'user_identities', column: 'user_id', order: 'id' },
  { table: 'sessions', column: 'user_id', order: 'id', without: ['token_hash'] },
]

/** Everything of a person but the CPR number, by table. 404 where the person is none of this company. */
export async function storedOf(db: Db, user_id: number): Promise<Record<string, Section>> {
  const [user] = await rowsOf(
    db,
    sql`select id, name, user_name, email, phone, role, employee_no, locale, permission, created_at, removed_at, settings from users
      where operator_id = current_operator_id() and company_id = current_company_id() and id = ${user_id}`,
  )
  if (!user) throw notFound('user_not_found', 'User not found')
  const sections: Record<string, Section> = { users: [user] }
  for (const { table, column, order, without = [] } of tables)
    sections[table] = await rowsOf(
      db,
      sql`select to_jsonb(r) - ${['operator_id', 'company_id', ...without]}::text[] as row from ${sql.table(table)} r
        where r.operator_id = current_operator_id() and r.company_id = current_company_id() and r.${sql.ref(column)} = ${user_id}
        order by r.${sql.ref(order)} limit ${mostRows}`,
    )
  sections.punch_versions = await rowsOf(
    db,
    sql`select v.punch_id, v.no, v.why, v.work_date, v.type, v.started_at, v.ended_at, v.state, v.at, n.note from punch_versions v
      join punches p on p.operator_id = v.operator_id and p.id = v.punch_id
      left join punch_notes n on n.operator_id = v.operator_id and n.punch_id = v.punch_id and n.no = v.no
      where v.operator_id = current_operator_id() and p.user_id = ${user_id} order by v.punch_id, v.no limit ${mostRows}`,
  )
  sections.schedule_notes = await rowsOf(
    db,
    sql`select e.work_date, e.kind, n.note from schedule_notes n join schedule_entries e on e.operator_id = n.operator_id and e.id = n.entry_id
      where n.operator_id = current_operator_id() and e.user_id = ${user_id} order by e.work_date limit ${mostRows}`,
  )
  sections.announcements = await rowsOf(
    db,
    sql`select a.title, g.version_no, g.at, g.locale from announcement_agreements g
      join announcements a on a.operator_id = g.operator_id and a.id = g.announcement_id
      where g.operator_id = current_operator_id() and g.company_id = current_company_id() and g.user_id = ${user_id}
      order by g.at limit ${mostRows}`,
  )
  sections.user_groups = await rowsOf(
    db,
    sql`select g.name, m.added_by, m.added_at from user_group_members m join user_groups g on g.operator_id = m.operator_id and g.id = m.group_id
      where m.operator_id = current_operator_id() and m.company_id = current_company_id() and m.user_id = ${user_id}
      order by g.name limit ${mostRows}`,
  )
  // Who has looked at the person's data, when and why.
  sections.access_log = await rowsOf(
    db,
    sql`select at, user_name, what, criteria from access_log
      where operator_id = current_operator_id() and company_id = any (current_company_ids()) and subject_type = 'user' and subject_id = ${user_id}
      order by at limit ${mostRows}`,
  )
  return sections
}
