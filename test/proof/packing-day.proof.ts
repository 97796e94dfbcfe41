/** A whole day of packing stations at the program, which is killed every few seconds: at its end every total agrees exactly. */
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { runPackingDay } from '../packing-day/packing-day.ts'

/** Milliseconds between two kills. */
const soonest = 5_000
const latest = 10_000

it('loses and doubles nothing of a day of twenty stations', async () => {
  const orders = Number(process.env.PROOF_AMOUNT ?? 2_000)
  const began = performance.now()
  const day = await runPackingDay({
    ...{ orders, stations: 20, seed: Number(process.env.PROOF_SEED ?? 1) },
    async untilKill(answers, chance) {
      const at = performance.now() + soonest + chance.below(latest - soonest)
      while (performance.now() < at && answers() !== Number.POSITIVE_INFINITY) await pause(20)
    },
  })
  const share = (sorted: readonly number[], part: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  console.info(
    [
      line(['Total', 'promised', 'stored', 'lost', 'doubled']),
      line(['---', '---:', '---:', '---:', '---:']),
      ...day.totals.map(row => line([row.total, row.promised, row.stored, row.lost, row.doubled])),
      `packing-day: ${orders} orders in ${Math.round((performance.now() - began) / 1_000)} s, ${day.kills} kills, ${day.repeated} requests without an answer, ` +
        `${day.labelErrors} labels in error, ${day.courierFaults} faults of the courier; a scan is answered after ${share(day.took, 0.5)} ms (p50), ` +
        `${share(day.took, 0.95)} ms (p95); ready again after ${share(day.startTook, 0.5)} ms (p50), ${share(day.startTook, 0.95)} ms (p95)`,
    ].join('\n'),
  )
  expect(day.wrong).toEqual({})
  for (const { total, lost, doubled, different } of day.totals)
    expect({ total, lost, doubled, different }).toEqual({ total, lost: 0, doubled: 0, different: [] })
})
