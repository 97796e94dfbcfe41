/** Gives work to a thread of its own and waits for it, however long, without holding the server up. */
import { Worker } from 'node:worker_threads'
import type { Cell } from '#optimization/distances/floor.ts'
import type { Drawing } from './drawing.contract.ts'
import type { MeasuredMap, PastWalk } from './routes.rules.ts'
import type { SlottedProduct } from './slotting.rules.ts'
import type { Quality, Slotting } from './warehouse-maps.contract.ts'

interface Past {
  from: Quality['from']
  since: string
  until: string
  walks: PastWalk[]
}
interface Measure {
  kind: 'measure'
  drawing: Drawing
  cells: Cell[]
  hash: string
  active: MeasuredMap | null
  past: Past
}
interface Slot {
  kind: 'slot'
  map: MeasuredMap
  past: Past
  products: SlottedProduct[]
  most: number
}
export type MapWork = Measure | Slot
export interface Measured {
  /** As `encode` wrote them. */
  bytes: Uint8Array<ArrayBuffer>
  quality: Quality
}

interface Given {
  measure: Measured
  slot: Omit<Slotting, 'result_id'>
}

/** A thread may take so many megabytes: the largest map needs about 600. */
const memory = 1_536
/** How often progress is told on, in milliseconds; a wish to stop is heard as often. */
const telling = 400

/**
 * Does `task` in a thread. `onProgress` is told how far it is, again and again also while nothing moves; when it throws, or
 * when `signal` ends, the thread is stopped and the same is thrown.
 */
export async function inThread<T extends MapWork>(
  task: T,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: (done: number, total: number | undefined) => Promise<void> },
): Promise<Given[T['kind']]> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./measure-worker.thread.ts', import.meta.url), {
    workerData: { task },
    resourceLimits: { maxOldGenerationSizeMb: memory },
    // Nothing that the process was started with (a test's loader, a debugger) belongs there.
    execArgv: [],
  })
  let progress: { done: number; total: number | undefined } = { done: 0, total: undefined }
  let timer: NodeJS.Timeout | undefined
  let leave = () => {}
  let ended = false
  let told = Promise.resolve()
  try {
    return await new Promise<Given[T['kind']]>((resolve, reject) => {
      leave = () => reject(signal.reason)
      signal.addEventListener('abort', leave)
      worker.on('message', (said: { answer: Given[T['kind']] } | { done: number; total: number }) => {
        if ('answer' in said) resolve(said.answer)
        else progress = said
      })
      worker.on('error', reject)
      worker.on('exit', code => reject(new Error(`The thread ended with ${code}`)))
      const tell = () => {
        if (ended) return
        timer = setTimeout(() => {
          told = (onProgress?.(progress.done, progress.total) ?? Promise.resolve()).then(tell, reject)
        }, telling)
      }
      tell()
    })
  } finally {
    ended = true
    clearTimeout(timer)
    signal.removeEventListener('abort', leave)
    await worker.terminate()
    await told
  }
}
