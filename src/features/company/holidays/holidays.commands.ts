/** Writes what a company changes in the calendar of public holidays. */
import type { Db } from '#platform/database/database.ts'

/** Replaces what there is between two days; other days keep theirs, by which earlier ones were paid. */
export async function setHolidayOverrides(
  db: Db,
  { from, to }: { from: string; to: string },
  overrides: readonly { day: string; name: string; free: boolean }[],
): Promise<void> {
  const byDay = new Map(overrides.map(one => [one.day, one]))
  await db
    .deleteFrom('holiday_overrides')
    .where(eb =>
      eb.or([eb.and([eb('day', '>=', from), eb('day', '<=', to)]), ...(byDay.size > 0 ? [eb('day', 'in', [...byDay.keys()])] : [])]),
    )
    .execute()
  if (byDay.size > 0)
    await db
      .insertInto('holiday_overrides')
      .values([...byDay.values()])
      .execute()
}
