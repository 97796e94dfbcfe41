/** The packing station as one pure reducer: an event changes the state and names the effects that follow. */
import { access, isAllowed, type Permission } from '#contract/access.ts'
import type { ChangeTopic } from '#contract/topics.ts'
import type { Code, Command } from '#domain/codes.ts'
import type { Closing, PackingOrder, ScanAnswer } from '#features/packing/packing/packing.schemas.ts'
import { choicesOf } from './choices.rules.ts'
import { haveLabel, isFailed, labelAfter, lacksLabel, orderOnScreen } from './label-state.rules.ts'
import {
  type AfterLook,
  type AnswerOf,
  type CallName,
  type Dialog,
  type Effect,
  type Failure,
  type InputOf,
  type LastLabel,
  noOrder,
  type PackingState,
  type Print,
  type Say,
  type ScanAction,
  type Scanned,
  type Situation,
  type StationEvent,
  type View,
} from './packing-model.rules.ts'
import type { QueuedScan, ScanMethod } from './scan-format.rules.ts'
import { counted, fillsScreen, missing, nextLine, type Standing, standingOf, type Tone, toneOf } from './station.rules.ts'

/** Scans that wait while an order opens; more than this is a broken scanner. */
const mostEarly = 20
/** Milliseconds: after one's own scan the notice about it says nothing new, so the next look waits for a pause. */
const quietAfterOwnScan = 900
/** Milliseconds: a look that a scan has overtaken is repeated. */
const overtakenPause = 150
/** Older prints have come out, or stand in the list of prints. */
const mostWatched = 8

/** One event on its way through the reducer: the state so far, and the effects so far. */
interface Step {
  state: PackingState
  readonly situation: Situation
  readonly effects: Effect[]
}

export function reduce(
  state: PackingState,
  event: StationEvent,
  situation: Situation,
): { state: PackingState; effects: readonly Effect[] } {
  const step: Step = { state, situation, effects: [] }
  handle(step, event)
  return { state: step.state, effects: step.effects }
}

function handle(step: Step, event: StationEvent): Step {
  const { order, view } = step.state
  switch (event.type) {
    case 'scan':
      return scan(step, event)
    case 'command':
      return command(step, event.command)
    case 'primary':
      return primary(step)
    case 'back':
      return back(step)
    case 'choose': {
      const choice = choicesOf(step.state, step.situation)[event.number - 1]
      if (choice && choice.closed === undefined) handle(step, choice.event)
      return step
    }
    case 'ask':
      return ask(step, event.dialog)
    case 'find':
      return findAndOpen(step, event.code)
    case 'open':
      return open(step, event.order_id, { shown: event.order_no ?? '' })
    case 'leave':
      return leave(step)
    case 'close':
      return close(step, event)
    case 'set_aside':
      return setAside(step, event.reason)
    case 'give_back':
      return leaveBy(step, 'abort', { empty: event.empty })
    case 'put_back':
      return leaveBy(step, 'put_back', {})
    case 'count':
      if (view === 'packing') enqueue(step, { kind: 'count', order_line_id: event.order_line_id, quantity: event.quantity })
      return step
    case 'choose_line': {
      const { choosing } = step.state
      set(step, { choosing: null })
      if (choosing) enqueue(step, { kind: 'scan', code: choosing.code, method: choosing.method, line_id: event.line_id })
      return step
    }
    case 'begin_linking':
      return set(step, { linking: { code: event.code, line_id: null }, wrong: null })
    case 'choose_linked_line':
      if (step.state.linking) set(step, { linking: { ...step.state.linking, line_id: event.line_id } })
      return step
    case 'bypass':
      if (!order || step.state.bypass.sending) return step
      set(step, { bypass: { sending: true, failure: null } })
      return call(
        step,
        'bypass',
        { order_id: order.order_id, reason: event.reason, pin: event.pin },
        {
          afterScansOf: order.order_id,
        },
      )
    case 'reprint':
      return reprint(step, event)
    case 'save_label':
      return call(step, 'download', { order_id: event.order_id, announce: null })
    case 'hide':
      return set(step, { hidden: true })
    case 'answered':
      return answered(step, event)
    case 'call_failed':
      return failed(step, event)
    case 'retrying':
      if (event.turn !== step.state.turn) return step
      if (!event.reachable && !step.state.unreached) play(step, 'attention')
      return set(step, { unreached: !event.reachable })
    case 'scan_answered':
      return scanAnswered(step, event.scan, event.answer)
    case 'scan_refused':
      if (event.order_id !== order?.order_id) return step
      sayFailure(step, event.failure)
      return look(step)
    case 'queue_changed':
      return set(step, { waiting: event.waiting, cutOff: event.offline, ...unsentOf(event.waiting, order) })
    case 'noticed':
      return noticed(step, event.topic, event.id)
    case 'look_due':
      return look(step)
    case 'print_changed':
      return printChanged(step, event.job_id, event.state)
    case 'print_gone':
      if (step.state.prints.some(print => print.job_id === event.job_id))
        watchPrints(step, { prints: step.state.prints.filter(print => print.job_id !== event.job_id) })
      return step
    case 'parcel_added':
      say(step, 'Order {{order_no}} has one more parcel', 'line', { order_no: event.order_no })
      return look(step)
    case 'failed':
      return sayFailure(step, event.failure)
    case 'acknowledged_loaded':
      return set(step, { acknowledged: event.session_ids })
    case 'signed_out':
      // Nothing of this person stays on the screen; their scans wait in the queue for them.
      set(step, { ...noOrder, last: null, heldBy: null, prints: [], waiting: [], cutOff: false, turn: step.state.turn + 1 })
      return emit(step, { type: 'cancel_look' })
  }
}

