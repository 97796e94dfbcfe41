/** The packing station: prints of orders that were closed here. */
import { atPrinter, isFailed, lacksLabel } from './label-state.rules.ts'
import type { AnswerOf, InputOf, LastLabel, PackingState, Print } from './packing-model.rules.ts'
import { call, play, type Step, say, set } from './packing-step.rules.ts'

/** Older prints have come out, or stand in the list of prints. */
const mostWatched = 8

/** A label that arrives late makes the idle station green from now on. */
export function watchPrints(
  step: Step,
  { prints = step.state.prints, last = step.state.last }: Partial<Pick<PackingState, 'prints' | 'last'>>,
): Step {
  const lacked = lacksLabel(step.state)
  set(step, { prints: prints.slice(-mostWatched), last })
  if (!lacked || !last || lacksLabel(step.state) || step.state.view !== 'idle') return step
  set(step, { heldBy: null, message: null })
  play(step, 'done')
  return step
}

/** The last order with what became of its label meanwhile, if it is this one and has lacked it until now. */
export function lastWith(state: PackingState, order_id: number, label: LastLabel): PackingState['last'] {
  const { last } = state
  if (last?.order.order_id !== order_id) return last
  // A copy of a label that came out changes nothing, however its own print goes.
  return { ...last, label: lacksLabel(state) ? label : last.label === 'printing' ? 'printed' : last.label }
}

/** The packer goes on: the parcel of the order that just left waits for its label. */
export function labelLater(step: Step): Step {
  const { last, unlabelled } = step.state
  if (!last || !lacksLabel(step.state)) return step
  const { order_id, order_no } = last.order
  set(step, { last: { ...last, label: 'later' }, message: null })
  return keepUnlabelled(step, [...unlabelled.filter(order => order.order_id !== order_id), { order_id, order_no }])
}

/** The label of this order came out, or was saved. */
export function labelled(step: Step, order_id: number): Step {
  const left = step.state.unlabelled.filter(order => order.order_id !== order_id)
  return left.length === step.state.unlabelled.length ? step : keepUnlabelled(step, left)
}

function keepUnlabelled(step: Step, orders: PackingState['unlabelled']): Step {
  step.effects.push({ type: 'store_unlabelled', orders })
  return set(step, { unlabelled: orders })
}

export function reprint(step: Step, { order_id, order_no }: { order_id: number; order_no: string }): Step {
  if (step.situation.hasLabelPrinter) call(step, 'print', { order_id, order_no })
  else call(step, 'download', { order_id, announce: order_no })
  return step
}

export function reprinted(step: Step, { order_id, order_no }: InputOf<'print'>, { print_jobs }: AnswerOf<'print'>): Step {
  const { prints, last } = step.state
  // The print that failed is no longer waited for: trying it again would make a second label.
  const others = prints.filter(print => print.order_id !== order_id || print.document !== 'label')
  const jobs = print_jobs.map((job): Print => ({ job_id: job.id, document: 'label', order_id, order_no, state: job.state }))
  watchPrints(step, { prints: [...others, ...jobs], last: jobs.length > 0 ? lastWith(step.state, order_id, 'printing') : last })
  if (print_jobs.length > 0 && print_jobs.every(job => atPrinter.includes(job.state))) labelled(step, order_id)
  if (print_jobs.every(job => job.state !== 'failed' && job.error === null))
    say(step, 'The label of {{order_no}} prints again', 'ok', { order_no })
  else if (print_jobs.some(isFailed)) play(step, 'error')
  return step
}

export function printChanged(step: Step, job_id: number, state: string): Step {
  const known = step.state.prints.find(print => print.job_id === job_id)
  if (!known || known.state === state) return step
  watchPrints(step, { prints: step.state.prints.map(print => (print.job_id === job_id ? { ...print, state } : print)) })
  if (known.document === 'label' && atPrinter.includes(state)) labelled(step, known.order_id)
  if (isFailed({ state }) && !isFailed(known)) play(step, 'error')
  return step
}
