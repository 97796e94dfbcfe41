/** Codes of pickups that screens and schemas share. */

export const pickupStates = ['ordering', 'ordered', 'unknown', 'refused', 'cancelled'] as const
export type PickupState = (typeof pickupStates)[number]

/** `open`: whose day has not passed, and which is not cancelled. */
export const pickupViews = ['open', 'unknown', 'all'] as const
export const pickupSorts = ['-day', 'day', 'courier', '-created'] as const
