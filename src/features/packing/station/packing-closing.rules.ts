/** The packing station: closing a parcel, and the check of its label. */
import type { Closing, PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { haveLabel, isFailed, labelAfter, lacksLabel } from './label-state.rules.ts'
import { asksForAdditions } from './packing-additions.rules.ts'
import type { AnswerOf, CloseHow, InputOf, LastLabel } from './packing-model.rules.ts'
import { look } from './packing-order.rules.ts'
import { asksForPhoto } from './packing-photo.rules.ts'
import { watchPrints } from './packing-prints.rules.ts'
import { asksBeforeClosing } from './packing-rule-approval.rules.ts'
import { askForSerial, call, leave, play, type Step, say, set } from './packing-step.rules.ts'
import { asksForWeight } from './packing-weighing.rules.ts'
import { lineWithoutSerial } from './station.rules.ts'

/** Nothing else of an event or a state goes with the call. */
const howOf = ({ rest, rest_lines, notify_recipient, expected_on, weight_g, approval, without_photo }: CloseHow): CloseHow => ({
  ...(rest && { rest }),
  ...(rest_lines && { rest_lines }),
  ...(notify_recipient !== undefined && { notify_recipient }),
  ...(expected_on && { expected_on }),
  ...(weight_g !== undefined && { weight_g }),
  ...(approval && { approval }),
  ...(without_photo && { without_photo }),
})

/** The parcel is complete: every scan acknowledged, then the label booked and printed. */
export function close(step: Step, asked: CloseHow = {}): Step {
  const how = howOf(asked)
  const { order, view } = step.state
  if (!order || view === 'closing') return step
  const unnamed = lineWithoutSerial(order)
  if (unnamed && view === 'packing') return askForSerial(step, order, unnamed)
  if (view === 'packing' && asksBeforeClosing(step, order)) return step
  if (view === 'packing' && asksForAdditions(step, order, how)) return step
  if (view === 'packing' && asksForPhoto(step, order, how)) return step
  if (view === 'packing' && asksForWeight(step, order, how)) return step
  const { order_id } = order
  set(step, {
    view: 'closing',
    dialog: null,
    wrong: null,
    choosing: null,
    approving: null,
    adding: null,
    partial: null,
    weighing: null,
    photographing: null,
    closing: null,
    unreached: false,
    heldBy: null,
  })
  call(
    step,
    'close',
    { order_id, ...how },
    {
      retry: 'busy',
      afterScansOf: order_id,
    },
  )
  return step
}

/** What the close call would have answered, had it been asked here. */
export const closedElsewhere = ({ parcels }: PackingOrder, session_id: number): Closing => ({
  outcome: 'labelled',
  session_id,
  parcels,
  print_jobs: [],
  text: 'The parcel is done',
  values: {},
})

export function closed(step: Step, closing: Closing): Step {
  const { order, next, prints } = step.state
  if (!order) return step
  const { order_id, order_no } = order
  set(step, { closing })
  watchPrints(step, {
    prints: [
      ...prints.filter(print => print.order_id !== order_id),
      ...closing.print_jobs.map(job => ({ job_id: job.id, document: job.document, order_id, order_no, state: job.state })),
    ],
  })
  const { outcome } = closing
  if (outcome === 'labelled' || outcome === 'no_parcel') return done(step, order, closing, labelAfter(closing))
  // The order is read anew a moment later; its labels can be printed again now.
  if (!haveLabel(order.parcels)) set(step, { order: { ...order, parcels: closing.parcels } })
  set(step, { next: null, message: null, view: outcome === 'label_check' || outcome === 'label_error' ? outcome : 'waiting' })
  look(step, { kind: 'closed', failed: outcome === 'label_error' || outcome === 'stopped' || closing.print_jobs.some(isFailed), next })
  return step
}

/** Leaves the order; the scan that waited for it stays for the idle station. */
function done(step: Step, order: PackingOrder, closing: Closing, label: LastLabel): Step {
  const { next } = step.state
  leave(step, { last: { order: { ...order, parcels: closing.parcels }, closing, label } })
  const failed = closing.print_jobs.some(isFailed) && label !== 'printed'
  play(step, failed ? 'error' : lacksLabel(step.state) ? 'attention' : 'done')
  return set(step, { next })
}

export function checkLabel(step: Step, code: string): Step {
  const { order, closing } = step.state
  const session_id = order?.session?.id ?? closing?.session_id
  if (!order || session_id === undefined) return step
  set(step, { busy: true })
  call(step, 'check_label', { session_id, code })
  return step
}

export function labelChecked(
  step: Step,
  { session_id }: InputOf<'check_label'>,
  { ok, text, values, left }: AnswerOf<'check_label'>,
): Step {
  const { order, closing, prints } = step.state
  set(step, { busy: false })
  if (!ok || left > 0) return say(set(step, { next: null }), text, ok ? 'line' : 'error', values)
  if (!order) return step
  // The label was scanned on its parcel: however its print went, it is not waited for.
  watchPrints(step, { prints: prints.filter(print => print.order_id !== order.order_id || print.document !== 'label') })
  done(step, order, closing ?? closedElsewhere(order, session_id), 'printed')
  return step
}
