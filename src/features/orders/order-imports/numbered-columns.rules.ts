/** Columns that repeat for each item of an order: `Item 1`, `Quantity 1`, `Item 2`, `Quantity 2`. The first set is mapped, the others follow it. */
import { isOneOf } from '#domain/objects.ts'
import { lineFields } from './columns.rules.ts'
import type { Mapping } from './mapping.rules.ts'

/** The places of one set: of a mapped column → of the column that holds the same for this item, -1 where it has none. */
type ItemPlaces = ReadonlyMap<number, number>

const numbered = /^(\D*)(\d{1,2})(\D*)$/

/** Every further set of columns whose quantity is there; empty for nearly all files. */
export function furtherItems({ columns }: Pick<Mapping, 'columns'>, headers: readonly string[]): ItemPlaces[] {
  const places = new Map(headers.map((header, place) => [header, place]))
  const first = Object.entries(columns).flatMap(([column, field]) => {
    const [, before, number, after] = numbered.exec(column) ?? []
    const place = places.get(column)
    return number && place !== undefined && field !== 'items' && isOneOf(lineFields, field) ? [{ field, place, before, number, after }] : []
  })
  const counted = first.find(({ field }) => field === 'qty')
  if (!counted) return []
  const sets: ItemPlaces[] = []
  for (let number = Number(counted.number) + 1; number < 100; number++) {
    const set = new Map<number, number>()
    for (const { place, before, after } of first) {
      const other = places.get(`${before}${number}${after}`)
      set.set(place, other === undefined || columns[headers[other] ?? ''] ? -1 : other)
    }
    if (set.get(counted.place) === -1) break
    sets.push(set)
  }
  return sets
}