// Small changes and effects.

function set(step: Step, change: Partial<PackingState>): Step {
  step.state = { ...step.state, ...change }
  return step
}

function emit(step: Step, ...effects: readonly Effect[]): Step {
  step.effects.push(...effects)
  return step
}

const play = (step: Step, tone: Tone): Step => emit(step, { type: 'play', tone })

function say(step: Step, text: string, tone: Tone, values?: Say['values']): Step {
  const nth = step.state.nth + 1
  set(step, { nth, message: { text, tone, nth, ...(values && { values }) } })
  play(step, tone)
  return step
}

const sayFailure = (step: Step, { text, values }: Failure): Step => say(step, text, 'error', values)

function call<Name extends CallName>(
  step: Step,
  name: Name,
  input: InputOf<Name>,
  { retry = 'never', afterScansOf = null }: { retry?: 'never' | 'unreachable' | 'busy'; afterScansOf?: number | null } = {},
): Step {
  step.effects.push({ type: 'call', name, input, turn: step.state.turn, retry, afterScansOf } as Effect)
  return step
}

const unsentOf = (waiting: readonly number[], order: PackingOrder | null) => {
  const unsent = waiting.filter(order_id => order_id === order?.order_id).length
  return { unsent, unsentElsewhere: waiting.length - unsent }
}

/** Closes the open order's screen; what just left stays in sight. */
function clear(step: Step, change: Partial<PackingState>): Step {
  set(step, { ...noOrder, ...unsentOf(step.state.waiting, null), ...change })
  return step
}

/** Answers that are still under way are void from here on. */
const nextTurn = (step: Step): Step => set(step, { turn: step.state.turn + 1 })

/** Back to the prompt; the order stays as it is on the server. */
function leave(step: Step, change: Partial<PackingState> = {}): Step {
  nextTurn(step)
  clear(step, { hidden: step.state.hidden, ...change })
  step.effects.push({ type: 'cancel_look' }, { type: 'remember', order_id: null }, { type: 'refresh_lists' })
  return step
}

function enqueue(step: Step, action: ScanAction): Step {
  const { order, unsent, serialLines } = step.state
  if (!order) return step
  const serial_for = serialLines[order.order_id]
  // Behind other scans the answer to the one before decides; alone, the scan is stored with its meaning.
  const isSerial = action.kind === 'scan' && action.line_id === undefined && unsent === 0 && serial_for !== undefined
  step.effects.push({ type: 'enqueue', order_id: order.order_id, action: isSerial ? { ...action, serial_for } : action })
  return step
}

