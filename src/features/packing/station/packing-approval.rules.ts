/** The packing station: a lead approves with PIN or badge what the packer may not do alone. */
import { access } from '#contract/access.ts'
import type { ApprovedAct } from '#features/packing/approval/approval.codes.ts'
import type { AnswerOf, ApprovalProof, InputOf } from './packing-model.rules.ts'
import { open } from './packing-order.rules.ts'
import { decideRest } from './packing-partial.rules.ts'
import { call, mayDo, personOf, play, type Step, set } from './packing-step.rules.ts'
import { takeWeight } from './packing-weighing.rules.ts'
import { standingOf } from './station.rules.ts'

/** What a badge that is scanned now would approve. */
export function approvableAct({ state, situation }: Step): ApprovedAct | null {
  const { order, view, dialog, bypass, approving } = state
  if (!order) return null
  if (approving) return approving.act === 'rule' ? null : approving.act
  if (dialog === 'bypass' && bypass.reason) return 'bypass'
  const standing = standingOf(order, personOf(situation))
  const blocked = standing.kind === 'claimed' && !standing.own && !standing.free && !mayDo(situation, access.scanAdmin, 'take_over')
  return view === 'looking' && blocked ? 'take_over' : null
}

export function askApproval(step: Step, act: ApprovedAct): Step {
  set(step, { approving: { act, sending: false, failure: null } })
  return play(step, 'attention')
}

export function approve(step: Step, proof: ApprovalProof): Step {
  const { order, approving } = step.state
  const act = approvableAct(step)
  if (!order || act === null || approving?.sending) return step
  if (act === 'bypass') set(step, { bypass: { ...step.state.bypass, sending: true, failure: null } })
  else set(step, { approving: { act, sending: true, failure: null } })
  return call(step, 'approve', { order_id: order.order_id, act, proof }, { afterScansOf: order.order_id })
}

export function approved(step: Step, { order_id, act }: InputOf<'approve'>, { approval }: AnswerOf<'approve'>): Step {
  set(step, { approving: null })
  if (act === 'take_over') return open(step, order_id, { take_over: true, approval })
  if (act === 'cancel_rest') return decideRest(step, 'cancel', approval)
  if (act === 'weight') return takeWeight(step, approval)
  return call(step, 'bypass', { order_id, reason: step.state.bypass.reason ?? '', pin: '', approval })
}
