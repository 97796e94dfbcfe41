/** Severity of a finding about a row of an imported file, with its label and colour. */

/** `refused`: the whole order is left out. `left_out`: only this row is. `noted`: imported, with a remark. `skipped`: correctly no order, as a cancellation. */
export type RowSeverity = 'refused' | 'left_out' | 'noted' | 'skipped'

export const severityWords = {
  refused: 'Rejected',
  left_out: 'Left out',
  skipped: 'Skipped',
  noted: 'Noted',
} as const
export const severityTones = { refused: 'stop', left_out: 'soon', skipped: 'quiet', noted: 'plain' } as const
