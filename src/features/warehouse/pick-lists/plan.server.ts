/** Plans wagons: small plans at once, large ones and every improvement in a worker thread. */
import { fillWagons } from '#optimization/batches/wagons.ts'
import { runInThread } from '#platform/threads/worker-thread.ts'
import { type Plan, type PlanInput, type PlanTask, plannerInput } from './planning.rules.ts'

/** Planning so many orders takes some milliseconds. */
const mostAtOnce = 150
/** Heap limit of a thread in megabytes. */
const memory = 512

const thread = new URL('./plan.thread.ts', import.meta.url)

export const fill = async (input: PlanInput, signal: AbortSignal): Promise<Plan> =>
  input.orders.length <= mostAtOnce
    ? fillWagons(plannerInput(input))
    : runInThread(thread, { kind: 'fill', input } satisfies PlanTask, { signal, memory })

/** The same or a shorter plan, within `limit_ms`. `onProgress` receives the share of that time, from 0 to 1, and may throw to stop. */
export const improve = (
  input: PlanInput,
  plan: Plan,
  { signal, limit_ms, onProgress }: { signal: AbortSignal; limit_ms: number; onProgress: (share: number) => Promise<void> },
): Promise<Plan> => {
  const began = Date.now()
  return runInThread(thread, { kind: 'improve', input, plan, limit_ms } satisfies PlanTask, {
    signal,
    memory,
    onProgress: () => onProgress(Math.min(1, (Date.now() - began) / limit_ms)),
  })
}
