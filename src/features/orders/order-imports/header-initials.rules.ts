/** Addresses whose columns are marked with initials alone: `L_PLZ`, `KLOrt`, `adresse_f`. Several columns with the same letters show it. */
import type { Column } from './column-evidence.rules.ts'
import { meaningsOf } from './header-words.rules.ts'

/** Letters → a word for the party: delivery, shipping, Lieferung, levering; billing, Rechnung, faktura; customer, Kunde. */
const initials: Readonly<Record<string, string>> = {
  l: 'delivery',
  s: 'delivery',
  d: 'delivery',
  kl: 'delivery',
  b: 'billing',
  r: 'billing',
  f: 'billing',
  kr: 'billing',
  k: 'customer',
  c: 'customer',
}

const before = /^(k[lr]|[lsdbrfkc])(?:[_ .-]+(.{2,})|(?<=[A-Z])([A-Z].+|email|mail|tel.*))$/i
const after = /^(.{2,}?)[_ .-]+([lsdbrfkc])$/i
/** As many columns of an address are no accident. */
const fewest = 3

interface Marked {
  column: Column
  letters: string
  fact: string
}

function marked(column: Column): Marked[] {
  const [, first = '', apart, joined] = before.exec(column.header) ?? []
  const [, fact = '', last = ''] = after.exec(column.header) ?? []
  const found = [
    { letters: first.toLowerCase(), fact: apart ?? joined ?? '' },
    { letters: last.toLowerCase(), fact },
  ]
  return found.flatMap(mark =>
    mark.fact !== '' && meaningsOf(mark.fact).some(({ field, score }) => field.startsWith('ship_') && score >= 70)
      ? [{ column, ...mark }]
      : [],
  )
}

/** Gives columns that no name explains the meaning of their name without the letters, for the party that the letters stand for. */
export function takeInitials(columns: readonly Column[]): void {
  const groups = Map.groupBy(
    columns.filter(column => !column.meanings.some(({ score }) => score >= 60)).flatMap(marked),
    ({ letters }) => letters,
  )
  for (const [letters, group] of groups) {
    if (group.length < fewest) continue
    for (const { column, fact } of group) column.meanings = meaningsOf(`${initials[letters]} ${fact}`).map(meaning => ({ ...meaning }))
  }
}
