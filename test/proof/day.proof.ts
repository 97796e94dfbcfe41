/** Days of a simulated warehouse, one seed after the other: the totals of each agree. `--seed 17` runs one of them twice and compares every step. */
import { writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { simulateDay } from '../simulation/warehouse-day.ts'

it('ends every day with totals that agree', async () => {
  const one = process.env.PROOF_SEED === undefined ? undefined : Number(process.env.PROOF_SEED)
  const seeds = one === undefined ? Array.from({ length: Number(process.env.PROOF_AMOUNT ?? 200) }, (_, i) => i + 1) : [one, one]
  const until = performance.now() + Number(process.env.PROOF_MINUTES ?? 60) * 60_000
  const failed: number[] = []
  const hashes: string[] = []
  let steps = 0
  let crashes = 0
  const began = performance.now()
  for (const seed of seeds) {
    if (performance.now() > until) break
    const day = await simulateDay(seed).catch((error: unknown) => ({ wrong: { 'the day stopped': [{ error: String(error) }] } }))
    hashes.push('hash' in day ? day.hash : '')
    if ('hash' in day) {
      steps += day.steps
      crashes += day.crashes
      if (one !== undefined) writeFileSync(join(tmpdir(), `pakhus-day-${seed}.txt`), `${day.lines.join('\n')}\n`)
    }
    if (Object.keys(day.wrong).length === 0) continue
    failed.push(seed)
    console.info(`Seed ${seed}: npm run proof -- day --seed ${seed}\n${JSON.stringify(day.wrong, null, 1)}`)
  }
  const hours = (performance.now() - began) / 3_600_000
  const same = one === undefined ? '' : `, the same ${hashes[0] === hashes[1] ? 'twice' : 'NOT twice'}: ${hashes[0]}`
  console.info(
    `day: ${hashes.length} days, ${steps} steps, ${crashes} deaths of the server, ${failed.length} with totals that do not agree, ${Math.round(hashes.length / hours)} an hour${same}`,
  )
  expect(failed).toEqual([])
  if (one !== undefined) expect(hashes[1]).toBe(hashes[0])
})
