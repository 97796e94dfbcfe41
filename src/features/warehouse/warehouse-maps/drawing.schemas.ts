/** A drawn warehouse: a grid of cells, the locations that are picked from it, and what makes walking slower or possible at all. */
import * as z from 'zod'
import { drawingLimits, sides } from './drawing.codes.ts'

const coordinate = z
  .number()
  .int()
  .min(0)
  .max(drawingLimits.side - 1)
const Name = z.string().trim().min(1).max(60)
export const Side = z.enum(sides)
export type Side = z.infer<typeof Side>

/** A location lies in the cell (x, y) and is picked from the neighbour on its side: north is the row above. */
export const Location = z.object({
  code: z.string().trim().min(1).max(40),
  x: coordinate,
  y: coordinate,
  side: Side,
  level: z.number().int().min(0).max(20).default(0),
})
export type Location = z.infer<typeof Location>

/** Where wagons start, or a packing station where they end. */
export const Spot = z.object({ name: Name, x: coordinate, y: coordinate })
export type Spot = z.infer<typeof Spot>

/** A rectangle of cells in which every step counts `cost` times: crowded, slow, another climate. */
export const Zone = z.object({
  name: Name,
  x: coordinate,
  y: coordinate,
  width: z.number().int().min(1).max(drawingLimits.side),
  height: z.number().int().min(1).max(drawingLimits.side),
  cost: z.number().min(1).max(20),
})
export type Zone = z.infer<typeof Zone>

/** Stairs, a ramp or a lift: leads from one cell to another and costs as much as walking `metres`. */
export const Stair = z.object({
  name: Name,
  from: z.object({ x: coordinate, y: coordinate }),
  to: z.object({ x: coordinate, y: coordinate }),
  metres: z.number().min(0).max(1_000),
  one_way: z.boolean().default(false),
})
export type Stair = z.infer<typeof Stair>

export const Drawing = z
  .object({
    width: z.number().int().min(2).max(drawingLimits.side),
    height: z.number().int().min(2).max(drawingLimits.side),
    /** Side of a cell in millimetres. */
    cell_mm: z.number().int().min(100).max(10_000),
    /** One string per row, from the north; every string as long as the width. */
    /**
     * What a cell is: `.` walk, `#` rack, `x` blocked (a pillar, a wall, closed), `^ v < >` one-way: from such a cell only the
     * neighbour in its direction may be entered. Any cell that can be walked may be entered from any side.
     */
    cells: z.array(z.string().max(drawingLimits.side)).max(drawingLimits.side),
    locations: z.array(Location).max(drawingLimits.locations),
    starts: z.array(Spot).max(drawingLimits.places),
    stations: z.array(Spot).max(drawingLimits.places),
    zones: z.array(Zone).max(drawingLimits.zones),
    stairs: z.array(Stair).max(drawingLimits.stairs),
  })
  .superRefine(({ width, height, cells }, context) => {
    if (cells.length !== height || cells.some(row => row.length !== width))
      context.addIssue({ code: 'custom', path: ['cells'], message: 'The grid is not as large as it says' })
    else if (cells.some(row => /[^.#x^v<>]/.test(row)))
      context.addIssue({ code: 'custom', path: ['cells'], message: 'The grid holds a sign that means nothing' })
  })
export type Drawing = z.infer<typeof Drawing>
