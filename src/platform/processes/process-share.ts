/** How the processes of a server divide the processors and the connections to the database among themselves. */
import { availableParallelism } from 'node:os'

/** `requests` answers calls, `jobs` runs tasks and schedules, `both` is a server of one process, as in tests. */
export type ProcessRole = 'requests' | 'jobs' | 'both'

export interface ProcessShare {
  /** Connections of the pool. */
  connections: number
  processors: number
}

/** Of the pool of a process: the most that one process uses well, and the least with which its classes of work do not block each other. */
const mostConnections = 24
const leastConnections = 8
/** Of the pools of all request processes, unless there are so many of them that each has the least. */
const requestConnections = 40
/** Beside its pool each process has one connection for upkeep, one that notices a silent database, and one for notifications. */
const besidePool = 3
/** The queue of tasks has a pool of its own, and one connection that shows that its process lives. */
const queueConnections = 13
/** For the supervisor of the own database, `npm run admin`, a backup, and an administrator's tools. */
const spareConnections = 20

export function shareOf(role: ProcessRole, workers: number, processors = availableParallelism()): ProcessShare {
  if (role === 'both') return { connections: mostConnections, processors }
  // Every schedule holds a connection while it runs and may need a second one.
  if (role === 'jobs') return { connections: mostConnections, processors: Math.max(1, Math.floor(processors / 2)) }
  const connections = Math.max(leastConnections, Math.min(mostConnections, Math.floor(requestConnections / workers)))
  return { connections, processors: Math.max(1, Math.ceil(processors / workers)) }
}

/** Connections that a server with so many request processes may open, spare ones included. */
export function connectionsOf(workers: number): number {
  const requests = workers * (shareOf('requests', workers).connections + besidePool)
  return requests + shareOf('jobs', workers).connections + besidePool + queueConnections + spareConnections
}
