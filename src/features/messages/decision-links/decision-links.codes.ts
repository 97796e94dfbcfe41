/** Codes and limits of the links by which recipients answer. */

export const linkHours = 72
/** Postcodes that may be wrong before a link is closed. */
export const mostTries = 5
/** Days for which a recipient may let an order wait. */
export const mostWaitDays = 14
/** Parcel shops that a recipient chooses from, and how far they may be. */
export const mostShops = 10
export const farthestShop = 20_000

export const closedReasons = ['revoked', 'newer', 'answered', 'postcode', 'erased'] as const
export type ClosedReason = (typeof closedReasons)[number]

export const questionStates = ['waiting', 'answered', 'expired', 'closed'] as const
