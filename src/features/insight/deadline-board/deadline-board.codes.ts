/** Codes that the board, its schemas and its screens share. */

/** From the lowest: less than an hour, half an hour, a quarter, and past with orders left. */
export const alarms = ['watch', 'soon', 'urgent', 'missed'] as const
export type Alarm = (typeof alarms)[number]

export const adviceStages = ['pack', 'pick', 'out'] as const

/** Boards that a link shows without a sign-in. */
export const linkKinds = ['deadlines', 'stats'] as const
