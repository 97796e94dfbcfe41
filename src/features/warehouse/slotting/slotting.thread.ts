/** Worker thread that computes slotting advice. */
import { walkable } from '#features/warehouse/map-results/walks.rules.ts'
import { answerTask } from '#platform/threads/worker-thread.ts'
import { type SlottingAdvice, type SlottingTask, slottingOf } from './slotting.rules.ts'

await answerTask<SlottingTask, SlottingAdvice>(({ map, past, products, most }) => ({
  answer: slottingOf(walkable(map), past, products, most),
}))
