/** The thread in which maps are measured and walked: it computes for seconds, and the server must not. */
import { parentPort, workerData } from 'node:worker_threads'
import { encode, measure } from '#optimization/distances/distances.ts'
import type { MapWork, Measured } from './measure-worker.server.ts'
import { qualityOf, walkable } from './routes.rules.ts'
import { slottingOf } from './slotting.rules.ts'

const { task } = workerData as { task: MapWork }
const done = (answer: unknown, transfer: ArrayBuffer[] = []) => parentPort?.postMessage({ answer }, transfer)

if (task.kind === 'measure') {
  const { drawing, cells, hash, active, past } = task
  const distances = await measure(drawing, cells, (done, total) => parentPort?.postMessage({ done, total }))
  const bytes = encode(distances, hash)
  const map = walkable({ result_id: 0, map_id: 0, drawing, bytes })
  const quality = qualityOf(map, active && walkable(active), past)
  done({ bytes, quality } satisfies Measured, [bytes.buffer])
} else {
  const { map, past, products, most } = task
  done(slottingOf(walkable(map), past, products, most))
}
