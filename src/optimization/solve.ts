/** JSON lines interface of the algorithms, for tests, benchmarks and use without the web application. */

import * as z from 'zod'
import { elementAt } from '#optimization/arrays/element-at.ts'
import { batchOrders } from './batches/batches.ts'
import { packCrates } from './boxes/crates.ts'
import { fill } from './boxes/fill.ts'
import { routeMap } from './grid-map.ts'
import { routeBlocks } from './routes/blocks.ts'

/** Limits of a question; a larger one is rejected with a sentence. */
export const solveLimits = {
  ...{ line_bytes: 8_000_000, picks: 1_000, aisles: 10_000, crossAisles: 100, side: 500, orders: 20_000 },
  ...{ boxes: 100, pieces: 1_000, side_mm: 100_000, weight_g: 100_000_000 },
} as const

const number = z.number().min(-1e9).max(1e9)
const whole = z.number().int().min(-1e9).max(1e9)
const AislePlace = z.tuple([whole, number])
const Spot = z.tuple([whole, whole])

const RouteBlocks = z.object({
  aisles: z.number().int().min(1).max(solveLimits.aisles),
  aisleGap: number.min(0),
  crossAisleY: z.array(number).max(solveLimits.crossAisles),
  depot: AislePlace,
  picks: z.array(AislePlace).max(solveLimits.picks),
  end: AislePlace.optional(),
})

const RouteMap = z.object({
  grid: z.array(z.string().max(solveLimits.side)).max(solveLimits.side),
  depot: Spot,
  picks: z.array(Spot).max(solveLimits.picks),
  end: Spot.optional(),
})

const batchFields = z.object({
  aisles: z.number().int().min(1).max(solveLimits.aisles),
  cells: z.number().int().min(1).max(solveLimits.aisles),
  aisleGap: number.min(0),
  cellGap: number.min(0),
  endGap: number.min(0),
  depot: z.tuple([whole, z.enum(['bottom', 'top'])]),
  capacity: number.min(0),
  orders: z.array(z.array(z.tuple([whole, whole, number.min(0)])).max(solveLimits.picks)).max(solveLimits.orders),
  limit_ms: z.number().min(0).max(600_000).optional(),
  seed: z.number().int().optional(),
})

/** A set of places is a bit for each of them; up to 14 orders have 2^14 sets. This limit is 200 MB. */
const Batch = batchFields.refine(
  ({ aisles, cells, orders }) =>
    aisles * Math.ceil((cells + 2) / 32) * Math.max(orders.length, 2 ** Math.min(orders.length, 14)) <= 50_000_000,
  { path: ['orders'], error: 'Too many for so large a block: fewer orders, aisles or cells' },
)

const side = z.number().positive().max(solveLimits.side_mm)
const Size = z.tuple([side, side, side])
const weight = z.number().min(0).max(solveLimits.weight_g)

const crateFields = z.object({
  boxes: z
    .array(z.object({ name: z.string().max(200), inner: Size, max_weight: weight, tare: weight.default(0), cost: number.min(0) }))
    .max(solveLimits.boxes),
  items: z
    .array(
      z.object({
        id: z.union([z.string().max(200), number]),
        size: Size,
        weight,
        qty: z.number().int().min(0).max(solveLimits.pieces),
        keep_flat: z.boolean().default(false),
      }),
    )
    .max(solveLimits.pieces),
  limit_ms: z.number().min(0).max(600_000).optional(),
})

const Crates = crateFields.refine(({ items }) => items.reduce((sum, { qty }) => sum + qty, 0) <= solveLimits.pieces, {
  path: ['items'],
  error: `An order may have ${solveLimits.pieces} pieces at most`,
})

