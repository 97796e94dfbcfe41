/** Codes, limits and order of invoices that screens and schemas share. */

export const invoiceStates = ['draft', 'frozen', 'sent', 'blocked', 'handed_over', 'credited'] as const
export type InvoiceState = (typeof invoiceStates)[number]

export const invoiceKinds = ['invoice', 'credit'] as const

export const invoiceSorts = ['id', '-id', 'invoice_no', '-invoice_no', 'total', '-total', 'parcels', '-parcels'] as const

/** What a parcel lacks before it can stand on an invoice. */
export const gaps = ['contents', 'hs', 'origin', 'description', 'weight', 'value'] as const
export type Gap = (typeof gaps)[number]

/** In the order in which they are shown. */
export const checkCodes = [
  'complete',
  'rate_missing',
  'sums',
  'parcels',
  'regime',
  'lines',
  'minimum',
  'numbers',
  'twice',
  'recipients',
] as const
export type CheckCode = (typeof checkCodes)[number]

export const checkLevels = ['error', 'warning', 'ok'] as const
export type CheckLevel = (typeof checkLevels)[number]

/** Why a parcel of an order does not join the queue. */
export const queueRefusals = ['not_packed', 'no_config', 'skipped', 'cleared_alone', 'already_invoiced'] as const
export type QueueRefusal = (typeof queueRefusals)[number]

export const mostParcels = 10_000
/** Parcels and rows of a check that one answer names. */
export const mostNamed = 50
/** Years after that of the invoice. */
export const yearsKept = 5
