/** What crates for pieces cost at the least, as far as their sums tell: no search has to go on where nothing cheaper can be found. */
import type { PricedRoom } from './crate-packer.ts'

/** Crates that are counted out; more of them are reckoned by what volume and weight cost in the best box. */
const mostTogether = 4
/** Of many boxes, so few together as can be listed quickly. */
const mostListed = 5_000

interface Cover {
  readonly cost: number
  readonly volume: number
  readonly carries: number
}

export interface Covers {
  /** No crates for pieces of so much volume and weight cost less. */
  leastFor(volume: number, weight: number): number
}

/** `price`: what is found already; covers that cost more are of no interest. */
export function newCovers(rooms: readonly PricedRoom[], price: number): Covers {
  const together = listedBy(rooms.length)
  const covers: Cover[] = []
  const add = (from: number, left: number, { cost, volume, carries }: Cover) => {
    for (let room = from; room < rooms.length; room++) {
      const more = rooms[room]!
      const sum = { cost: cost + more.cost, volume: volume + more.volume, carries: carries + more.carries }
      if (sum.cost > price) break
      covers.push(sum)
      if (left > 1) add(room, left - 1, sum)
    }
  }
  add(0, together, { cost: 0, volume: 0, carries: 0 })
  covers.sort((a, b) => a.cost - b.cost)
  const perVolume = Math.min(...rooms.map(room => room.cost / room.volume))
  const perWeight = Math.min(...rooms.map(room => (room.carries > 0 ? room.cost / room.carries : Number.POSITIVE_INFINITY)))
  const many = (together + 1) * rooms[0]!.cost

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

/** How many crates together, so that the list of all ways stays short. */
function listedBy(rooms: number): number {
  let ways = 1
  let together = 0
  while (together < mostTogether) {
    const more = (ways * (rooms + together)) / (together + 1)
    if (more > mostListed) break
    ways = more
    together++
  }
  return together
}
