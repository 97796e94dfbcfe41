/** What surrounds the table in a file: titles above the header, sums and remarks below the rows. */
import type { Row } from '#domain/csv-text.ts'
import { fold } from './columns.rules.ts'
import { meaningsOf } from './header-words.rules.ts'

/** Titles above a header take a few rows. */
const mostTitleRows = 30

/** The row of the header among the first of a file: the one with the most known column names. The first row where none is known. */
export function headerRowOf(rows: readonly Row[]): number {
  const known = (row: Row) => {
    const cells = row.cells.filter(cell => cell.trim() !== '' && cell.length <= 100)
    return cells.length < 2 ? 0 : cells.filter(cell => !/^\W*[\d.,:/-]+\W*$/.test(cell) && meaningsOf(cell).length > 0).length
  }
  const first = rows[0]
  if (!first) return 1
  let best = first
  let most = known(first)
  for (const row of rows.slice(1, mostTitleRows)) {
    const count = known(row)
    // Values are words too: a later row has to be a clearly better header.
    if (count >= 2 && count > most * 2) {
      best = row
      most = count
    }
  }
  return best.row
}

const sumWords =
  /^(?:(?:grand|sub|order|sheet)[ -]?)?total(?:t|en|er|s|e|i|es|summe)?\b|^(?:totaal|yhteensa|razem|lacznie|celkem|somma|suma)\b|^i ?alt\b|^(?:gesamt|zwischen|end)?summe\b|^gesamt(?:betrag|ergebnis|anzahl)?\b|^sum(?:ma)?\b|^samlet\b|^sluttsum\b|^(?:anzahl|antal|antall|number of) \p{L}+|^totals?[: ]|^(?:records?|rows?|orders?)(?:\(s\))? (?:downloaded|exported|listed)\b/u

/** Whether a text begins a row of sums: `Total`, `I alt:`, `Gesamtsumme`, `Antal ordrer: 3`. */
export const isSumWord = (text: string): boolean => /^\s*\p{L}/u.test(text) && text.length <= 100 && sumWords.test(fold(text).trim())
