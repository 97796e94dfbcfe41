/** Wagons filled one after the other, the most urgent orders first. */
type O = { id: number; stops: number[]; weight_g: number; volume_ml: number; heaviest_g: number; pinned: boolean; deadline: number | null }
type I = {
  orders: O[]
  wagon: { slots: { max_weight_g: number | null; max_volume_ml: number | null; row: number }[]; max_weight_g: number | null }
  between: (a: number, b: number) => number
  start: number
  end: number
  seed: number
  most_wagons?: number
}
type W = { orders: { id: number; slot: number }[]; tour: number[]; length: number }
type P = { wagons: W[]; left: { id: number; reason: 'too_heavy' | 'too_large' | 'no_slot' | 'no_way' }[] }
export function fillWagons({ orders, wagon, between, start, end, most_wagons }: I): P {
  const left: P['left'] = []
  const wagons: W[] = []
  let cur: O[] = []
  const close = () => {
    if (cur.length === 0) return
    const todo = new Set(cur.flatMap(o => o.stops))
    const tour: number[] = []
    let at = start,
      length = 0
    while (todo.size) {
      let best = -1,
        d = Infinity
      for (const s of todo)
        if (between(at, s) < d) {
          d = between(at, s)
          best = s
        }
      todo.delete(best)
      tour.push(best)
      length += d
      at = best
    }
    length += between(at, end)
    wagons.push({ orders: cur.map((o, i) => ({ id: o.id, slot: i })), tour, length })
    cur = []
  }
  for (const o of orders) {
    const maxW = Math.max(...wagon.slots.map(s => s.max_weight_g ?? Infinity)),
      maxV = Math.max(...wagon.slots.map(s => s.max_volume_ml ?? Infinity))
    if (o.weight_g > maxW || (wagon.max_weight_g !== null && o.weight_g > wagon.max_weight_g)) {
      left.push({ id: o.id, reason: 'too_heavy' })
      continue
    }
    if (o.volume_ml > maxV) {
      left.push({ id: o.id, reason: 'too_large' })
      continue
    }
    if (o.stops.some(s => !Number.isFinite(between(start, s)))) {
      left.push({ id: o.id, reason: 'no_way' })
      continue
    }
    if (
      cur.length >= wagon.slots.length ||
      (wagon.max_weight_g !== null && cur.reduce((a, x) => a + x.weight_g, 0) + o.weight_g > wagon.max_weight_g)
    )
      close()
    if (most_wagons && wagons.length >= most_wagons) {
      left.push({ id: o.id, reason: 'no_slot' })
      continue
    }
    cur.push(o)
  }
  close()
  return { wagons, left }
}
export const improveWagons = async (_: I, plan: P, __: object): Promise<P> => plan
