/** Codes and limits that screens and schemas of pick lists share. */

/** `cluster`: a slot for each order · `singles`: orders of one piece, many on a wagon · `order`: one order alone. */
export const listTypes = ['cluster', 'singles', 'order'] as const
export const listStates = ['open', 'picking', 'picked', 'packing', 'completed', 'cancelled'] as const

/** Meanings of colours on wagons: a slot's number is always beside its colour. */
export const slotColours = [
  'red',
  'orange',
  'yellow',
  'green',
  'teal',
  'blue',
  'violet',
  'pink',
  'brown',
  'white',
  'gray',
  'black',
] as const

/** Colours of the rows of a wagon, from its top: rows beside each other differ clearly. */
export const coloursOfRows = [
  'red',
  'yellow',
  'green',
  'blue',
  'violet',
  'orange',
  'teal',
  'pink',
  'brown',
  'gray',
  'white',
  'black',
] as const satisfies readonly (typeof slotColours)[number][]

export const wagonSides = { rows: 12, columns: 12 } as const

export const listSorts = ['newest', 'oldest', 'orders', 'walk'] as const
