/**
 * Requests at times that are fixed beforehand, whether the earlier ones are answered or not: a slow answer does not slow the next request, and
 * what a request waits before it is sent counts as its time.
 */
import type { Chance } from '#optimization/random/seeded-random.ts'

export interface Arrival<Kind extends string> {
  /** Milliseconds after the beginning. */
  at: number
  kind: Kind
}

/** Independent arrivals, `rate` a second on average, each of a kind by its share. */
export function arrivals<Kind extends string>(
  shares: Readonly<Partial<Record<Kind, number>>>,
  rate: number,
  seconds: number,
  chance: Chance,
): Arrival<Kind>[] {
  const kinds = Object.entries(shares) as [Kind, number][]
  const whole = kinds.reduce((sum, [, share]) => sum + share, 0)
  const found: Arrival<Kind>[] = []
  for (let at = 0; ; ) {
    at += (-Math.log(1 - chance.next()) * 1_000) / rate
    if (at >= seconds * 1_000) return found
    let drawn = chance.next() * whole
    const kind = kinds.find(([, share]) => {
      drawn -= share
      return drawn < 0
    })?.[0]
    found.push({ at, kind: kind ?? (kinds[0] as [Kind, number])[0] })
  }
}

/** Begins each at its time; ends when all are answered. `begin` is given the instant from which its time counts, by `performance.now()`. */
export async function play<Kind extends string>(
  all: readonly Arrival<Kind>[],
  begin: (kind: Kind, from: number) => Promise<void>,
): Promise<void> {
  const began = performance.now()
  const open = new Set<Promise<void>>()
  for (let next = 0; next < all.length; ) {
    const now = performance.now() - began
    for (let arrival = all[next]; arrival && arrival.at <= now; arrival = all[++next]) {
      const work: Promise<void> = begin(arrival.kind, began + arrival.at).finally(() => open.delete(work))
      open.add(work)
    }
    await new Promise(resolve => setTimeout(resolve, 1))
  }
  await Promise.all(open)
}

/** What was measured of each kind. */
export interface Measured {
  took: Map<string, number[]>
  /** Refusals and broken connections, by what they say. */
  errors: Map<string, number>
}

export const nothingMeasured = (): Measured => ({ took: new Map(), errors: new Map() })

export function note({ took }: Measured, kind: string, ms: number): void {
  const list = took.get(kind)
  if (list) list.push(ms)
  else took.set(kind, [ms])
}

export const all = ({ took }: Measured): number[] => [...took.values()].flat()
export const errorsOf = ({ errors }: Measured): number => [...errors.values()].reduce((sum, n) => sum + n, 0)
