/** Codes of the schedule: kinds, states, leave. */

export const entryKinds = ['shift', 'leave', 'availability'] as const

/** What can be asked for of a day. */
export const askedParts = ['full', 'morning', 'afternoon'] as const
export type AskedPart = (typeof askedParts)[number]
/** `rest`: the person went home before the end of the shift. */
export const leaveParts = [...askedParts, 'rest'] as const
export type LeavePart = (typeof leaveParts)[number]

export const entryStates = [
  'draft',
  'published',
  'removed',
  'requested',
  'approved',
  'rejected',
  'withdrawn',
  'cancel_requested',
  'cancelled',
  'registered',
  'seen',
  'available',
  'unavailable',
] as const
export type EntryState = (typeof entryStates)[number]

/** Leave that keeps somebody away, or may. */
export const liveLeave = ['requested', 'approved', 'cancel_requested', 'registered', 'seen'] as const satisfies readonly EntryState[]
/** Leave that is settled: no shift is planned beside it. */
export const settledLeave = ['approved', 'cancel_requested', 'registered', 'seen'] as const satisfies readonly EntryState[]

/** Ids of the reasons, as `ScheduleReasonLookup` names them. */
export const leaveReasons = { sick_day: 1, childs_first_sick_day: 2, vacation_with_pay: 3, vacation_without_pay: 4 } as const

/** Sickness is reported and seen; a holiday is asked for. */
export const isSickness = (reason_id: number | null): boolean =>
  reason_id === leaveReasons.sick_day || reason_id === leaveReasons.childs_first_sick_day

/** Days that a call may ask for: of others, and of the own. */
export const longestRange = { others: 62, own: 400 } as const

/** Entries of one batch. */
export const largestBatch = 200

/** Minutes in which a change of the schedule can be undone. */
export const undoMinutes = 10

/** Changed entries of a person among which a change to take back is looked for: a copied week holds at most as many. */
export const mostChanges = 2_000

export const workingTimeRules = [
  'rest',
  'night_rest',
  'weekly_rest',
  'average',
  'night_average',
  'break',
  'long_day',
  'sunday',
  'young_day',
  'young_week',
  'young_rest',
  'young_weekly_rest',
  'young_night',
  'young_span',
  'young_weekend',
  'young_break',
] as const
export type WorkingTimeRule = (typeof workingTimeRules)[number]

/** Rules that a company may set itself. */
export const ownableRules = [
  'rest',
  'weekly_rest',
  'average',
  'break',
  'long_day',
  'young_day',
  'young_week',
  'young_rest',
  'young_weekly_rest',
  'young_break',
] as const satisfies readonly WorkingTimeRule[]
export type OwnableRule = (typeof ownableRules)[number]
