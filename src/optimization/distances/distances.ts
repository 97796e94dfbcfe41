/** Distances between all places where a picker stands, measured once for a map and stored as a file. */
import type { Cell, Floor } from './floor.ts'
import { newWave, nodeAt, walksOf } from './grid-graph.ts'

export interface Distances {
  readonly cells: readonly Cell[]
  readonly size: number
  /** Decimetres, Infinity without a path. Distances above 6,553 metres are all stored as the maximum. */
  between(from: number, to: number): number
}

/** This many places take 288 MB of distances; a floor of 400 × 400 cells with racks on both sides of its aisles has fewer. */
export const mostPlaces = 12_000

const noWay = 65_535
const longest = 65_534
/** Work between two reports, in milliseconds: the event loop runs in between. */
const reportEvery_ms = 25
const tables = new WeakMap<Distances, Uint16Array>()

/**
 * Measures all distances between the given cells; a cell that is not walkable has no path to any other.
 * `onProgress` is awaited about every 25 ms of work and may throw to stop. Throws a RangeError for more than `mostPlaces` cells.
 */
export async function measure(
  floor: Floor,
  cells: readonly Cell[],
  onProgress?: (done: number, total: number) => void | Promise<void>,
): Promise<Distances> {
  const size = cells.length
  if (size > mostPlaces) throw new RangeError(`A map can have ${mostPlaces} places to stand at; this one has ${size}`)
  const walks = walksOf(floor)
  const nodes = Int32Array.from(cells, cell => nodeAt(walks, floor, cell))
  const wanted = new Uint8Array(walks.cellOf.length)
  for (const node of nodes) if (node >= 0) wanted[node] = 1
  const count = wanted.reduce((sum, one) => sum + one, 0)

  const table = new Uint16Array(size * size).fill(noWay)
  const { distance, spread } = newWave(walks)
  const decimetres = walks.unit_mm / 100
  let since = performance.now()
  for (let from = 0; from < size; from++) {
    const row = from * size
    if ((nodes[from] ?? 0) >= 0) {
      spread(nodes[from] ?? 0, wanted, count)
      for (let to = 0; to < size; to++) {
        const node = nodes[to] ?? 0
        const units = node < 0 ? -1 : (distance[node] ?? 0)
        if (units >= 0) table[row + to] = Math.min(longest, Math.round(units * decimetres))
      }
    }
    table[row + from] = 0
    if (performance.now() - since < reportEvery_ms) continue
    await onProgress?.(from + 1, size)
    await new Promise(resolve => setTimeout(resolve))
    since = performance.now()
  }
  await onProgress?.(size, size)
  return fromTable(cells, table)
}

function fromTable(cells: readonly Cell[], table: Uint16Array): Distances {
  const size = cells.length
  const distances: Distances = {
    cells,
    size,
    between(from, to) {
      const decimetres = table[from * size + to] ?? 0
      return decimetres === noWay ? Number.POSITIVE_INFINITY : decimetres
    },
  }
  tables.set(distances, table)
  return distances
}

const sign = 'PKD1'

/**
 * Serializes distances: `PKD1`, then little-endian Uint32 size and length of the hash in bytes, the hash (UTF-8, padded to an even length),
 * a Uint16 pair x, y for each cell, and the table row by row, Uint16 decimetres, 65535 where there is no path.
 */
export function encode(distances: Distances, hash: string): Uint8Array<ArrayBuffer> {
  const { size, cells } = distances
  const name = new TextEncoder().encode(hash)
  const cellsAt = 12 + name.length + (name.length % 2)
  const tableAt = cellsAt + size * 4
  const bytes = new Uint8Array(tableAt + size * size * 2)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(sign))
  view.setUint32(4, size, true)
  view.setUint32(8, name.length, true)
  bytes.set(name, 12)
  cells.forEach(({ x, y }, index) => {
    view.setUint16(cellsAt + index * 4, x, true)
    view.setUint16(cellsAt + index * 4 + 2, y, true)
  })
  const table = tables.get(distances)
  if (table && littleEndian) bytes.set(new Uint8Array(table.buffer, table.byteOffset, table.byteLength), tableAt)
  else
    for (let from = 0; from < size; from++)
      for (let to = 0; to < size; to++) {
        const decimetres = distances.between(from, to)
        view.setUint16(
          tableAt + (from * size + to) * 2,
          Number.isFinite(decimetres) ? Math.min(longest, Math.round(decimetres)) : noWay,
          true,
        )
      }
  return bytes
}

const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1

/** Throws a RangeError where the bytes are not a complete file. */
export function decode(bytes: Uint8Array): Distances & { hash: string } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 12 || new TextDecoder().decode(bytes.subarray(0, 4)) !== sign) throw new RangeError('These bytes are no distances')
  const size = view.getUint32(4, true)
  const nameLength = view.getUint32(8, true)
  const cellsAt = 12 + nameLength + (nameLength % 2)
  const tableAt = cellsAt + size * 4
  if (bytes.length !== tableAt + size * size * 2) throw new RangeError('The distances are not whole')
  const cells: Cell[] = []
  for (let at = cellsAt; at < tableAt; at += 4) cells.push({ x: view.getUint16(at, true), y: view.getUint16(at + 2, true) })
  const table = new Uint16Array(size * size)
  if (littleEndian) new Uint8Array(table.buffer).set(bytes.subarray(tableAt))
  else for (let entry = 0; entry < table.length; entry++) table[entry] = view.getUint16(tableAt + entry * 2, true)
  const hash = new TextDecoder().decode(bytes.subarray(12, 12 + nameLength))
  return Object.assign(fromTable(cells, table), { hash })
}

/** The cells of a shortest path, both ends included; a stair is a jump; empty without a path. */
export function pathBetween(floor: Floor, from: Cell, to: Cell): Cell[] {
  const walks = walksOf(floor)
  const start = nodeAt(walks, floor, from)
  const goal = nodeAt(walks, floor, to)
  if (start < 0 || goal < 0) return []
  const wanted = new Uint8Array(walks.cellOf.length)
  wanted[goal] = 1
  const { distance, before, spread } = newWave(walks, { trace: true })
  spread(start, wanted, 1)
  if (distance[goal] === -1) return []
  const path: Cell[] = []
  for (let node = goal; node !== -1; node = before[node] ?? 0) {
    const cell = walks.cellOf[node] ?? 0
    path.push({ x: cell % floor.width, y: Math.floor(cell / floor.width) })
  }
  return path.reverse()
}
