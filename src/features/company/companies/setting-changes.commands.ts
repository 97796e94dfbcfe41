/** Writes who changed which setting. `changeCompany` calls it, so each way to change a setting leaves its row. */
import { sql } from 'kysely'
import type { Db } from '#platform/database/database.ts'
import { type SettingChange, settingChanges } from './setting-fields.rules.ts'

const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

export async function recordSettingChanges(
  db: Db,
  company_id: number,
  [before, after]: readonly [before: Readonly<Record<string, unknown>>, after: Readonly<Record<string, unknown>>],
  by: { name: string; at: Date },
): Promise<readonly SettingChange[]> {
  const changes = settingChanges(before, after)
  await writeSettingChanges(db, company_id, changes, by)
  return changes
}

export async function writeSettingChanges(
  db: Db,
  company_id: number,
  changes: readonly SettingChange[],
  by: { name: string; at: Date },
): Promise<void> {
  if (changes.length > 0)
    await db
      .insertInto('setting_changes')
      .values(
        changes.map(change => ({
          company_id,
          name: change.name,
          before: json(change.before),
          after: json(change.after),
          changed_by: by.name.slice(0, 200),
          at: by.at.toISOString(),
        })),
      )
      .execute()
}

const keptYears = 5

/** Ends what is older than its time, of all tenants. */
export async function endOldSettingChanges(db: Db, now: Date): Promise<void> {
  await sql`delete from setting_changes where at < ${now.toISOString()}::timestamptz - make_interval(years => ${keptYears})`.execute(db)
}
