/** What a number of operators needs, from what single requests cost: pure arithmetic, with the assumptions named. */

export const requestKinds = ['create', 'begin', 'scan', 'label', 'open', 'page', 'search'] as const
export type RequestKind = (typeof requestKinds)[number]

/** Seconds of one processor. */
export interface Processor {
  server: number
  database: number
}

export interface Costs {
  /** What both use each second while no one asks. */
  idle: Processor
  of: Readonly<Record<RequestKind, Processor>>
  /** Bytes in the database of an order that came in, and what packing it adds; bytes of files for each label. */
  bytes: { order: number; packed: number; files: number }
  /** Bytes of memory of a server without streams, and of each stream. */
  memory: { server: number; stream: number }
  /** Connections to the database that a server holds. */
  connections: number
}

/** What an operator does. */
export interface Operator {
  ordersOfDay: number
  /** Of the orders of a day, what the busiest hour has. */
  peakHour: number
  stations: number
  daysOfWork: number
  /** Years for which orders are kept in the database. */
  yearsKept: number
  /** Requests for each order. */
  asks: Readonly<Record<RequestKind, number>>
}

export const usualOperator: Operator = {
  ordersOfDay: 1_000,
  peakHour: 0.15,
  stations: 20,
  daysOfWork: 300,
  yearsKept: 5,
  asks: { create: 1, begin: 1, scan: 9, label: 1, open: 2.4, page: 2.2, search: 2.2 },
}

/** What one machine may be asked for. */
export interface Machine {
  processors: number
  memory: number
  disk: number
  /** Connections that PostgreSQL serves well. */
  connections: number
  /** Share of the processors that the busiest hour may use. */
  busy: number
}

export const largeMachine: Machine = { processors: 32, memory: 128 * 2 ** 30, disk: 4 * 2 ** 40, connections: 500, busy: 0.6 }
/** Dead rows, indexes that grew, the log that is written ahead. */
const diskReserve = 1.4

export interface Need {
  operators: number
  requests: number
  /** Processors in the busiest hour, with the reserve. */
  serverCores: number
  databaseCores: number
  servers: number
  /** Bytes of all servers together. */
  memory: number
  disk: number
  files: number
  connections: number
  shards: number
}

const sum = (rates: Readonly<Record<RequestKind, number>>, one: (kind: RequestKind) => number): number =>
  requestKinds.reduce((all, kind) => all + rates[kind] * one(kind), 0)

/** Processors that are used at these rates, requests of a kind a second. */
export const processorsAt = (costs: Pick<Costs, 'idle' | 'of'>, rates: Readonly<Record<RequestKind, number>>): Processor => ({
  server: costs.idle.server + sum(rates, kind => costs.of[kind].server),
  database: costs.idle.database + sum(rates, kind => costs.of[kind].database),
})

/** Bytes that so many orders and packed orders add to the database. */
export const bytesOf = ({ bytes }: Costs, orders: number, packed: number): number => orders * bytes.order + packed * bytes.packed

export function need(costs: Costs, operator: Operator, machine: Machine, operators: number): Need {
  const ordersOfSecond = (operators * operator.ordersOfDay * operator.peakHour) / 3_600
  const rates = Object.fromEntries(requestKinds.map(kind => [kind, operator.asks[kind] * ordersOfSecond])) as Record<RequestKind, number>
  const used = processorsAt(costs, rates)
  const serverCores = used.server / machine.busy
  const databaseCores = used.database / machine.busy
  const kept = operators * operator.ordersOfDay * operator.daysOfWork * operator.yearsKept
  const disk = bytesOf(costs, kept, kept) * diskReserve
  const streams = operators * operator.stations
  const byMemory = (streams * costs.memory.stream) / Math.max(1, machine.memory * machine.busy - costs.memory.server)
  const servers = Math.max(1, Math.ceil(serverCores / machine.processors), Math.ceil(byMemory))
  return {
    operators,
    requests: sum(rates, () => 1),
    serverCores,
    databaseCores,
    servers,
    memory: servers * costs.memory.server + streams * costs.memory.stream,
    disk,
    files: kept * costs.bytes.files,
    connections: servers * costs.connections,
    shards: Math.max(1, Math.ceil(databaseCores / machine.processors), Math.ceil(disk / machine.disk)),
  }
}

interface Limit {
  /** Operators up to which one machine suffices. */
  operators: number
  what: string
  remedy: string
}

const limits: readonly { what: string; remedy: string; holds(need: Need, machine: Machine): boolean }[] = [
  {
    what: 'processors of one server',
    remedy: 'further servers behind a proxy; they share sessions, notices, queue and limits through the database',
    holds: ({ servers }) => servers <= 1,
  },
  {
    what: 'connections of one database',
    remedy: 'pgBouncer before the database, or fewer connections for each server',
    holds: ({ connections }, machine) => connections <= machine.connections,
  },
  {
    what: 'processors of one database',
    remedy: 'reads of lists and statistics from a replica, then operators spread over shards',
    holds: ({ databaseCores }, machine) => databaseCores <= machine.processors,
  },
  {
    what: 'disk of one database',
    remedy: 'shorter retention or archived months first, then operators spread over shards',
    holds: ({ disk }, machine) => disk <= machine.disk,
  },
]

const most = 10_000_000

/** What gives way first, second and so on as operators are added, with what is done then. */
export function breakingOrder(costs: Costs, operator: Operator, machine: Machine): Limit[] {
  return limits
    .map(({ what, remedy, holds }) => {
      const fits = (operators: number) => holds(need(costs, operator, machine, operators), machine)
      let [low, high] = [0, most]
      while (low < high) {
        const middle = Math.ceil((low + high) / 2)
        if (fits(middle)) low = middle
        else high = middle - 1
      }
      return { what, remedy, operators: low }
    })
    .toSorted((a, b) => a.operators - b.operators)
}
