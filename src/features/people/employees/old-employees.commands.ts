/** Ends what a company may keep of its people no longer: guardians of adults, and CPR numbers of those who have left. */
import { sql } from 'kysely'
import { rowsAtOnce } from '#platform/database/batches.ts'
import type { Db } from '#platform/database/database.ts'

/** Days for which a CPR number is kept after the last day, and after the last export of pay. */
const cprDays = 60

/** In the system role, for all companies of an operator: a bounded number at a time. */
export async function endPersonalData(db: Db, operator_id: number, today: string): Promise<Record<string, number>> {
  const guardians = await sql`update employees set guardian_name = null, guardian_phone = null, guardian_email = null, version = version + 1
    where ctid = any (array(select ctid from employees where operator_id = ${operator_id} and birth_date <= ${today}::date - interval '18 years'
      and (guardian_name is not null or guardian_phone is not null or guardian_email is not null) limit ${rowsAtOnce}))`.execute(db)
  const numbers = await sql`delete from employee_cpr where ctid = any (array(select c.ctid from employee_cpr c
    join users u on u.operator_id = c.operator_id and u.id = c.user_id
    left join employees e on e.operator_id = u.operator_id and e.user_id = u.id
    where c.operator_id = ${operator_id} and coalesce(e.employed_to, u.removed_at::date) < ${today}::date - ${cprDays}::integer
      and not exists (select from pay_export_lines l join pay_exports x on x.operator_id = l.operator_id and x.id = l.export_id
        where l.operator_id = c.operator_id and l.user_id = c.user_id and x.made_at > ${today}::date - ${cprDays}::integer)
    limit ${rowsAtOnce}))`.execute(db)
  return { guardians: Number(guardians.numAffectedRows ?? 0), employee_cpr: Number(numbers.numAffectedRows ?? 0) }
}

/** Empties what a company wrote of a person; the days of employment stay with the hours. */
export async function eraseEmployee(db: Db, user_id: number): Promise<Record<string, number>> {
  const empty = { birth_date: null, guardian_name: null, guardian_phone: null, guardian_email: null }
  const { numUpdatedRows } = await db
    .updateTable('employees')
    .set(eb => ({ ...empty, version: eb('version', '+', 1) }))
    .where('user_id', '=', user_id)
    .executeTakeFirst()
  const { numDeletedRows } = await db.deleteFrom('employee_cpr').where('user_id', '=', user_id).executeTakeFirst()
  return { employees: Number(numUpdatedRows), employee_cpr: Number(numDeletedRows) }
}
