/** Codes of shop connections. */

export const connectionStates = ['active', 'paused', 'broken'] as const
export type ConnectionState = (typeof connectionStates)[number]

export const logKinds = ['pull', 'push', 'sweep', 'backfill', 'fetch', 'test'] as const
export type LogKind = (typeof logKinds)[number]

export const logOutcomes = ['created', 'updated', 'unchanged', 'echo', 'ignored', 'done', 'refused', 'failed'] as const
export type LogOutcome = (typeof logOutcomes)[number]

/** When a parcel is reported to the shop. */
export const pushMoments = ['packed', 'handed_over'] as const
export type PushMoment = (typeof pushMoments)[number]

/** The kind of destination in the outbox. */
export const shopKind = 'shop'

export const mostConnections = 20