const personOf = ({ user, station }: Situation) => ({ user_id: user?.user_id ?? 0, station })
const mayDo = ({ user }: Situation, what: readonly Permission[]): boolean => isAllowed(user?.permissions ?? [], what)

// Scans.

/** A parcel's or an order's number, rather than a product's: it may open an order where no order is open. */
const isParcelNumber = (code: Code): boolean => code.kind === 'other' && (code.gs1?.sscc !== undefined || /^OWN\d+$/.test(code.text))

/** One scan, from a scanner or the camera. Every scan is answered. */
function scan(step: Step, { code, method }: Scanned): Step {
  if (step.state.hidden) set(step, { hidden: false })
  if (step.situation.station === '') return play(step, 'attention')
  if (code.kind === 'command') return command(step, code.command)
  const opens = code.kind === 'order' || code.kind === 'paperless'
  const { view, order } = step.state
  switch (view) {
    case 'idle':
    case 'choose':
    case 'looking':
      if (code.kind === 'refused') return say(step, code.reason, 'error')
      if (code.kind === 'badge') return say(step, 'A staff badge opens no order. Scan an order code.', 'ignored')
      if (view === 'looking' && !opens && !isParcelNumber(code))
        return say(step, 'This order cannot be packed now. Scan another order code.', 'ignored')
      if (view === 'idle' && lacksLabel(step.state) && holdBack(step, step.state.last?.order)) return step
      return findAndOpen(step, code.text)
    case 'opening':
      if (opens && step.state.unreached) return findAndOpen(step, code.text)
      if (opens || step.state.early.length >= mostEarly) return play(step, 'ignored')
      // The scan counts as soon as the order is open.
      return set(step, { early: [...step.state.early, { code, method }] })
    case 'closing':
      if (opens) set(step, { next: { code, method } })
      return play(step, opens ? 'ok' : 'ignored')
    case 'waiting':
    case 'label_error':
      if (!opens) return say(step, 'Scan the next order, or put this one right first', 'ignored')
      if (holdBack(step, order)) return step
      leave(step)
      return findAndOpen(step, code.text)
    case 'label_check':
      return checkLabel(step, code.text)
    case 'packing':
      return opens ? switchTo(step, code.text) : scanItem(step, code, method)
  }
}

function scanItem(step: Step, code: Exclude<Code, { kind: 'command' }>, method: ScanMethod): Step {
  const { warned, linking, order } = step.state
  if (!warned) return say(step, 'Read the warning first: press Enter, or scan the order code again', 'attention')
  if (order && linking?.line_id && linking.code === code.text) {
    set(step, { linking: null, wrong: null })
    return call(step, 'link_barcode', { order_id: order.order_id, code: code.text, order_line_id: linking.line_id })
  }
  if (step.state.dialog) set(step, { dialog: null })
  if (code.kind === 'badge') return say(step, 'A staff badge is no product', 'ignored')
  enqueue(step, { kind: 'scan', code: code.text, method })
  return step
}

/** Whether an order without a label keeps the next one waiting: it does for one scan, so that it is seen. */
function holdBack(step: Step, order: PackingOrder | null | undefined): boolean {
  if (!order || step.state.heldBy === order.order_id) return false
  set(step, { heldBy: order.order_id })
  say(step, 'Order {{order_no}} has no label yet. Scan once more to go on without it.', 'attention', { order_no: order.order_no })
  return true
}

const serialLineOf = ({ result, line }: ScanAnswer): number | undefined =>
  result === 'serial_needed' || result === 'serial_refused' ? line?.order_line_id : undefined

