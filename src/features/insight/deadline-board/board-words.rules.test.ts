/** What boards and mails say of a pickup that will be missed. */
import { expect, it } from 'vitest'
import { helpIn, missedIn, type Words } from './board-words.rules.ts'

const words: Words = {
  t: (key, values = {}) => key.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name])),
  number: String,
  time: at => at.slice(11, 16),
  either: items => items.join(' or '),
}
const packers = { stage: 'pack', people: 2 } as const
const start = '2026-11-11T14:10:00Z'
const remaining = { ready: 0, picking: 0, picked: 80, packing: 0, packed: 0 }

it.each([
  [packers, start, '2 more packers or start by 14:10'],
  [packers, null, '2 more packers'],
  [null, start, 'start by 14:10'],
  [null, null, ''],
])('%o and a start at %s help: %s', (advice, start_by, said) => {
  expect(helpIn(words, { advice, start_by })).toBe(said)
})

it('says how many miss which pickup, what would help, and where nothing does', () => {
  const row = { name: 'GLS', due_at: '2026-11-11T16:00:00Z', remaining }
  expect(missedIn(words, { ...row, advice: packers, start_by: start }, 43)).toBe(
    '43 orders will miss GLS 16:00: 2 more packers or start by 14:10',
  )
  expect(missedIn(words, { ...row, advice: null, start_by: null }, 43)).toBe(
    '43 orders will miss GLS 16:00. More people do not help any more.',
  )
})
