/** Worker thread that fills wagons or improves a plan. */
import { fillWagons, improveWagons } from '#optimization/batches/wagons.ts'
import { answerTask } from '#platform/threads/worker-thread.ts'
import { type Plan, type PlanTask, plannerInput } from './planning.rules.ts'

await answerTask<PlanTask, Plan>(async task => {
  const input = plannerInput(task.input)
  return {
    answer:
      task.kind === 'fill' ? fillWagons(input) : await improveWagons(input, task.plan, { limit_ms: task.limit_ms, seed: task.input.seed }),
  }
})
