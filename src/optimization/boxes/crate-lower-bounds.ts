/** Lower bounds on the cost of crates from the sums of the pieces: the search stops where nothing cheaper is possible. */
import { elementAt } from '#optimization/arrays/element-at.ts'
import type { PricedContainer } from './crate-packer.ts'

/** Crates that are enumerated; for more of them the bound is the cost of volume and weight in the best box. */
const mostTogether = 4
/** With many boxes, the number of crates that can still be enumerated quickly. */
const mostListed = 5_000

interface Cover {
  readonly cost: number
  readonly volume: number
  readonly carries: number
}

export interface Covers {
  /** The least cost of crates for pieces of this volume and weight. */
  leastFor(volume: number, weight: number): number
}

/** `price`: the best cost so far; covers that cost more are not needed. */
export function newCovers(containers: readonly PricedContainer[], price: number): Covers {
  const together = listedBy(containers.length)
  const covers: Cover[] = []
  const add = (from: number, left: number, { cost, volume, carries }: Cover) => {
    for (let container = from; container < containers.length; container++) {
      const more = elementAt(containers, container)
      const sum = { cost: cost + more.cost, volume: volume + more.volume, carries: carries + more.carries }
      if (sum.cost > price) break
      covers.push(sum)
      if (left > 1) add(container, left - 1, sum)
    }
  }
  add(0, together, { cost: 0, volume: 0, carries: 0 })
  covers.sort((a, b) => a.cost - b.cost)
  const perVolume = Math.min(...containers.map(container => container.cost / container.volume))
  const perWeight = Math.min(
    ...containers.map(container => (container.carries > 0 ? container.cost / container.carries : Number.POSITIVE_INFINITY)),
  )
  const many = (together + 1) * elementAt(containers, 0).cost

  return {
    leastFor(volume, weight) {
      if (volume <= 0) return 0
      const beyond = Math.max(many, volume * perVolume, weight > 0 ? weight * perWeight : 0)
      for (const cover of covers) {
        if (cover.cost >= beyond) break
        if (cover.volume >= volume * (1 - 1e-9) && cover.carries >= weight - 1e-9) return cover.cost
      }
      return beyond
    },
  }
}

/** The number of crates enumerated together, so that the list of all combinations stays short. */
function listedBy(containers: number): number {
  let ways = 1
  let together = 0
  while (together < mostTogether) {
    const more = (ways * (containers + together)) / (together + 1)
    if (more > mostListed) break
    ways = more
    together++
  }
  return together
}
