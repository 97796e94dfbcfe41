/** Codes of claims that screens and schemas share. */

export const claimKinds = ['damage', 'loss', 'missing_item'] as const
export type ClaimKind = (typeof claimKinds)[number]

export const claimStates = ['open', 'sent', 'won', 'lost'] as const
export type ClaimState = (typeof claimStates)[number]

/** `due`: not sent yet, and the courier's deadline is near or past. */
export const claimViews = ['active', 'due', 'open', 'sent', 'won', 'lost', 'all'] as const
export const claimSorts = ['deadline', '-deadline', 'created', '-created', 'amount', '-amount'] as const

/** Days before the deadline from which a claim is due. */
export const dueDays = 2

export const claimUnits = ['working_days', 'days', 'months'] as const
export const claimStarts = ['delivered', 'booked', 'noticed'] as const
export const longestClaimPeriod = 1_000