const fillFields = z.object({
  box: z.object({ inner: Size, max_weight: weight.optional(), tare: weight.optional() }),
  items: z
    .array(
      z.object({
        ...{ id: z.union([z.string().max(200), number]), size: Size, weight: weight.default(0) },
        ...{ qty: z.number().int().min(0).max(solveLimits.pieces), keep_flat: z.boolean().default(false) },
        // Whether the first, the second and the third side may stand upright.
        upright: z.tuple([z.boolean(), z.boolean(), z.boolean()]).optional(),
        // Carries nothing, or no piece heavier than so much.
        ...{ fragile_top: z.boolean().default(false), bears: weight.optional() },
      }),
    )
    .max(solveLimits.pieces),
  support: z.literal([0, 0.6, 1]).default(0.6),
  limit_ms: z.number().min(0).max(600_000).optional(),
})

const Fill = fillFields.refine(({ items }) => items.reduce((sum, { qty }) => sum + qty, 0) <= solveLimits.pieces, {
  path: ['items'],
  error: `A box may have ${solveLimits.pieces} pieces at most`,
})

/** The handler of each kind of question. An answer has its fields beside the question's id. */
const kinds: Record<string, (question: unknown) => object> = {
  'route-blocks': question => routeBlocks(RouteBlocks.parse(question)),
  'route-map': question => routeMap(RouteMap.parse(question)),
  batch: question => batchOrders(Batch.parse(question)),
  crates: question => packCrates(Crates.parse(question)),
  fill: question => fill(Fill.parse(question)),
}

/** The answer to one line, without its line break: `{ id, … }`, or `{ id, error }` with a sentence. Never throws. */
export function answerTo(line: string): string {
  let id: unknown = null
  try {
    const question = readObject(line)
    id = question.id ?? null
    const { kind } = question
    const solve = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
    if (!solve) throw new RangeError(`kind must be one of ${Object.keys(kinds).join(', ')}`)
    return JSON.stringify({ id, ...solve(question) })
  } catch (thrown) {
    return JSON.stringify({ id, error: sentenceOf(thrown) })
  }
}

function readObject(line: string): Record<string, unknown> {
  let read: unknown
  try {
    read = JSON.parse(line)
  } catch {
    throw new RangeError('This line is not JSON')
  }
  if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new RangeError('A line must hold one JSON object')
  return read as Record<string, unknown>
}

function sentenceOf(thrown: unknown): string {
  if (!(thrown instanceof z.ZodError)) return thrown instanceof Error ? thrown.message : String(thrown)
  const { path, message } = elementAt(thrown.issues, 0)
  const name = path.reduce<string>(
    (sum, part) => (typeof part === 'number' ? `${sum}[${part}]` : sum ? `${sum}.${String(part)}` : String(part)),
    '',
  )
  return name ? `${name}: ${message}` : message
}

/** One line of answer for each line of input, in order, as soon as it arrives. A last line without a line break counts too. */
export async function* solveLines(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  let parts: Uint8Array[] = []
  let length = 0
  // The bytes of a line that is too long are discarded at once.
  const keep = (bytes: Uint8Array) => {
    length += bytes.length
    if (length <= solveLimits.line_bytes) parts.push(bytes)
    else parts = []
  }
  const answer = () => {
    const line = length > solveLimits.line_bytes ? null : decoder.decode(Buffer.concat(parts))
    parts = []
    length = 0
    return `${line === null ? tooLong : answerTo(line)}\n`
  }
  for await (const chunk of input) {
    const bytes = typeof chunk === 'string' ? encoder.encode(chunk) : chunk
    let from = 0
    for (let end = bytes.indexOf(lineBreak); end >= 0; end = bytes.indexOf(lineBreak, from)) {
      keep(bytes.subarray(from, end))
      yield answer()
      from = end + 1
    }
    if (from < bytes.length) keep(bytes.subarray(from))
  }
  if (length > 0) yield answer()
}

const lineBreak = 10
const encoder = new TextEncoder()
const decoder = new TextDecoder()
const tooLong = JSON.stringify({ id: null, error: `A line may have ${solveLimits.line_bytes} bytes at most` })
