/** Codes and limits of the punch clock that both sides share. */

export const punchTypes = ['work', 'break', 'meeting', 'cleaning', 'other'] as const
export type PunchType = (typeof punchTypes)[number]

export const punchStates = [
  'open',
  'closed',
  'validated',
  'correction_requested',
  'corrected',
  'missing_out',
  'time_unverified',
  'deleted',
] as const
export type PunchState = (typeof punchStates)[number]

/** Until one of these is settled, its day cannot be approved. */
export const unfinishedStates = ['open', 'missing_out', 'time_unverified', 'correction_requested'] as const

/** Entries that may be corrected or deleted: those that have ended and wait for no decision. */
export const changeableStates: readonly PunchState[] = ['closed', 'missing_out', 'time_unverified', 'corrected', 'validated']

/** Entries about which a lead asks the person, and the minutes until someone may ask again. */
export const askedStates: readonly PunchState[] = ['missing_out', 'time_unverified']
export const askAgainMinutes = 60

export const punchWays = ['badge', 'pin', 'picture_pin', 'session'] as const
export type PunchWay = (typeof punchWays)[number]
export const punchSources = ['kiosk', 'self', 'offline', 'entry'] as const

export const versionReasons = ['made', 'undone', 'request', 'accepted', 'refused', 'lead', 'validated', 'deleted', 'system'] as const

export const rejectReasons = ['unknown_badge', 'wrong_pin', 'too_old', 'unsealed', 'already_in', 'not_in'] as const
export type RejectReason = (typeof rejectReasons)[number]

/** Why somebody clocks out well before the end of the shift. The first two are leave for what is left of it. */
const leaveWhys = ['sick', 'child'] as const
export const otherWhys = ['finished', 'agreed', 'other'] as const
export const earlyWhys = [...leaveWhys, ...otherWhys] as const
export type EarlyWhy = (typeof earlyWhys)[number]

/** Two taps of one kind within so many milliseconds count once. */
export const doubleTap = 5_000
/** After so many hours a clock-in without a clock-out is one that was forgotten. */
export const forgottenAfterHours = 14
/** Hours that one entry may last. */
export const longestEntryHours = 24
/** Seconds for which the kiosk acts for the person that it has identified. */
export const ticketSeconds = 300
/** Seconds in which a tap can be undone. */
export const undoSeconds = 60
/** Taps of one sync, and how long a device keeps one. */
export const mostSynced = 50
export const longestGapHours = 24
/** Milliseconds by which the two clocks of a device may differ, and by which a tap may lie ahead of its arrival. */
export const clockTolerance = 5_000
export const aheadTolerance = 2_000

export const mostIntervalDays = 62
export const mostReportDays = 400

/** Views of the report of work done: all rows, those with a missing time, and those of work without a clock-in. */
export const workViews = ['all', 'unfinished', 'unclocked'] as const
export type WorkView = (typeof workViews)[number]
