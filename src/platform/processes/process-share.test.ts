/** Connections and processors of the processes of a server. */
import { expect, it } from 'vitest'
import { databaseLimits } from '#platform/admission/admission.ts'
import { connectionsOf, shareOf } from './process-share.ts'

it.each([
  [1, 24],
  [2, 20],
  [3, 13],
  [4, 10],
  [8, 8],
])('of %i request processes each has a pool of %i connections', (workers, connections) =>
  expect(shareOf('requests', workers, 4).connections).toBe(connections),
)

it('counts the connections of a whole server, with spare ones for upkeep', () => {
  expect([1, 2, 3].map(connectionsOf)).toEqual([87, 106, 108])
})

it('gives each class of work more places than the ones behind it, however many processes there are', () => {
  for (let workers = 1; workers <= 64; workers++)
    for (const role of ['requests', 'jobs'] as const) {
      const { connections, processors } = shareOf(role, workers, 8)
      const { scan, change, read, search, bulk } = databaseLimits(connections, processors).running
      expect([scan > change, change > read, read > search, search > bulk], `${role} of ${workers}`).toEqual([true, true, true, true])
    }
})
