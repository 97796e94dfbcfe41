/** Plans wagons without holding the server up: small plans at once, large ones and every improvement in a thread of their own. */
import { Worker } from 'node:worker_threads'
import { fillWagons } from '#optimization/batches/wagons.ts'
import { betweenOf, type PlanInput, type RoutedWagon } from './planning.rules.ts'

export interface Plan {
  wagons: RoutedWagon[]
  left: { id: number; reason: 'too_heavy' | 'too_large' | 'no_slot' | 'no_way' }[]
}

export type Thinking = { kind: 'fill'; input: PlanInput } | { kind: 'improve'; input: PlanInput; plan: Plan; limit_ms: number }

/** Planning so many orders takes some milliseconds. */
const atOnce = 150
/** A thread may take so many megabytes. */
const memory = 512

/** What the router is asked, over the ways of one plan. */
export const asked = ({ ways, most_wagons, ...input }: PlanInput) => ({
  ...input,
  between: betweenOf(ways),
  start: ways.start,
  end: ways.end,
  ...(most_wagons === null ? {} : { most_wagons }),
})

export const fill = async (input: PlanInput, signal: AbortSignal): Promise<Plan> =>
  input.orders.length <= atOnce ? fillWagons(asked(input)) : inThread({ kind: 'fill', input }, signal)

/** The same or a shorter plan, within `limit_ms`. `onProgress` is told how far it is, from 0 to 1, and may throw to stop. */
export const improve = (
  input: PlanInput,
  plan: Plan,
  { signal, limit_ms, onProgress }: { signal: AbortSignal; limit_ms: number; onProgress?: (share: number) => Promise<void> },
): Promise<Plan> => inThread({ kind: 'improve', input, plan, limit_ms }, signal, onProgress)

async function inThread(task: Thinking, signal: AbortSignal, onProgress?: (share: number) => Promise<void>): Promise<Plan> {
  signal.throwIfAborted()
  const worker = new Worker(new URL('./plan-worker.thread.ts', import.meta.url), {
    workerData: { task },
    resourceLimits: { maxOldGenerationSizeMb: memory },
    // Nothing that the process was started with (a test's loader, a debugger) belongs there.
    execArgv: [],
  })
  const began = Date.now()
  let leave = () => {}
  let timer: NodeJS.Timeout | undefined
  let ended = false
  let told = Promise.resolve()
  try {
    return await new Promise<Plan>((resolve, reject) => {
      leave = () => reject(signal.reason)
      signal.addEventListener('abort', leave)
      worker.on('message', resolve)
      worker.on('error', reject)
      worker.on('exit', code => reject(new Error(`The thread ended with ${code}`)))
      const tell = () => {
        if (ended || !onProgress || task.kind !== 'improve') return
        timer = setTimeout(() => {
          told = onProgress(Math.min(1, (Date.now() - began) / task.limit_ms)).then(tell, reject)
        }, 500)
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
