/** The packing station: finding, opening, showing and leaving an order. */
import type { ChangeTopic } from '#contract/topics.ts'
import type { ReportedKind } from '#features/packing/packing/packing.codes.ts'
import type { PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import type { AfterLook, AnswerOf, InputOf, View } from './packing-model.rules.ts'
import { labelLater } from './packing-prints.rules.ts'
import { call, clear, emit, leave, nextTurn, personOf, play, type Step, say, set, unsentOf } from './packing-step.rules.ts'
import { nextLine, type Standing, standingOf } from './station.rules.ts'

/** Milliseconds: after one's own scan the notice about it says nothing new, so the next look waits for a pause. */
const quietAfterOwnScan = 900

/** Milliseconds: a look that a scan has overtaken is repeated. */
const overtakenPause = 150

export function findAndOpen(step: Step, code: string): Step {
  labelLater(step)
  nextTurn(step)
  clear(step, { view: 'opening', opening: code })
  call(step, 'find', { code, purpose: 'open' }, { retry: 'unreachable' })
  return step
}

export function open(step: Step, order_id: number, { take_over = false, shown = '', approval = '' } = {}): Step {
  nextTurn(step)
  const again = step.state.order?.order_id === order_id
  if (step.state.view === 'idle') labelLater(step)
  if (again) set(step, { busy: true })
  else clear(step, { early: step.state.early, view: 'opening', opening: shown || step.state.opening })
  call(step, 'start', { order_id, take_over, ...(approval && { approval }) }, { retry: again ? 'never' : 'unreachable' })
  return step
}

export function found(step: Step, { code, purpose }: InputOf<'find'>, { orders, blocked }: AnswerOf<'find'>): Step {
  const { order, wrong } = step.state
  const [first] = orders
  if (purpose === 'unknown_code') {
    if (wrong?.code !== code || !first || first.order_id === order?.order_id) return step
    set(step, { wrong: null })
    return askForOther(step, first, code)
  }
  if (blocked) {
    if (purpose === 'open') leave(step)
    return say(step, blocked.text, 'error', blocked.values)
  }
  if (!first) {
    if (purpose === 'open') leave(step)
    return say(step, 'There is no order for {{code}}', 'error', { code })
  }
  if (purpose === 'switch') return switchFound(step, first, code)
  if (orders.length === 1) return open(step, first.order_id, { shown: first.order_no })
  set(step, { view: 'choose', found: orders })
  play(step, 'attention')
  return step
}

/** Another order's code while one is open is scanned twice, so that it is meant – unless nothing was packed yet. */
export function switchTo(step: Step, code: string): Step {
  const { other } = step.state
  if (other?.code === code) return setAsideFor(step, other.order_id)
  call(step, 'find', { code, purpose: 'switch' })
  return step
}

function switchFound(step: Step, found: { order_id: number; order_no: string }, code: string): Step {
  const { order, warned, unsent } = step.state
  if (!order) return step
  if (found.order_id === order.order_id) return warned ? say(step, 'This order is open here', 'ignored') : acknowledge(step)
  if (order.packed === 0 && unsent === 0) return setAsideFor(step, found.order_id)
  askForOther(step, found, code)
  return step
}

function askForOther(step: Step, { order_id, order_no }: { order_id: number; order_no: string }, code: string): Step {
  set(step, { other: { order_id, order_no, code } })
  say(step, 'Order {{order_no}} is still open. Scan {{other}} once more to set it aside and open the other one.', 'attention', {
    order_no: step.state.order?.order_no ?? '',
    other: order_no,
  })
  return step
}

export function setAsideFor(step: Step, next: number): Step {
  const { order } = step.state
  if (!order) return step
  const { order_id, order_no } = order
  if (order.packed === 0) call(step, 'abort', { order_id, order_no, empty: false, next }, { afterScansOf: order_id })
  else call(step, 'park', { order_id, order_no, kind: 'other', reason: '', order_line_id: null, next }, { afterScansOf: order_id })
  return step
}

/** The warnings of this order are read. */
export function acknowledge(step: Step): Step {
  const session_id = step.state.order?.session?.id
  if (session_id !== undefined) {
    const acknowledged = [...step.state.acknowledged.slice(-20), session_id]
    set(step, { acknowledged })
    step.effects.push({ type: 'store_acknowledged', session_ids: acknowledged })
  }
  set(step, { warned: true, message: null })
  play(step, 'ok')
  return step
}

function viewOf(order: PackingOrder, standing: Standing): View {
  if (standing.kind !== 'mine') return 'looking'
  switch (order.session?.state) {
    case 'open':
      return 'packing'
    case 'label_error':
      return 'label_error'
    case 'label_check':
      return 'label_check'
    default:
      return 'waiting'
  }
}

const goesElsewhere = (before: PackingOrder, now: PackingOrder): boolean => JSON.stringify(before.ship_to) !== JSON.stringify(now.ship_to)
const isStop = ({ kind }: Standing): boolean => kind === 'stopped' || kind === 'cancelled'
const hasWarning = (order: PackingOrder): boolean => order.comments.some(comment => comment.type === 'warning')

/** Shows an order as the server describes it. */
export function show(step: Step, order: PackingOrder): Step {
  const before = step.state
  const person = personOf(step.situation)
  const standing = standingOf(order, person)
  const isNew = before.order?.order_id !== order.order_id
  const view = viewOf(order, standing)
  const stoppedNow = !isNew && before.order !== null && isStop(standing) && !isStop(standingOf(before.order, person))
  const packLine = view === 'packing' ? order.pack?.order_line_id : undefined
  // The pack whose numbers were being scanned before the order was left.
  const serialLines =
    packLine === undefined || order.order_id in before.serialLines
      ? before.serialLines
      : { ...before.serialLines, [order.order_id]: packLine }
  const readdressed =
    !isNew && view === 'packing' && before.view === 'packing' && before.order !== null && goesElsewhere(before.order, order)
  set(step, {
    view,
    order,
    ...(isNew && {
      touched: null,
      asking: serialLines[order.order_id] ?? null,
      serialLines,
      wrong: null,
      choosing: null,
      linking: null,
      dialog: null,
      approving: null,
      adding: null,
      weighing: null,
      photographing: null,
      unpacking: null,
      other: null,
      readdressed: false,
      warned: !hasWarning(order) || (order.session !== null && before.acknowledged.includes(order.session.id)),
    }),
    ...(view !== before.view && { approving: null }),
    // What was said while packing is not true of an order that was lost.
    ...(!isNew && view !== 'packing' && before.view === 'packing' && { message: null }),
    ...(view !== 'packing' && {
      wrong: null,
      choosing: null,
      dialog: null,
      adding: null,
      weighing: null,
      photographing: null,
      other: null,
      readdressed: false,
    }),
    ...(view !== 'looking' && { unpacking: null }),
    ...(readdressed && { readdressed }),
    ...(view === 'packing' && { refusal: null }),
    ...unsentOf(before.waiting, order),
  })
  step.effects.push({ type: 'remember', order_id: order.order_id })
  if (stoppedNow) {
    set(step, { message: null })
    play(step, 'error')
  } else if (readdressed) play(step, 'attention')
  return step
}

/** Asks again for the open order; `then` follows whatever comes of it. */
export function look(step: Step, then: AfterLook = null): Step {
  const { order, view, answers } = step.state
  step.effects.push({ type: 'cancel_look' })
  if (order && view !== 'closing') call(step, 'look', { order_id: order.order_id, seen: answers, then })
  return step
}

export function looked(step: Step, { order_id, seen }: InputOf<'look'>, order: PackingOrder): Step {
  if (step.state.order?.order_id !== order_id) return step
  // A scan has overtaken this answer: its counts are older than those on the screen.
  if (seen !== step.state.answers) return emit(step, { type: 'look_after', ms: overtakenPause })
  if (step.state.view === 'waiting' && order.session === null && order.work_state !== 'in_pack')
    return call(step, 'close_again', { order_id, order })
  show(step, order)
  return step
}

/** Something changed somewhere: own scans bring notices too, which say nothing new. */
export function noticed(step: Step, topic: ChangeTopic, id: number | undefined): Step {
  const { order, answeredAt } = step.state
  if (!order || (id !== undefined && id !== order.order_id)) return step
  const since = step.situation.now - answeredAt
  if (topic === 'packing' && since < quietAfterOwnScan) step.effects.push({ type: 'look_after', ms: quietAfterOwnScan - since + 50 })
  else look(step)
  return step
}

/** The order is left by a call; what was packed so far stays counted. */
export function leaveBy(
  step: Step,
  how: 'park' | 'abort' | 'put_back',
  more: { kind?: ReportedKind; reason?: string; order_line_id?: number | null; empty?: boolean },
): Step {
  const { order, busy } = step.state
  if (!order || busy) return step
  set(step, { busy: true, dialog: null })
  const { order_id, order_no } = order
  call(
    step,
    how,
    { order_id, order_no, next: null, kind: 'other', reason: '', order_line_id: null, empty: false, ...more },
    { afterScansOf: order_id },
  )
  return step
}

/** Moves the order to the exceptions; what is wrong with an item is wrong with the one that is next. */
export function setAside(step: Step, kind: ReportedKind = 'other', reason = ''): Step {
  const { order, asking } = step.state
  const ofItem = kind === 'short' || kind === 'damaged' || kind === 'wrong_item'
  return leaveBy(step, 'park', { kind, reason, order_line_id: (ofItem && order && nextLine(order.lines, asking)?.order_line_id) || null })
}
