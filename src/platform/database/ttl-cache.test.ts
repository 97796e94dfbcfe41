import { expect, it } from 'vitest'
import { createTtlCache } from './ttl-cache.ts'

it('believes an answer until its time', () => {
  const memory = createTtlCache<string>('people')
  memory.beginFill()('Kim', 'may pack', 1_000)
  expect([memory.get('Kim', 999), memory.get('Kim', 1_000), memory.get('Ole', 0)]).toEqual(['may pack', undefined, undefined])
})

it('keeps no answer that was asked for before everything was forgotten', () => {
  const memory = createTtlCache<string>('people')
  const [before, known] = [memory.beginFill(), memory.beginFill()]
  known('Ole', 'may pack', 1_000)
  memory.clear()
  before('Kim', 'may pack', 1_000)
  expect([memory.get('Kim', 0), memory.get('Ole', 0)]).toEqual([undefined, undefined])
  memory.beginFill()('Kim', 'may pick', 1_000)
  expect(memory.get('Kim', 0)).toBe('may pick')
})

it('holds ten thousand answers, and no more', () => {
  const memory = createTtlCache<number>('people')
  for (let n = 0; n <= 10_000; n++) memory.beginFill()(`${n}`, n, 1_000)
  expect([memory.get('0', 0), memory.get('10000', 0)]).toEqual([undefined, 10_000])
})
