/** Erasing a person from the history of a list: nothing of an entry that named the person stays. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { rowsOf, wordPatterns } from '#platform/database/erasure.ts'
import { beginning } from '#platform/database/like-pattern.ts'

/** Of an entry's value, without the field that is left aside. */
const text = (value: 'before' | 'after', aside: string) =>
  sql`case jsonb_typeof(${sql.ref(`n.${value}`)}) when 'object' then ${sql.ref(`n.${value}`)} #- array['fields', ${aside}] else ${sql.ref(`n.${value}`)} end`

/** Telephone numbers are compared without blanks and signs. Names are `addresses.12.phone`. */
const naming = (list: string, aside: string, words: readonly string[]) => sql`select split_part(n.name, '.', 2) from setting_changes n
  where n.operator_id = current_operator_id() and n.company_id = current_company_id() and n.name like ${beginning(`${list}.`)}
    and n.name not like ${`%.${aside}`}
    and (concat_ws(' ', ${text('before', aside)}, ${text('after', aside)}) ilike any (${wordPatterns(words)}::text[])
      or regexp_replace(concat_ws(' ', ${text('before', aside)}, ${text('after', aside)}), '[^0-9+]', '', 'g') ilike any (${wordPatterns(words)}::text[]))`

const rows = (
  list: string,
  aside: string,
  words: readonly string[],
) => sql`operator_id = current_operator_id() and company_id = current_company_id()
  and name like ${beginning(`${list}.`)} and split_part(name, '.', 2) in (${naming(list, aside, words)})`

/** `aside` is the field that may name others too. */
export async function eraseSettingHistory(db: Db, list: string, aside: string, words: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`delete from setting_changes where ${rows(list, aside, words)}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

export const settingHistoryOf = (db: Db, list: string, aside: string, words: readonly string[]): Promise<readonly unknown[]> =>
  rowsOf(db, sql`select name, before, after, at from setting_changes where ${rows(list, aside, words)} order by id`)
