/** Codes and limits that screens and schemas of deadlines share. */

export const deadlineTargets = ['packed', 'handed_over'] as const
export type DeadlineTarget = (typeof deadlineTargets)[number]

export const mostDeadlines = 50

export const weekdays = [1, 2, 3, 4, 5, 6, 7] as const

/** Who set the ship-by date of an order: its shop, a person, its deadline, or the cut-off of its company. */
export const shipBySources = ['shop', 'manual', 'deadline', 'company'] as const
export type ShipBySource = (typeof shipBySources)[number]

/** Holds during which the time of an order does not run: what is missing is not the warehouse's to do. */
export const clockHolds = [
  'payment',
  'fraud',
  'address',
  'no_address',
  'country',
  'postcode',
  'customer',
  'cancel_requested',
  'shop',
  'shop_change',
  'parcel_shop',
  'awaiting_return',
] as const

export const deadlineWords = {
  cutOff: 'The cut-off lies after the pickup. Set an earlier cut-off or add working days.',
  weekday: 'Choose at least one day.',
  name: 'A deadline with this name exists.',
  method: 'This courier has no such method',
  holidays: 'There is no calendar of public holidays of this country.',
  passed: 'This day has passed.',
  far: 'Choose a day in the next two years.',
} as const

/** Clock times as `16:00` compare as text. */
export const isCutOffLate = (fields: { cut_off: string; pickup_time: string; sla_days: number }): boolean =>
  fields.sla_days === 0 && fields.cut_off > fields.pickup_time
