/** What is left when the data of a closed company end, with the reason: what the law keeps, and what holds nothing of the company's any more. */

/** Rows of bookkeeping and working time stay until their own end, which other schedules know. */
const bookkeeping = 'bookkeeping: five years after the financial year'
const workingTime = 'working time: five years and four months'

export const keptTables: Readonly<Record<string, string>> = {
  trade_invoices: bookkeeping,
  trade_invoice_lines: bookkeeping,
  trade_invoice_parcels: bookkeeping,
  pay_periods: bookkeeping,
  pay_exports: bookkeeping,
  pay_export_lines: bookkeeping,
  punches: workingTime,
  punch_versions: workingTime,
  timesheet_days: workingTime,
  timesheet_versions: workingTime,
  access_log: 'the log of accesses ends after 24 months',
  files: 'the content is removed; size and hash stay where other rows may name them',
}

/** Days in which a closed company can be opened again. */
export const graceDays = { least: 7, usual: 30, most: 365 } as const

/** What has to end before a company is closed, in the order in which it is shown. */
export const blockKinds = ['orders', 'hand_overs', 'invoices', 'returns'] as const
export type BlockKind = (typeof blockKinds)[number]
