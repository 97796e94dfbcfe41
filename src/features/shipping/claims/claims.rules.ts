/** Until when a courier takes a claim, and which states follow each other. */
import type { ClaimKind, ClaimState, claimStarts, claimUnits } from './claims.codes.ts'

export interface ClaimPeriod {
  count: number
  unit: (typeof claimUnits)[number]
  counts_from: (typeof claimStarts)[number]
}

/** What couriers publish. Of the others nothing is known: the company enters what its agreement says. */
const periods: readonly (ClaimPeriod & { agent_code: string; kind: ClaimKind })[] = [
  { agent_code: 'gls', kind: 'damage', count: 5, unit: 'working_days', counts_from: 'delivered' },
  { agent_code: 'gls', kind: 'loss', count: 12, unit: 'months', counts_from: 'booked' },
]

/** Holidays are not skipped, so that the day is never too late. */
function addWorkingDays(from: Temporal.PlainDate, count: number): Temporal.PlainDate {
  let day = from
  for (let left = count; left > 0; ) {
    day = day.add({ days: 1 })
    if (day.dayOfWeek <= 5) left--
  }
  return day
}

/** What the courier publishes; null where it publishes nothing that is known. */
export function publishedPeriod(agent_code: string, kind: ClaimKind): ClaimPeriod | null {
  const { count, unit, counts_from } = periods.find(one => one.agent_code === agent_code && one.kind === kind) ?? {}
  return count === undefined || !unit || !counts_from ? null : { count, unit, counts_from }
}

/** The last day for a claim; null where the period is not known or its first day has not come. */
export function claimDeadline(
  period: ClaimPeriod | null,
  { delivered_on, booked_on, noticed_on }: { delivered_on: string | null; booked_on: string | null; noticed_on: string | null },
): string | null {
  if (!period) return null
  const start = { delivered: delivered_on, booked: booked_on, noticed: noticed_on }[period.counts_from]
  if (start === null) return null
  const from = Temporal.PlainDate.from(start)
  const { count } = period
  return {
    working_days: () => addWorkingDays(from, count),
    days: () => from.add({ days: count }),
    months: () => from.add({ months: count }),
  }
    [period.unit]()
    .toString()
}

const followers: Readonly<Record<ClaimState, readonly ClaimState[]>> = {
  open: ['sent'],
  sent: ['won', 'lost'],
  won: [],
  // An appeal.
  lost: ['sent'],
}

export const statesAfter = (state: ClaimState): readonly ClaimState[] => followers[state]
