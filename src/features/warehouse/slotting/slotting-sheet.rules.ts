/** Slotting advice as a table for a spreadsheet. */
import type { Swap } from './slotting.schemas.ts'

/** Text that a spreadsheet would run as a formula is written as text. */
const cell = (value: string | number): string => {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** CSV with a byte order mark; `titles` name the columns. */
export function slottingAsCsv(swaps: readonly Swap[], titles: readonly string[]): string {
  const rows = swaps.map(({ product, from_bin, to_bin, other, saved_metres_per_day }) => [
    product.company,
    product.sku,
    product.name,
    product.picks,
    from_bin,
    to_bin,
    other?.sku ?? '',
    other?.name ?? '',
    other?.picks ?? '',
    saved_metres_per_day,
  ])
  return `\uFEFF${[titles, ...rows].map(row => row.map(cell).join(',')).join('\r\n')}\r\n`
}
