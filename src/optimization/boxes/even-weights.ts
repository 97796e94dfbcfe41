/** Parcels of one order weigh about the same where that costs nothing: pieces change crates while the difference falls and both still pack. */
import { elementAt } from '#optimization/arrays/element-at.ts'
import type { Crate, Packer } from './crate-packer.ts'

/** Packings that are tried for one order. */
const mostTries = 40
/** A smaller part of the heavier parcel is no difference that a person feels. */
const leastDifference = 0.05

/** The crates stay as they are, and with them the cost; `tareOf` is the weight of an empty one. */
export function evenWeights(packer: Packer, crates: readonly Crate[], tareOf: (crate: Crate) => number): Crate[] {
  const now = [...crates]
  if (now.length < 2) return now
  const weightOf = (kind: number) => elementAt(packer.kinds, kind).weight
  const weightIn = (crate: Crate) => crate.placed.reduce((sum, { kind }) => sum + weightOf(kind), tareOf(crate))
  let tries = 0

  /** Both crates with a piece moved or two exchanged; null where no exchange makes them more alike. */
  function exchanged(heavy: Crate, light: Crate): [Crate, Crate] | null {
    const difference = weightIn(heavy) - weightIn(light)
    if (difference <= leastDifference * weightIn(heavy)) return null
    const [out, back] = [kindsIn(heavy), kindsIn(light)]
    const changes = out
      .flatMap(kind => [null, ...back].map(other => ({ kind, other, moved: weightOf(kind) - (other === null ? 0 : weightOf(other)) })))
      // A crate is never emptied: with one crate less the order would have been cheaper.
      .filter(({ moved, other }) => moved > 0 && moved < difference && (other !== null || heavy.placed.length > 1))
      .toSorted((a, b) => Math.abs(difference - 2 * a.moved) - Math.abs(difference - 2 * b.moved) || a.kind - b.kind)
    for (const { kind, other } of changes) {
      if (tries++ >= mostTries || packer.late()) return null
      const less = repacked(heavy, kind, other)
      const more = less && repacked(light, other, kind)
      if (less && more) return [less, more]
    }
    return null
  }

  function repacked(crate: Crate, out: number | null, into: number | null): Crate | null {
    const counts = packer.kinds.map((_, kind) => (into === kind ? 1 : 0) - (out === kind ? 1 : 0))
    for (const { kind } of crate.placed) counts[kind] = (counts[kind] ?? 0) + 1
    const placed = packer.pack(packer.containers.indexOf(crate.container), counts)
    return placed && { ...crate, placed }
  }

  /** The heaviest crate with the lightest one with which it can exchange something. */
  function once(): boolean {
    const [heavy, ...others] = now
      .map((crate, at) => ({ crate, at }))
      .toSorted((a, b) => weightIn(b.crate) - weightIn(a.crate) || a.at - b.at)
    for (const light of others.toReversed()) {
      const both = heavy && exchanged(heavy.crate, light.crate)
      if (!both) continue
      ;[now[heavy.at], now[light.at]] = both
      return true
    }
    return false
  }

  while (tries < mostTries && once());
  return now
}

const kindsIn = ({ placed }: Crate): number[] => [...new Set(placed.map(({ kind }) => kind))].toSorted((a, b) => a - b)
