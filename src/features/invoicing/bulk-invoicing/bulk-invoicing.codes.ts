/** Codes and limits of bulk invoicing that screens and schemas share. */

export const deliveryTerms = ['DAP', 'DDP', 'EXW', 'DAT'] as const

/** What goes on one line: goods of one tariff code and origin, or of one product as well. */
export const groupings = ['hs_origin', 'hs_origin_sku'] as const
export type Grouping = (typeof groupings)[number]

export const invoiceFormats = ['pdf', 'csv', 'json'] as const
export type InvoiceFormat = (typeof invoiceFormats)[number]

/** When an invoice is mailed by itself. */
export const sendTimes = ['freeze', 'hand_over', 'manual'] as const
export type SendTime = (typeof sendTimes)[number]

export const mostConfigs = 200

export const configWords = {
  currency: 'Enter a currency such as NOK',
  series: 'Only capital letters, digits, hyphens and slashes',
} as const
