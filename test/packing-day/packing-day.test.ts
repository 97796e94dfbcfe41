/** A short packing day: `npm run proof -- packing-day` runs a whole one. `SEED=7` draws another, and a day that fails names its seed. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runPackingDay } from './packing-day.ts'

const seed = Number(process.env.SEED ?? 1)
/** Answers between two kills: so few that a server dies at any step of an order. */
const fewest = 20

it('is killed repeatedly while four stations pack: every total agrees', { timeout: 600_000 }, async () => {
  const day = await runPackingDay({
    ...{ orders: 24, stations: 4, seed },
    async untilKill(answers, chance) {
      const enough = answers() + fewest + chance.below(fewest)
      while (answers() < enough) await pause(5)
      await pause(chance.below(60))
    },
  })
  const again = `Again: SEED=${seed} npm test -- test/packing-day`
  expect(day.wrong, again).toEqual({})
  for (const { total, lost, doubled, different } of day.totals)
    expect({ total, lost, doubled, different }, again).toEqual({ total, lost: 0, doubled: 0, different: [] })
  expect(day.totals.filter(row => row.promised === 0)).toEqual([])
  expect(day.kills).toBeGreaterThanOrEqual(3)
})
