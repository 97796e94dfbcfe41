/** The thread in which large plans are made. */
import { parentPort, workerData } from 'node:worker_threads'
import { fillWagons, improveWagons } from '#optimization/batches/wagons.ts'
import { asked, type Thinking } from './plan-worker.server.ts'

const { task } = workerData as { task: Thinking }
const input = asked(task.input)
const plan =
  task.kind === 'fill' ? fillWagons(input) : await improveWagons(input, task.plan, { limit_ms: task.limit_ms, seed: task.input.seed })
parentPort?.postMessage(plan)
