/** As much as possible into one box: sizes as they are measured, and the place of each piece that is packed. */
import { elementAt } from '#optimization/arrays/element-at.ts'
import { fillBox } from './block-fill.ts'
import { type Size, turnsOf } from './crate-fill.ts'

export interface ItemToFill {
  readonly id: string | number
  readonly size: Size
  readonly weight?: number | undefined
  readonly qty: number
  /** May be turned around the vertical axis, but not laid on another side. */
  readonly keep_flat?: boolean | undefined
  /** Which of the three sides may stand upright. All, where it is absent. */
  readonly upright?: readonly [boolean, boolean, boolean] | undefined
  /** Carries nothing. */
  readonly fragile_top?: boolean | undefined
  /** The heaviest piece that may stand on one of these. */
  readonly bears?: number | undefined
}

export interface FillInput {
  readonly box: { readonly inner: Size; readonly max_weight?: number | undefined; readonly tare?: number | undefined }
  readonly items: readonly ItemToFill[]
  /** Share of each piece's base that stands on the floor or on other pieces: 0, 0.6 or 1. */
  readonly support?: number | undefined
  /** Time limit in milliseconds. Without it the search has a fixed number of steps instead. */
  readonly limit_ms?: number | undefined
  /** Blocks that are placed in all. Only without a time limit. */
  readonly steps?: number | undefined
  /** Milliseconds. A test or a benchmark may measure the processor's time. */
  readonly clock?: (() => number) | undefined
}

export interface Fill {
  /** From the floor up: each piece stands on earlier ones and is lowered from above, unless there is no support. */
  items: { id: string | number; at: [x: number, y: number, z: number]; size: [w: number, l: number, d: number] }[]
  /** Share of the box's volume that is filled. */
  share: number
}

/** Share of the time limit for the joining of blocks. */
const joiningShare = 0.15
/** Lengths are calculated with as many parts of a millimetre as they have, up to this. */
const finest = 1_000
const hair = 1e-6

export function fill({ box, items, support = 0.6, limit_ms, steps, clock = () => performance.now() }: FillInput): Fill {
  const began = clock()
  const alike = new Map<string, { turns: Size[]; weight: number; bears: number; ids: { id: string | number }[] }>()
  for (const { id, size, weight = 0, qty, keep_flat = false, upright, fragile_top = false, bears } of items) {
    if (qty === 0) continue
    const turns = turnsOf(size, keep_flat).filter(turn => !upright || size.some((side, axis) => upright[axis] && side === turn[2]))
    if (turns.length === 0) continue
    const most = fragile_top ? -1 : (bears ?? Number.POSITIVE_INFINITY)
    const key = `${turns.map(String).sort().join(' ')} ${weight} ${most}`
    const entry = alike.get(key) ?? { turns, weight, bears: most, ids: [] }
    for (let piece = 0; piece < qty; piece++) entry.ids.push({ id })
    alike.set(key, entry)
  }
  const entries = [...alike.values()]
  const scale = scaleOf([...box.inner, ...items.flatMap(({ size }) => size)])
  const scaled = entries.map(({ turns }) =>
    turns.map(([w, l, d]): Size => [Math.ceil(w * scale - hair), Math.ceil(l * scale - hair), Math.ceil(d * scale - hair)]),
  )
  const [W, L, D] = box.inner
  const { placed } = fillBox({
    inner: [Math.floor(W * scale + hair), Math.floor(L * scale + hair), Math.floor(D * scale + hair)],
    carries: (box.max_weight ?? Number.POSITIVE_INFINITY) - (box.tare ?? 0),
    kinds: entries.map(({ weight, bears, ids }, kind) => ({
      ...{ weight, bears, count: ids.length, turns: elementAt(scaled, kind) },
      volume: elementAt(scaled, kind)[0]?.reduce((all, side) => all * side, 1) ?? 0,
    })),
    support,
    atLeastOnce: true,
    ...(limit_ms === undefined
      ? { steps }
      : { late: () => clock() > began + limit_ms, enoughBlocks: () => clock() > began + limit_ms * joiningShare }),
  })
  const given = entries.map(() => 0)
  let volume = 0
  const packed = placed
    .toSorted(({ at: a }, { at: b }) => a[2] - b[2] || a[1] - b[1] || a[0] - b[0])
    .map(({ kind, at: [x, y, z], size }): Fill['items'][number] => {
      const { turns, ids } = elementAt(entries, kind)
      const turn = elementAt(scaled, kind).findIndex(other => other.every((side, axis) => side === size[axis]))
      const [w, l, d] = elementAt(turns, turn)
      volume += w * l * d
      const next = given[kind] ?? 0
      given[kind] = next + 1
      return { id: elementAt(ids, next).id, at: [x / scale, y / scale, z / scale], size: [w, l, d] }
    })
  return { items: packed, share: volume / (W * L * D) }
}

function scaleOf(lengths: readonly number[]): number {
  let scale = 1
  while (scale < finest && lengths.some(length => Math.abs(length * scale - Math.round(length * scale)) > hair)) scale *= 10
  return scale
}
