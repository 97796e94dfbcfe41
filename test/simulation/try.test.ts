import { expect, it } from 'vitest'
import { simulateDay } from './warehouse-day.ts'

it('runs', async () => {
  for (const seed of (process.env.SEEDS ?? '1').split(',').map(Number)) {
    const began = performance.now()
    const day = await simulateDay(seed)
    console.info(JSON.stringify({ ...day, lines: day.lines.length, ms: Math.round(performance.now() - began) }, null, 1))
    if (process.env.TRACE) console.info(day.lines.slice(-Number(process.env.TRACE)).join('\n'))
    ;(await import('node:fs')).writeFileSync(`/tmp/sim/trace-${seed}-${process.env.RUN ?? 'a'}.txt`, day.lines.join('\n'))
  }
}, 600_000)
