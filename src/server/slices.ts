/** Every slice of the server, in the order of the specification's areas, every task of the queue, and what comes round by the clock. */
import { liveServer } from '../features/access/live/live.server.ts'
import { sessionServer } from '../features/access/session/session.server.ts'
import { jobsServer } from '../features/company/jobs/jobs.server.ts'
import type { Tasks } from './queue.ts'
import type { Round } from './rounds.ts'
import type { Slice } from './serve.ts'

export const slices: readonly Slice[] = [sessionServer, liveServer, jobsServer]

export const tasks: Tasks = {}

export const rounds: readonly Round[] = []
