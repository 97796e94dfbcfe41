/** Until when a courier takes a claim, and which states follow each other. */
import type { ClaimKind, ClaimState } from './claims.codes.ts'

interface ClaimPeriod {
  agent_code: string
  kind: ClaimKind
  count: number
  unit: 'working_days' | 'months'
  counts_from: 'delivered' | 'booked'
}

/** What couriers publish. Of the others nothing is known: their agreement says it. */
const periods: readonly ClaimPeriod[] = [
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

/** The last day for a claim; null where the courier's rule is not known or its first day has not come. */
export function claimDeadline(
  agent_code: string,
  kind: ClaimKind,
  { delivered_on, booked_on }: { delivered_on: string | null; booked_on: string | null },
): string | null {
  const period = periods.find(one => one.agent_code === agent_code && one.kind === kind)
  const start = period?.counts_from === 'booked' ? booked_on : delivered_on
  if (!period || start === null) return null
  const from = Temporal.PlainDate.from(start)
  return (period.unit === 'months' ? from.add({ months: period.count }) : addWorkingDays(from, period.count)).toString()
}

const followers: Readonly<Record<ClaimState, readonly ClaimState[]>> = {
  open: ['sent'],
  sent: ['won', 'lost'],
  won: [],
  // An appeal.
  lost: ['sent'],
}

export const statesAfter = (state: ClaimState): readonly ClaimState[] => followers[state]
