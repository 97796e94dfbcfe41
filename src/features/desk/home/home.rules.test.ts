import { expect, it } from 'vitest'
import { importsWithProblems } from './home.rules.ts'

it('counts the imports of the last week that failed or left rows out', () => {
  const now = Date.parse('2026-11-23T12:00:00Z')
  const file = (state: 'done' | 'failed' | 'running', refused: number, created_at = '2026-11-22T12:00:00Z') => ({
    state,
    refused,
    created_at,
  })
  expect(importsWithProblems([file('done', 0), file('done', 3), file('failed', 0), file('running', 0)], now)).toBe(2)
  expect(importsWithProblems([file('failed', 0, '2026-11-15T12:00:00Z')], now)).toBe(0)
})
