/** Columns with values that a mapping does not use, and what they seem to hold: nothing of a file is left out without a word. */
import { cellText } from '#domain/csv-text.ts'
import { numberIn, valuesFit } from './column-values.rules.ts'
import type { Mapping } from './mapping.rules.ts'
import { furtherItems } from './numbered-columns.rules.ts'

export const columnContents = ['amounts', 'numbers', 'dates', 'texts'] as const
export interface UnusedColumn {
  column: string
  holds: (typeof columnContents)[number]
}

/** As many rows show what a column holds. */
const looked = 200

export function unusedColumns(mapping: Mapping, headers: readonly string[], rows: readonly (readonly string[])[]): UnusedColumn[] {
  const followed = new Set(furtherItems(mapping, headers).flatMap(set => [...set.values()]))
  return headers.flatMap((column, place) => {
    if (mapping.columns[column] || mapping.cancelled?.column === column || followed.has(place)) return []
    const written = new Set(rows.slice(0, looked).map(cells => cells[place] ?? ''))
    const values = [...written].map(cellText).filter(value => value !== '')
    return values.length === 0 ? [] : [{ column, holds: contentOf(values) }]
  })
}

function contentOf(values: readonly string[]): UnusedColumn['holds'] {
  if (valuesFit('ordered_at', values)) return 'dates'
  const numbers = values.filter(value => numberIn(value) !== null)
  if (numbers.length < values.length * 0.8) return 'texts'
  return numbers.some(value => /[.,]\d{2}\b|\p{Sc}/u.test(value)) ? 'amounts' : 'numbers'
}
