/** Words for what came of a weighing. */
import type { WeighingOutcome } from './weighings.codes.ts'

export const outcomeLabels: Record<WeighingOutcome, string> = {
  ok: 'As expected',
  unchecked: 'Not checked',
  asked: 'Differs',
  overridden: 'Taken by a lead',
  refused: 'Not taken',
}
export const outcomeTones = { ok: 'done', unchecked: 'plain', asked: 'soon', overridden: 'soon', refused: 'stop' } as const
