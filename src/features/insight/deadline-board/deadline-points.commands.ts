/** Writes down how much is left of each pickup, as the burn-down shows it. */
import type { Db } from '#platform/database/database.ts'
import type { Board } from './deadline-board.schemas.ts'

const minute = 60_000
/** So long before its pickup a deadline is measured each minute, else each five. */
const close = 6 * 60 * minute
const daysKept = 90

export async function recordPoints(db: Db, { rows, server_time }: Board): Promise<void> {
  const now = Date.parse(server_time)
  const isFifth = Math.floor(now / minute) % 5 === 0
  const points = rows.flatMap(({ deadline_id, due_at, remaining, forecast_missed }) =>
    due_at !== null && (isFifth || Date.parse(due_at) - now <= close)
      ? [
          {
            ...{ deadline_id, due_at, at: new Date(Math.floor(now / minute) * minute).toISOString(), missed: forecast_missed },
            remaining: Object.values(remaining).reduce((sum, n) => sum + n, 0),
          },
        ]
      : [],
  )
  if (points.length > 0)
    await db
      .insertInto('deadline_points')
      .values(points)
      .onConflict(same => same.columns(['operator_id', 'deadline_id', 'due_at', 'at']).doNothing())
      .execute()
  await db
    .deleteFrom('deadline_points')
    .where('deadline_id', 'in', rows.length > 0 ? rows.map(row => row.deadline_id) : [0])
    .where('due_at', '<', new Date(now - daysKept * 86_400_000).toISOString())
    .execute()
}
