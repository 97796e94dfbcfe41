/** Codes of additional products that screens and schemas share, and the words of their schemas. */

/** How often an order or a customer gets it. */
export const additionFrequencies = ['order', 'customer'] as const
export type AdditionFrequency = (typeof additionFrequencies)[number]

/** What the packer does: reads it, says that it is in the parcel, or scans it. */
export const additionHandlings = ['show', 'confirm', 'scan'] as const
export type AdditionHandling = (typeof additionHandlings)[number]

/** Blocked: it would need an HS code and a value to cross the border. */
export const additionStates = ['planned', 'packed', 'skipped', 'blocked', 'released'] as const
export type AdditionState = (typeof additionStates)[number]

/** Why a packer closes the parcel without it. What is left out on purpose goes back into the stock. */
export const skipReasons = ['missing', 'damaged', 'left_out'] as const
export type SkipReason = (typeof skipReasons)[number]

export const additionalProductSorts = ['position', '-position', 'name', '-name', 'stock_left', '-stock_left'] as const

export const mostAdditionalProducts = 200

export const additionWords = {
  name: 'An additional product needs a name',
  barcode: 'Enter the barcode that the packer scans',
  currency: 'Enter a currency, such as DKK',
  value: 'Enter the value and its currency',
  dates: 'The last day is before the first',
  day: 'Enter a day, such as 2026-11-23',
} as const
