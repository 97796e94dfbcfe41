/** Drawings in files: locations as CSV, whole maps as JSON – out, and back in with a sentence for every row that is not understood. */
import { stringify } from 'csv-stringify/sync'
import { unprocessable } from '#contract/errors.ts'
import { cellText, detectSeparator } from '#domain/csv-text.ts'
import { isRecord } from '#domain/objects.ts'
import { safeCell } from '#features/orders/orders/export.server.ts'
import { readRows } from '#platform/csv/csv-rows.ts'
import { binKey } from './bins.rules.ts'
import { drawingLimits } from './drawing.codes.ts'
import { Drawing, type Location, type Side } from './drawing.schemas.ts'
import { listedFindings } from './warehouse-maps.contract.ts'
import type { Imported } from './warehouse-maps.schemas.ts'

const columns = ['location', 'x', 'y', 'side', 'level'] as const
type Column = (typeof columns)[number]

/** With a byte order mark, which spreadsheets need to see UTF-8. */
export const locationsAsCsv = ({ locations }: Drawing): string =>
  `\uFEFF${stringify([[...columns], ...locations.map(({ code, x, y, side, level }) => [safeCell(code), x, y, side, level])], { record_delimiter: '\r\n' })}`

export const mapAsJson = (title: string, drawing: Drawing): string => JSON.stringify({ pakhus_map: 1, title, drawing }, null, 1)

type Problem = Imported['problems'][number]

const names: Record<string, Column> = {
  location: 'location',
  code: 'location',
  bin: 'location',
  x: 'x',
  y: 'y',
  side: 'side',
  level: 'level',
}
const sides: Record<string, Side> = { n: 'n', e: 'e', s: 's', w: 'w', north: 'n', east: 'e', south: 's', west: 'w' }

/**
 * Reads locations into `onto`, or into a new drawing around them. Their cells become racks where nothing else was drawn; the
 * grid grows as far as they need. Rows with a problem are left out and reported.
 */
export async function readLocations(text: string, onto: Drawing | null): Promise<Imported> {
  const problems: Problem[] = []
  const read = new Map<string, { row: number; location: Location }>()
  let places: Map<Column, number> | undefined
  for await (const batch of readRows([text.replace(/^\uFEFF/, '')], { separator: detectSeparator(text) }))
    for (const { row, cells } of batch) {
      if (!places) {
        places = headerOf(cells)
        continue
      }
      const found = locationOf(cells, places)
      if ('text' in found) {
        problems.push({ row, ...found })
        continue
      }
      const key = binKey(found.code)
      const before = read.get(key)
      if (before)
        problems.push({
          row,
          text: 'The location {{location}} stands in row {{other}} already',
          values: { location: found.code, other: String(before.row) },
        })
      else read.set(key, { row, location: found })
    }
  if (!places) throw unprocessable('file_empty', 'The file is empty')
  const locations = [...read.values()].map(one => one.location)
  const kept = (onto?.locations ?? []).filter(one => !read.has(binKey(one.code)))
  if (kept.length + locations.length > drawingLimits.locations)
    throw unprocessable('map_too_many_locations', 'A map has at most {{most}} locations', { most: drawingLimits.locations })
  return {
    title: null,
    drawing: { ...grown(onto, locations), locations: [...kept, ...locations] },
    added: locations.length - ((onto?.locations.length ?? 0) - kept.length),
    replaced: (onto?.locations.length ?? 0) - kept.length,
    problem_count: problems.length,
    problems: problems.slice(0, listedFindings),
  }
}

function headerOf(cells: readonly string[]): Map<Column, number> {
  const places = new Map<Column, number>()
  for (const [place, cell] of cells.entries()) {
    const column = names[cellText(cell).toLowerCase()]
    if (column && !places.has(column)) places.set(column, place)
  }
  if (!columns.every(column => column === 'level' || places.has(column)))
    throw unprocessable('map_file_header_missing', 'The first row must name the columns location, x, y and side; level is optional')
  return places
}

function locationOf(cells: readonly string[], places: Map<Column, number>): Location | Omit<Problem, 'row'> {
  const text = (column: Column) => cellText(cells[places.get(column) ?? -1] ?? '')
  const code = text('location')
  if (code === '') return { text: 'The location has no code', values: {} }
  if (code.length > 40) return { text: 'The code {{location}} is longer than 40 characters', values: { location: code.slice(0, 60) } }
  const numbers: Record<'x' | 'y' | 'level', number> = { x: 0, y: 0, level: 0 }
  for (const [column, most] of [
    ['x', drawingLimits.side - 1],
    ['y', drawingLimits.side - 1],
    ['level', 20],
  ] as const) {
    const written = text(column)
    if (column === 'level' && written === '') continue
    if (!/^\d{1,6}$/.test(written) || Number(written) > most)
      return {
        text: '{{column}} must be a whole number from 0 to {{most}}, not “{{value}}”',
        values: { column, most: String(most), value: written.slice(0, 60) },
      }
    numbers[column] = Number(written)
  }
  const side = sides[text('side').toLowerCase()]
  if (!side) return { text: 'side must be n, e, s or w, not “{{value}}”', values: { value: text('side').slice(0, 60) } }
  return { code, side, ...numbers }
}

/** The drawing with a grid that holds these locations, a walkable margin around new ones, and racks under them. */
function grown(onto: Drawing | null, locations: readonly Location[]): Drawing {
  const side = (of: 'x' | 'y', least: number) =>
    Math.min(
      drawingLimits.side,
      locations.reduce((most, one) => Math.max(most, one[of] + 2), least),
    )
  const width = side('x', onto?.width ?? 2)
  const height = side('y', onto?.height ?? 2)
  const grid = Array.from({ length: height }, (_, y) => [...(onto?.cells[y] ?? '').padEnd(width, '.')])
  for (const { x, y } of locations) {
    const row = grid[y]
    if (row?.[x] === '.') row[x] = '#'
  }
  const base = onto ?? { cell_mm: 1_000, starts: [], stations: [], zones: [], stairs: [] }
  return { ...base, width, height, cells: grid.map(row => row.join('')), locations: [] }
}

/** Reads a map that was exported here, or a bare drawing. */
export function readMap(text: string): Imported {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    throw unprocessable('file_not_json', 'This file is not valid JSON')
  }
  const whole = isRecord(given) ? given : {}
  const reading = Drawing.safeParse('drawing' in whole ? whole.drawing : given)
  if (!reading.success) {
    const [issue] = reading.error.issues
    throw unprocessable('map_file_unreadable', 'The map in this file is not understood at {{place}}: {{problem}}', {
      place: issue?.path.join('.') || 'drawing',
      problem: issue?.message ?? '',
    })
  }
  const { data } = reading
  return {
    title: typeof whole.title === 'string' ? whole.title.trim().slice(0, 120) || null : null,
    drawing: data,
    added: data.locations.length,
    replaced: 0,
    problem_count: 0,
    problems: [],
  }
}
