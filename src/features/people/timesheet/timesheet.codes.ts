/** Codes and limits of timesheets that both sides share. */

export const dayFlags = [
  /** A time lies outside the tolerance, or the break differs. */
  'differs',
  /** The clock-in was before the plan, and the time before it is not paid. */
  'early_unpaid',
  /** No break was clocked: the planned one is taken off. */
  'break_planned',
  /** Less break than planned was clocked. */
  'break_short',
  'no_shift',
  /** Planned, and nothing was clocked. */
  'no_punch',
  'open',
  'missing_out',
  'unverified',
  'correction',
] as const
export type DayFlag = (typeof dayFlags)[number]

/** With one of these the day cannot be approved. */
export const unfinishedFlags: readonly DayFlag[] = ['open', 'missing_out', 'unverified', 'correction']

export const mostTimesheetDays = 62
export const mostApproved = 10_000
/** Hours after the last end after which a day inside the tolerance is approved by itself. */
export const autoAfterHours = 2
