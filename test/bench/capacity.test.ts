/** The arithmetic of `npm run bench -- capacity`, with costs that are easy to reckon with. */
import { describe, expect, it } from 'vitest'
import { breakingOrder, bytesOf, type Costs, type Machine, need, type Operator, processorsAt } from '../../bench/capacity.rules.ts'

const one = { server: 0.001, database: 0.002 }
const costs: Costs = {
  idle: { server: 0.1, database: 0.2 },
  of: { create: one, begin: one, scan: one, label: one, open: one, page: one, search: one },
  bytes: { order: 1_000, packed: 3_000, files: 500 },
  memory: { server: 1_000_000, stream: 100 },
  connections: 10,
}
/** Ten requests for each order, an order a second in the busiest hour. */
const operator: Operator = {
  ordersOfDay: 7_200,
  peakHour: 0.5,
  stations: 5,
  daysOfWork: 100,
  yearsKept: 2,
  asks: { create: 1, begin: 1, scan: 4, label: 1, open: 1, page: 1, search: 1 },
}
const machine: Machine = { processors: 4, memory: 10_000_000, disk: 10e12, connections: 50, busy: 0.5 }

describe('what operators need', () => {
  it.each([
    { operators: 10, requests: 100, serverCores: 0.4, databaseCores: 0.8, servers: 1, shards: 1, connections: 10 },
    { operators: 100, requests: 1_000, serverCores: 2.2, databaseCores: 4.4, servers: 1, shards: 2, connections: 10 },
    { operators: 1_000, requests: 10_000, serverCores: 20.2, databaseCores: 40.4, servers: 6, shards: 11, connections: 60 },
  ])('is known for $operators', expected => {
    const found = need(costs, operator, machine, expected.operators)
    const { operators, servers, shards, connections } = expected
    expect(found).toMatchObject({ operators, servers, shards, connections })
    expect(found.requests).toBeCloseTo(expected.requests)
    expect(found.serverCores).toBeCloseTo(expected.serverCores)
    expect(found.databaseCores).toBeCloseTo(expected.databaseCores)
  })

  it('counts the disk of all orders that are kept, with a reserve, and files apart', () => {
    // 7,200 orders × 100 days × 2 years × 10 operators.
    const found = need(costs, operator, machine, 10)
    expect(found.disk).toBeCloseTo(14_400_000 * 4_000 * 1.4)
    expect(found.files).toBe(14_400_000 * 500)
  })

  it('asks for further servers where the streams need more memory than one has', () => {
    const many = { ...operator, stations: 10_000, ordersOfDay: 0 }
    expect(need(costs, many, machine, 10)).toMatchObject({ servers: 3, memory: 3 * 1_000_000 + 100_000 * 100, connections: 30 })
  })

  it('asks for shards where the disk is too small, though processors suffice', () => {
    expect(need({ ...costs, bytes: { ...costs.bytes, order: 10e6 } }, operator, machine, 1).shards).toBe(3)
  })

  it('is what is used while no one asks, where no one asks', () => {
    const none = { create: 0, begin: 0, scan: 0, label: 0, open: 0, page: 0, search: 0 }
    expect(processorsAt(costs, none)).toEqual(costs.idle)
    expect(bytesOf(costs, 2, 1)).toBe(5_000)
  })
})

it('what gives way first is named with the number of operators that still fits', () => {
  const order = breakingOrder(costs, operator, machine)
  expect(order.map(({ what, operators }) => [what, operators])).toEqual(
    [
      // 4 processors, half of them busy, less what idles: 1.8 s of 0.02 s each.
      ['processors of one database', 90],
      ['disk of one database', 1_240],
      ['processors of one server', 190],
      ['connections of one database', 990],
    ].toSorted((a, b) => Number(a[1]) - Number(b[1])),
  )
  for (const { operators } of order) {
    const fits = need(costs, operator, machine, operators)
    const over = need(costs, operator, machine, operators + 1)
    expect(fits).not.toEqual(over)
  }
})