/** The server has counted, or said why not. */
function scanAnswered(step: Step, scan: QueuedScan, answer: ScanAnswer): Step {
  const asked = serialLineOf(answer)
  const { [scan.order_id]: _, ...others } = step.state.serialLines
  set(step, { serialLines: asked === undefined ? others : { ...others, [scan.order_id]: asked } })
  const { order } = step.state
  if (!order || scan.order_id !== order.order_id) return step
  const code = scan.kind === 'scan' ? scan.code : ''
  set(step, {
    answers: step.state.answers + 1,
    answeredAt: step.situation.now,
    order: counted(order, answer),
    asking: asked ?? null,
    wrong: fillsScreen(answer.result) ? { ...answer, code } : null,
    choosing:
      answer.result === 'ambiguous' && scan.kind === 'scan'
        ? { code, method: scan.method, lines: answer.choices, text: answer.text, values: answer.values }
        : null,
    linking: null,
    other: null,
    readdressed: false,
    touched: answer.line && answer.counted !== 0 ? answer.line.order_line_id : step.state.touched,
  })
  say(step, answer.text, toneOf(answer.result), answer.values)
  if (answer.result === 'stopped') look(step)
  else if (answer.result === 'order_done') close(step)
  // An unknown code may be the number of a parcel or of another order.
  else if (answer.result === 'unknown' && scan.kind === 'scan') call(step, 'find', { code, purpose: 'unknown_code' })
  return step
}

// Opening.

function findAndOpen(step: Step, code: string): Step {
  nextTurn(step)
  clear(step, { view: 'opening', opening: code })
  call(step, 'find', { code, purpose: 'open' }, { retry: 'unreachable' })
  return step
}

function open(step: Step, order_id: number, { take_over = false, shown = '' } = {}): Step {
  nextTurn(step)
  const again = step.state.order?.order_id === order_id
  if (again) set(step, { busy: true })
  else clear(step, { early: step.state.early, view: 'opening', opening: shown || step.state.opening })
  call(step, 'start', { order_id, take_over }, { retry: again ? 'never' : 'unreachable' })
  return step
}

