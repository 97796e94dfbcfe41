import { expect, it } from 'vitest'
import { shortMemory } from './ttl-cache.ts'

it('believes an answer until its time', () => {
  const memory = shortMemory<string>()
  memory.asking()('Kim', 'may pack', 1_000)
  expect([memory.of('Kim', 999), memory.of('Kim', 1_000), memory.of('Ole', 0)]).toEqual(['may pack', undefined, undefined])
})

it('keeps no answer that was asked for before everything was forgotten', () => {
  const memory = shortMemory<string>()
  const [before, known] = [memory.asking(), memory.asking()]
  known('Ole', 'may pack', 1_000)
  memory.forget()
  before('Kim', 'may pack', 1_000)
  expect([memory.of('Kim', 0), memory.of('Ole', 0)]).toEqual([undefined, undefined])
  memory.asking()('Kim', 'may pick', 1_000)
  expect(memory.of('Kim', 0)).toBe('may pick')
})

it('holds ten thousand answers, and no more', () => {
  const memory = shortMemory<number>()
  for (let n = 0; n <= 10_000; n++) memory.asking()(`${n}`, n, 1_000)
  expect([memory.of('0', 0), memory.of('10000', 0)]).toEqual([undefined, 10_000])
})
