/** The packing station: an approval rule asks for a lead before a piece is counted or the parcel is closed. */
import type { OrderApproval } from '#features/packing/approval/approval.schemas.ts'
import type { PackingOrder, ScanAnswer } from '#features/packing/packing/packing.schemas.ts'
import type {
  AnswerOf,
  ApprovalProof,
  AskedApproval,
  Failure,
  InputOf,
  PackingState,
  ScanAction,
  StationChoice,
} from './packing-model.rules.ts'
import { look } from './packing-order.rules.ts'
import { call, emit, play, type Step, say, set } from './packing-step.rules.ts'
import type { QueuedScan } from './scan-format.rules.ts'

const mostKept = 20

/** The approval that the open question is about, as the server last described it. */
export const approvalOf = (
  order: PackingOrder,
  { rule_id, line_id }: Pick<AskedApproval, 'rule_id' | 'line_id'>,
): OrderApproval | undefined => order.approvals.find(one => one.rule_id === rule_id && one.line_id === line_id)

/** What closing still needs: everything but lines of which nothing is packed. */
const missingForClosing = ({ approvals, lines }: PackingOrder): OrderApproval | undefined =>
  approvals.find(
    ({ state, line_id }) =>
      state !== 'approved' && (line_id === null || lines.some(line => line.order_line_id === line_id && line.packed_qty > 0)),
  )

function askFor(step: Step, { rule_id, line_id }: Pick<AskedApproval, 'rule_id' | 'line_id'>, scan: ScanAction | null): Step {
  const before = step.state.approving?.asked
  const same = before?.rule_id === rule_id && before.line_id === line_id ? before : undefined
  const scans = [...(same?.scans ?? []), ...(scan ? [scan] : [])].slice(0, mostKept)
  set(step, {
    approving: {
      act: 'rule',
      asked: { rule_id, line_id, scans, until: same?.until ?? null, reason: same?.reason ?? null },
      sending: false,
      failure: null,
    },
  })
  return step
}

/** The server has not counted this scan: it is kept, and sent again after the approval. */
export function heldBack(step: Step, scan: QueuedScan, { approval }: ScanAnswer, serial_for: number | undefined): Step {
  if (!approval || scan.kind === 'undo' || scan.kind === 'next' || scan.kind === 'photo' || scan.kind === 'weight') return step
  const kept: ScanAction =
    scan.kind === 'count'
      ? { kind: 'count', order_line_id: scan.order_line_id, quantity: scan.quantity }
      : {
          kind: 'scan',
          code: scan.code,
          method: scan.method,
          ...(serial_for !== undefined && { serial_for }),
          ...(scan.line_id !== undefined && { line_id: scan.line_id }),
        }
  askFor(step, approval, kept)
  return look(step)
}

/** Before the parcel is closed: whether a rule asks first. */
export function asksBeforeClosing(step: Step, order: PackingOrder): boolean {
  const missing = missingForClosing(order)
  if (!missing) return false
  askFor(step, missing, null)
  play(step, 'attention')
  return true
}

/** PIN or badge of a lead; without one a lead elsewhere is asked. */
export function sendAnswer(step: Step, proof: ApprovalProof | null): Step {
  const { order, approving } = step.state
  if (!order || !approving?.asked || approving.sending) return step
  const { rule_id, line_id, reason } = approving.asked
  // The question on the screen says what is missing.
  if (proof !== null && lacksReason(step.state)) return play(step, 'attention')
  set(step, { approving: { ...approving, sending: true, failure: null } })
  return call(
    step,
    'ask_approval',
    { order_id: order.order_id, rule_id, line_id, proof, ...(proof !== null && reason && { reason }) },
    { afterScansOf: order.order_id },
  )
}

/** Whether a lead at the station has to say why first. A lead elsewhere says it with the answer. */
export function lacksReason({ order, approving }: Pick<PackingState, 'order' | 'approving'>): boolean {
  const question = approving?.asked
  const approval = order && question && approvalOf(order, question)
  return Boolean(approval?.reason_required && !question?.reason)
}

const reasons = ['The items were checked', 'Agreed with the office', 'An exception, this once'] as const

export const approvalReasonChoices = (state: PackingState): StationChoice[] =>
  lacksReason(state) && state.approving?.asked?.reason !== ''
    ? [
        ...reasons.map((text): StationChoice => ({ key: text, text, event: { type: 'approval_reason', reason: text } })),
        // An empty reason is written by hand.
        { key: 'other', text: 'Something else', event: { type: 'approval_reason', reason: '' } },
      ]
    : []

export function giveReason(step: Step, reason: string): Step {
  const { approving } = step.state
  return approving?.asked ? set(step, { approving: { ...approving, asked: { ...approving.asked, reason }, failure: null } }) : step
}

const isOpenFor = (asked: AskedApproval | undefined, input: InputOf<'ask_approval'>): asked is AskedApproval =>
  asked !== undefined && asked.rule_id === input.rule_id && asked.line_id === input.line_id

export function asked(step: Step, input: InputOf<'ask_approval'>, { state, left_ms }: AnswerOf<'ask_approval'>): Step {
  const { approving } = step.state
  if (!isOpenFor(approving?.asked, input)) return look(step)
  const until = left_ms === null ? null : step.situation.now + left_ms
  set(step, { approving: { act: 'rule', asked: { ...approving.asked, until }, sending: false, failure: null } })
  if (state !== 'approved') return look(step)
  const { order } = step.state
  if (order)
    set(step, {
      order: {
        ...order,
        approvals: order.approvals.map(one =>
          one.rule_id === input.rule_id && one.line_id === input.line_id ? { ...one, state: 'approved' as const } : one,
        ),
      },
    })
  return step
}

export function notAsked(step: Step, input: InputOf<'ask_approval'>, failure: Failure): Step {
  const { approving } = step.state
  if (!isOpenFor(approving?.asked, input)) return step
  play(step, 'error')
  set(step, { approving: { ...approving, sending: false, failure } })
  return look(step)
}

/** The question whose approval is given now: what waits for it can go on. */
export function givenNow({ state: { order, approving } }: Step): AskedApproval | undefined {
  const question = approving?.asked
  return question && order && approvalOf(order, question)?.state === 'approved' ? question : undefined
}

/** Sends what was kept for this approval; answers whether there was anything. */
export function sendKept(step: Step, { scans }: AskedApproval): boolean {
  const { order } = step.state
  set(step, { approving: null })
  if (!order) return false
  say(step, 'Approved', 'line')
  for (const action of scans) emit(step, { type: 'enqueue', order_id: order.order_id, action })
  return scans.length > 0
}

/** What became of a question to a lead elsewhere: refused, or too late. */
export function refreshed(step: Step): Step {
  const { order, approving } = step.state
  const question = approving?.asked
  if (!order || !question) return step
  const now = approvalOf(order, question)
  if (question.until !== null && now?.state !== 'asked') {
    if (now?.state === 'refused') play(step, 'error')
    return set(step, { approving: { ...approving, asked: { ...question, until: null } } })
  }
  return step
}