function found(step: Step, { code, purpose }: InputOf<'find'>, { orders }: AnswerOf<'find'>): Step {
  const { order, wrong } = step.state
  const [first] = orders
  if (purpose === 'unknown_code') {
    if (wrong?.code !== code || !first || first.order_id === order?.order_id) return step
    set(step, { wrong: null })
    return askForOther(step, first, code)
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

function opened(step: Step, order: PackingOrder): Step {
  set(step, { busy: false })
  show(step, order)
  welcome(step, order)
  const { early } = step.state
  set(step, { early: [] })
  if (step.state.view === 'packing') for (const one of early) scan(step, one)
  return step
}

/** What a freshly opened order asks for first. */
function welcome(step: Step, order: PackingOrder): Step {
  const { view, warned } = step.state
  const state = order.session?.state
  if (view === 'waiting') {
    if (state === 'labelling' || state === 'closing') close(step)
  } else if (view === 'packing' && order.to_pack > 0 && order.packed >= order.to_pack) close(step)
  else play(step, view === 'packing' && warned ? 'ok' : 'attention')
  return step
}

/** Another order's code while one is open is scanned twice, so that it is meant – unless nothing was packed yet. */
function switchTo(step: Step, code: string): Step {
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

function setAsideFor(step: Step, next: number): Step {
  const { order } = step.state
  if (!order) return step
  const { order_id, order_no } = order
  if (order.packed === 0) call(step, 'abort', { order_id, order_no, empty: false, next }, { afterScansOf: order_id })
  else call(step, 'park', { order_id, order_no, reason: '', next }, { afterScansOf: order_id })
  return step
}

/** The warnings of this order are read. */
function acknowledge(step: Step): Step {
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

// The open order.

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
function show(step: Step, order: PackingOrder): Step {
  const before = step.state
  const person = personOf(step.situation)
  const standing = standingOf(order, person)
  const isNew = before.order?.order_id !== order.order_id
  const view = viewOf(order, standing)
  const stoppedNow = !isNew && before.order !== null && isStop(standing) && !isStop(standingOf(before.order, person))
  const readdressed =
    !isNew && view === 'packing' && before.view === 'packing' && before.order !== null && goesElsewhere(before.order, order)
  set(step, {
    view,
    order,
    ...(isNew && {
      touched: null,
      asking: before.serialLines[order.order_id] ?? null,
      wrong: null,
      choosing: null,
      linking: null,
      dialog: null,
      other: null,
      readdressed: false,
      warned: !hasWarning(order) || (order.session !== null && before.acknowledged.includes(order.session.id)),
    }),
    ...(view !== 'packing' && { wrong: null, choosing: null, dialog: null, other: null, readdressed: false }),
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
function look(step: Step, then: AfterLook = null): Step {
  const { order, view, answers } = step.state
  step.effects.push({ type: 'cancel_look' })
  if (order && view !== 'closing') call(step, 'look', { order_id: order.order_id, seen: answers, then })
  return step
}

function looked(step: Step, { order_id, seen }: InputOf<'look'>, order: PackingOrder): Step {
  if (step.state.order?.order_id !== order_id) return step
  // A scan has overtaken this answer: its counts are older than those on the screen.
  if (seen !== step.state.answers) return emit(step, { type: 'look_after', ms: overtakenPause })
  if (step.state.view === 'waiting' && order.session === null && order.work_state !== 'in_pack')
    return call(step, 'close_again', { order_id, order })
  show(step, order)
  return step
}

function afterLook(step: Step, then: AfterLook): Step {
  if (then?.kind === 'say') return sayFailure(step, then.failure)
  if (then?.kind !== 'closed') return step
  play(step, then.failed ? 'error' : 'attention')
  if (then.next && (step.state.view === 'waiting' || step.state.view === 'label_error')) scan(step, then.next)
  return step
}

/** Something changed somewhere: own scans bring notices too, which say nothing new. */
function noticed(step: Step, topic: ChangeTopic, id: number | undefined): Step {
  const { order, answeredAt } = step.state
  if (!order || (id !== undefined && id !== order.order_id)) return step
  const since = step.situation.now - answeredAt
  if (topic === 'packing' && since < quietAfterOwnScan) step.effects.push({ type: 'look_after', ms: quietAfterOwnScan - since + 50 })
  else look(step)
  return step
}

// Closing.

/** The parcel is complete: every scan acknowledged, then the label booked and printed. */
function close(step: Step, { rest, weight_g }: Pick<InputOf<'close'>, 'rest' | 'weight_g'> = {}): Step {
  const { order, view } = step.state
  if (!order || view === 'closing') return step
  const { order_id } = order
  set(step, { view: 'closing', dialog: null, wrong: null, choosing: null, closing: null, unreached: false, heldBy: null })
  call(
    step,
    'close',
    { order_id, ...(rest && { rest }), ...(weight_g !== undefined && { weight_g }) },
    {
      retry: 'busy',
      afterScansOf: order_id,
    },
  )
  return step
}

/** What the close call would have answered, had it been asked here. */
const closedElsewhere = ({ parcels }: PackingOrder, session_id: number): Closing => ({
  outcome: 'labelled',
  session_id,
  parcels,
  print_jobs: [],
  text: 'The parcel is done',
  values: {},
})

function closed(step: Step, closing: Closing): Step {
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
  if (outcome === 'labelled' || outcome === 'no_parcel')
    return done(step, order, closing, labelAfter(closing, step.situation.hasLabelPrinter))
  set(step, { next: null, message: null, view: outcome === 'label_check' || outcome === 'label_error' ? outcome : 'waiting' })
  look(step, { kind: 'closed', failed: outcome === 'label_error' || outcome === 'stopped' || closing.print_jobs.some(isFailed), next })
  return step
}

function done(step: Step, order: PackingOrder, closing: Closing, label: LastLabel): Step {
  const { next } = step.state
  leave(step, { last: { order: { ...order, parcels: closing.parcels }, closing, label, at: step.situation.now } })
  const failed = closing.print_jobs.some(isFailed) && label !== 'printed'
  play(step, failed ? 'error' : lacksLabel(step.state) ? 'attention' : 'done')
  if (next) scan(step, next)
  return step
}

function checkLabel(step: Step, code: string): Step {
  const { order, closing } = step.state
  const session_id = order?.session?.id ?? closing?.session_id
  if (!order || session_id === undefined) return step
  set(step, { busy: true })
  call(step, 'check_label', { session_id, code })
  return step
}

function labelChecked(step: Step, { session_id }: InputOf<'check_label'>, { ok, text, values, left }: AnswerOf<'check_label'>): Step {
  const { order, closing, prints } = step.state
  set(step, { busy: false })
  if (!ok) return say(step, text, 'error', values)
  if (left > 0) return say(step, text, 'line', values)
  if (!order) return step
  // The label was scanned on its parcel: however its print went, it is not waited for.
  watchPrints(step, { prints: prints.filter(print => print.order_id !== order.order_id || print.document !== 'label') })
  done(step, order, closing ?? closedElsewhere(order, session_id), 'printed')
  return step
}

// Leaving without a label.

/** The order is left by a call; what was packed so far stays counted. */
function leaveBy(step: Step, how: 'park' | 'abort' | 'put_back', more: { reason?: string; empty?: boolean }): Step {
  const { order, busy } = step.state
  if (!order || busy) return step
  set(step, { busy: true, dialog: null })
  const { order_id, order_no } = order
  call(step, how, { order_id, order_no, next: null, reason: '', empty: false, ...more }, { afterScansOf: order_id })
  return step
}

const setAside = (step: Step, reason = ''): Step => leaveBy(step, 'park', { reason })

const leftBy = {
  park: 'Order {{order_no}} waits in the hospital list',
  abort: 'Order {{order_no}} is given back',
  put_back: 'Everything of {{order_no}} lies in its bins again',
} as const

// Prints of orders that were closed here.

/** A label that arrives late makes the idle station green from now on. */
function watchPrints(
  step: Step,
  { prints = step.state.prints, last = step.state.last }: Partial<Pick<PackingState, 'prints' | 'last'>>,
): Step {
  const lacked = lacksLabel(step.state)
  set(step, { prints: prints.slice(-mostWatched), last })
  if (!lacked || !last || lacksLabel(step.state) || step.state.view !== 'idle') return step
  set(step, { last: { ...last, at: step.situation.now }, heldBy: null, message: null })
  play(step, 'done')
  return step
}

/** The last order with what became of its label meanwhile, if it is this one and has lacked it until now. */
function lastWith(state: PackingState, order_id: number, label: LastLabel): PackingState['last'] {
  const { last } = state
  if (last?.order.order_id !== order_id) return last
  // A copy of a label that came out changes nothing, however its own print goes.
  return { ...last, label: lacksLabel(state) ? label : last.label === 'printing' ? 'printed' : last.label }
}

function reprint(step: Step, { order_id, order_no }: { order_id: number; order_no: string }): Step {
  if (step.situation.hasLabelPrinter) call(step, 'print', { order_id, order_no })
  else call(step, 'download', { order_id, announce: order_no })
  return step
}

function reprinted(step: Step, { order_id, order_no }: InputOf<'print'>, { print_jobs }: AnswerOf<'print'>): Step {
  const { prints, last } = step.state
  // The print that failed is no longer waited for: trying it again would make a second label.
  const others = prints.filter(print => print.order_id !== order_id || print.document !== 'label')
  const jobs = print_jobs.map((job): Print => ({ job_id: job.id, document: 'label', order_id, order_no, state: job.state }))
  watchPrints(step, { prints: [...others, ...jobs], last: jobs.length > 0 ? lastWith(step.state, order_id, 'printing') : last })
  if (print_jobs.every(job => job.state !== 'failed' && job.error === null))
    say(step, 'The label of {{order_no}} prints again', 'ok', { order_no })
  else if (print_jobs.some(isFailed)) play(step, 'error')
  return step
}

function printChanged(step: Step, job_id: number, state: string): Step {
  const known = step.state.prints.find(print => print.job_id === job_id)
  if (!known || known.state === state) return step
  watchPrints(step, { prints: step.state.prints.map(print => (print.job_id === job_id ? { ...print, state } : print)) })
  if (isFailed({ state }) && !isFailed(known)) play(step, 'error')
  return step
}

// Commands, Enter and Esc.

function command(step: Step, name: Command): Step {
  const { view, order, unsent } = step.state
  if (name === 'PAUSE') return set(step, { hidden: true })
  if (name === 'REPRINT') return reprintShown(step)
  if (name === 'DONE') return primary(step)
  if (view === 'label_error' || view === 'waiting' || view === 'label_check') {
    if (name !== 'HOSPITAL' && name !== 'ABORT') return say(step, 'This order is being closed', 'ignored')
    return view === 'waiting' ? leave(step) : setAside(step)
  }
  if (view === 'looking' && (name === 'ABORT' || name === 'HOSPITAL')) return leave(step)
  if (view !== 'packing' || !order) return say(step, 'No order is open', 'ignored')
  const untouched = order.packed === 0 && unsent === 0
  switch (name) {
    case 'FINALIZE':
      if (order.to_pack > 0 && order.packed >= order.to_pack) return close(step)
      if (untouched) return say(step, 'Nothing is packed yet. Set the order aside instead.', 'attention')
      return ask(step, 'finalize')
    case 'NEXT':
      if (step.state.busy) return step
      set(step, { busy: true })
      return call(step, 'next_parcel', { order_id: order.order_id }, { afterScansOf: order.order_id })
    case 'UNDO':
      return enqueue(step, { kind: 'undo' })
    case 'HOSPITAL':
      return ask(step, 'hospital')
    case 'ABORT':
      return untouched ? leaveBy(step, 'abort', { empty: false }) : ask(step, 'abort')
  }
}

/** The label of the order on the screen and of no other: another label could end on the parcel that is packed now. */
function reprintShown(step: Step): Step {
  const order = orderOnScreen(step.state)
  if (!order) return say(step, step.state.view === 'idle' ? 'Nothing was packed here yet' : 'No order is open', 'ignored')
  if (!haveLabel(order.parcels)) return say(step, 'Order {{order_no}} has no label yet', 'attention', { order_no: order.order_no })
  reprint(step, order)
  return step
}

function ask(step: Step, dialog: Dialog): Step {
  set(step, { dialog, wrong: null, choosing: null, linking: null, other: null, bypass: noOrder.bypass })
  play(step, 'attention')
  return step
}

/** What Enter, `CMD:DONE` and the main button do. */
function primary(step: Step): Step {
  const { state, situation } = step
  const { order, view, dialog } = state
  if (state.hidden) return set(step, { hidden: false })
  const first = choicesOf(state, situation).find(choice => choice.closed === undefined)
  if (first && (dialog === 'finalize' || dialog === 'abort')) return handle(step, first.event)
  if (dialog || state.choosing || state.linking || view === 'choose') return play(step, 'attention')
  if (state.other) return setAsideFor(step, state.other.order_id)
  if (!order) return play(step, 'ignored')
  if (view === 'packing') return primaryWhilePacking(step, order)
  if (view === 'label_error') return close(step)
  if (view === 'waiting') return leave(step)
  if (view !== 'looking') return step
  const standing = standingOf(order, personOf(situation))
  if (standing.kind === 'cancelled') return order.put_back ? leaveBy(step, 'put_back', {}) : leave(step)
  if (standing.kind === 'claimed' && (standing.own || standing.free || mayDo(situation, access.scanAdmin)))
    return open(step, order.order_id, { take_over: !standing.own })
  if (standing.kind === 'ready' || standing.kind === 'in_pick' || standing.kind === 'stopped') return open(step, order.order_id)
  leave(step)
  return step
}

function primaryWhilePacking(step: Step, order: PackingOrder): Step {
  const { state } = step
  if (!state.warned) return acknowledge(step)
  if (state.wrong) return set(step, { wrong: null, message: null })
  if (state.readdressed) return set(step, { readdressed: false })
  if (order.packed >= order.to_pack) return close(step)
  const next = nextLine(order.lines, state.asking)
  if (next?.no_barcode && !next.needs_serial)
    return enqueue(step, { kind: 'count', order_line_id: next.order_line_id, quantity: missing(next) })
  play(step, 'ignored')
  return step
}

/** Closes what lies on top; at the end, nothing. */
function back(step: Step): Step {
  const { state } = step
  const { view, order } = state
  if (state.hidden) return set(step, { hidden: false })
  if (state.dialog) return set(step, { dialog: null })
  if (state.linking) return set(step, { linking: null })
  if (state.choosing) return set(step, { choosing: null })
  if (state.other) return set(step, { other: null })
  if (state.wrong) return set(step, { wrong: null, message: null })
  if (state.readdressed) return set(step, { readdressed: false })
  if (view === 'packing' && state.asking !== null && order) {
    const { [order.order_id]: _, ...serialLines } = state.serialLines
    return set(step, { serialLines, asking: null, message: null })
  }
  if (view === 'looking' || view === 'choose' || view === 'opening' || view === 'waiting') return leave(step)
  if (view === 'closing' && state.unreached) return leave(step)
  if (view === 'idle') set(step, { message: null })
  return step
}

// Answers and failures of calls.

/** Prints are about an order by its number: they count whatever is open now. */
const isVoid = (step: Step, { name, turn }: { name: CallName; turn: number }): boolean =>
  turn !== step.state.turn && name !== 'print' && name !== 'download'

function answered(step: Step, event: Extract<StationEvent, { type: 'answered' }>): Step {
  if (isVoid(step, event)) return step
  const { order } = step.state
  switch (event.name) {
    case 'find':
      set(step, { unreached: false })
      return found(step, event.input, event.answer)
    case 'start':
      set(step, { unreached: false })
      return opened(step, event.answer)
    case 'look':
      looked(step, event.input, event.answer)
      return afterLook(step, event.input.then)
    case 'look_refused': {
      const { text, values } = event.input.failure
      show(step, event.answer)
      set(step, { early: [], refusal: { text, tone: 'error', ...(values && { values }) } })
      return play(step, 'error')
    }
    case 'close':
      set(step, { unreached: false })
      return closed(step, event.answer)
    case 'close_again':
      return closed(step, event.answer)
    case 'check_label':
      return labelChecked(step, event.input, event.answer)
    case 'park':
    case 'abort':
    case 'put_back': {
      const { next, order_no } = event.input
      leave(step)
      return next === null ? say(step, leftBy[event.name], 'ok', { order_no }) : open(step, next)
    }
    case 'next_parcel':
      set(step, { busy: false })
      show(step, event.answer)
      return say(step, 'A new parcel begins', 'line')
    case 'bypass':
      show(step, event.answer)
      set(step, { dialog: null, bypass: noOrder.bypass })
      say(step, 'Everything counts as packed without a scan', 'line')
      return event.answer.packed >= event.answer.to_pack ? close(step) : step
    case 'link_barcode':
      say(step, 'The code {{code}} is linked', 'ok', { code: event.input.code })
      return order ? enqueue(step, { kind: 'scan', code: event.input.code, method: 'scan' }) : step
    case 'print':
      return reprinted(step, event.input, event.answer)
    case 'download': {
      const { order_id, announce } = event.input
      watchPrints(step, { last: lastWith(step.state, order_id, 'file') })
      if (announce !== null)
        say(step, 'No label printer is chosen here: the label of {{order_no}} is saved as a PDF file', 'attention', { order_no: announce })
      return step
    }
  }
}

function failed(step: Step, event: Extract<StationEvent, { type: 'call_failed' }>): Step {
  if (isVoid(step, event)) return step
  const { failure } = event
  switch (event.name) {
    case 'find':
      if (event.input.purpose === 'unknown_code') return step
      if (event.input.purpose === 'open') leave(step)
      return sayFailure(step, failure)
    case 'start':
      set(step, { busy: false, unreached: false })
      return call(step, 'look_refused', { order_id: event.input.order_id, failure })
    case 'look_refused':
      leave(step)
      return sayFailure(step, event.input.failure)
    case 'look':
      if (failure.status === 404) leave(step)
      return afterLook(step, event.input.then)
    case 'close':
      set(step, { view: 'packing', unreached: false })
      return look(step, { kind: 'say', failure })
    case 'close_again':
      return closed(step, closedElsewhere(event.input.order, 0))
    case 'park':
    case 'abort':
    case 'put_back':
      if (event.input.next !== null) return sayFailure(step, failure)
      set(step, { busy: false })
      sayFailure(step, failure)
      return look(step)
    case 'bypass':
      return set(step, { bypass: { sending: false, failure } })
    case 'check_label':
    case 'next_parcel':
      set(step, { busy: false })
      return sayFailure(step, failure)
    case 'link_barcode':
    case 'print':
    case 'download':
      return sayFailure(step, failure)
  }
}
