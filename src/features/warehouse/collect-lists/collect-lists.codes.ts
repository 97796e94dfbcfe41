/** Codes and limits that screens and schemas of collect lists share. */

/** open → scanning → closed → handed_over; reopened lists are scanning again. */
export const collectStates = ['open', 'scanning', 'closed', 'handed_over'] as const

/** Why a parcel of the list was not there. */
export const missingReasons = ['not_found', 'damaged', 'next_pickup'] as const

export const cageColours = ['blue', 'green', 'orange', 'red', 'violet', 'teal', 'yellow', 'pink', 'brown', 'gray'] as const
