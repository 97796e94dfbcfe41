/** Writes what a company changes in the calendar of public holidays. */
import type { Db } from '#platform/database/database.ts'

/** Replaces all of it. */
export async function setHolidayOverrides(db: Db, overrides: readonly { day: string; name: string; free: boolean }[]): Promise<void> {
  await db.deleteFrom('holiday_overrides').execute()
  const byDay = new Map(overrides.map(one => [one.day, one]))
  if (byDay.size > 0)
    await db
      .insertInto('holiday_overrides')
      .values([...byDay.values()])
      .execute()
}
