/** How severe a finding about a row of an imported file is, with its word and its colour. */

/** `refused`: the whole order stays out. `left_out`: only this row does. `noted`: taken, and worth knowing. `skipped`: rightly no order, as a cancellation. */
export type RowSeverity = 'refused' | 'left_out' | 'noted' | 'skipped'

export const severityWords = {
  refused: 'Refused',
  left_out: 'Left out',
  skipped: 'Skipped',
  noted: 'Noted',
} as const
export const severityTones = { refused: 'stop', left_out: 'soon', skipped: 'quiet', noted: 'plain' } as const
