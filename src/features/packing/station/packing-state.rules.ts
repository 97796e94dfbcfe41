/** The packing station as one pure reducer: an event changes the state and names the effects that follow. */
import { access } from '#contract/access.ts'
import { answers, type Code, type Command } from '#domain/codes.ts'
import { isOneOf } from '#domain/objects.ts'
import type { PackingOrder, ScanAnswer } from '#features/packing/packing/packing.schemas.ts'
import { readWeight } from '#features/packing/weighings/weight.rules.ts'
import { choicesOf } from './choices.rules.ts'
import { haveLabel, lacksLabel, orderOnScreen } from './label-state.rules.ts'
import { reopen, unpack } from './packed-order.rules.ts'
import { add, withAdded } from './packing-additions.rules.ts'
import { approvableAct, approve, approved, askApproval } from './packing-approval.rules.ts'
import { checkLabel, close, closed, closedElsewhere, labelChecked } from './packing-closing.rules.ts'
import { confirm, expect, goOnWhenRead, holdQueue, needsConnection, orderShown, wasShown } from './packing-forecast.rules.ts'
import {
  type AfterLook,
  type CallName,
  type Dialog,
  type Effect,
  noOrder,
  type PackingState,
  type Scanned,
  type Situation,
  type StationEvent,
  type Waits,
} from './packing-model.rules.ts'
import {
  acknowledge,
  findAndOpen,
  found,
  leaveBy,
  look,
  looked,
  noticed,
  open,
  setAside,
  setAsideFor,
  show,
  switchTo,
} from './packing-order.rules.ts'
import { closePartially, decideByLine, decideRest, isDecided, takeBackDecision } from './packing-partial.rules.ts'
import { photoFailed, photoMade, photoStored, takePhoto, withoutPhoto } from './packing-photo.rules.ts'
import { labelLater, labelled, lastWith, printChanged, reprint, reprinted, watchPrints } from './packing-prints.rules.ts'
import {
  approvalOf,
  asked,
  givenNow,
  giveReason,
  heldBack,
  lacksReason,
  notAsked,
  refreshed,
  sendAnswer,
  sendKept,
} from './packing-rule-approval.rules.ts'
import {
  askForSerial,
  call,
  emit,
  enqueue,
  leave,
  mayDo,
  personOf,
  play,
  type Step,
  say,
  sayFailure,
  set,
  unsentOf,
} from './packing-step.rules.ts'
import { askToWeigh, nextParcel, takeWeight, weigh, weighAgain, weighed, weighNow } from './packing-weighing.rules.ts'
import type { QueuedScan, ScanMethod } from './scan-format.rules.ts'
import { counted, fillsScreen, lineWithoutSerial, missing, nextLine, standingOf, toneOf } from './station.rules.ts'

/** Scans that wait while an order opens; more than this is a broken scanner. */
const mostEarly = 20

export function reduce(
  state: PackingState,
  event: StationEvent,
  situation: Situation,
): { state: PackingState; effects: readonly Effect[] } {
  const step: Step = { state, situation, effects: [] }
  handle(step, event)
  goOnWhenRead(step, state)
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
    case 'choose':
      choose(step, event.number)
      return step
    case 'ask':
      return ask(step, event.dialog)
    case 'undo_pack':
      return enqueue(step, { kind: 'undo', pack: true })
    case 'find':
      return findAndOpen(step, event.code)
    case 'open':
      return open(step, event.order_id, { shown: event.order_no ?? '' })
    case 'leave':
      return leave(step)
    case 'close':
      return close(step, event)
    case 'weigh':
      return weigh(step, event.weight_g, event.source)
    case 'weigh_again':
      return weighAgain(step)
    case 'take_weight':
      return takeWeight(step)
    case 'take_photo':
      return order ? takePhoto(step, order) : step
    case 'go_without_photo':
      return goOnWith(step, withoutPhoto(step))
    case 'photo_made':
      return goOnWith(step, photoMade(step, event.order_id, event.picture))
    case 'photo_failed':
      return photoFailed(step, event.order_id, event.problem)
    case 'photo_stored':
      return photoStored(step, event)
    case 'unpack':
      set(step, { unpacking: event.shipment_id })
      return play(step, 'attention')
    case 'unpack_confirmed':
      return unpack(step)
    case 'reopen':
      return reopen(step)
    case 'decide_rest':
      return decideRest(step, event.rest)
    case 'decide_by_line':
      return decideByLine(step)
    case 'notify_recipient':
      return closePartially(step, event.said, event.expected_on)
    case 'set_aside':
      return setAside(step, event.kind, event.reason)
    case 'give_back':
      return leaveBy(step, 'abort', { empty: event.empty })
    case 'put_back':
      return leaveBy(step, 'put_back', {})
    case 'count':
      if (view !== 'packing') return step
      if (step.state.dialog === 'quantity') set(step, { dialog: null })
      enqueue(step, { kind: 'count', order_line_id: event.order_line_id, quantity: event.quantity })
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
    case 'add':
      return add(step, event.id, event.skip)
    case 'ask_approval':
      return askApproval(step, event.act)
    case 'approve':
      return step.state.approving?.act === 'rule' ? sendAnswer(step, event.proof) : approve(step, event.proof)
    case 'approval_reason':
      return giveReason(step, event.reason)
    case 'ask_lead':
      return sendAnswer(step, null)
    case 'bypass_reason':
      return set(step, { bypass: { reason: event.reason, sending: false, failure: null } })
    case 'bypass':
      if (!order || step.state.bypass.sending) return step
      set(step, { bypass: { reason: event.reason, sending: true, failure: null } })
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
    case 'choose_printer':
      return emit(step, { type: 'choose_printer' })
    case 'label_later':
      return labelLater(step)
    case 'labelled':
      return labelled(step, event.order_id)
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
      if (step.state.approving?.act === 'rule') set(step, { approving: { ...step.state.approving, sending: false } })
      sayFailure(step, event.failure)
      return look(step)
    case 'queue_changed':
      return expect(set(step, { waiting: event.waiting, cutOff: event.offline, ...unsentOf(event.waiting, order) }))
    case 'parcel_begun':
      if (event.order.order_id !== order?.order_id) return step
      set(step, { answers: step.state.answers + 1, answeredAt: step.situation.now })
      show(step, event.order)
      return step.state.forecast ? step : nextBegins(step, event.order)
    case 'kept_order':
      if (view !== 'opening') return step
      show(step, event.order)
      return scanEarly(expect(step))
    case 'noticed':
      return noticed(step, event.topic, event.id)
    case 'look_due':
      return look(step)
    case 'print_changed':
      return printChanged(step, event.job_id, event.state)
    case 'print_gone': {
      const gone = step.state.prints.find(print => print.job_id === event.job_id)
      if (!gone) return step
      watchPrints(step, { prints: step.state.prints.filter(print => print !== gone) })
      return gone.document === 'label' ? labelled(step, gone.order_id) : step
    }
    case 'parcel_added':
      say(step, 'Order {{order_no}} has one more parcel', 'line', { order_no: event.order_no })
      return look(step)
    case 'failed':
      return sayFailure(step, event.failure)
    case 'acknowledged_loaded':
      return set(step, { acknowledged: event.session_ids })
    case 'unlabelled_loaded':
      return set(step, { unlabelled: event.orders })
    case 'signed_out':
      // Nothing of this person stays on the screen; their scans wait in the queue for them.
      set(step, { ...noOrder, last: null, heldBy: null, prints: [], waiting: [], cutOff: false, turn: step.state.turn + 1 })
      return emit(step, { type: 'cancel_look' }, { type: 'forget_kept' })
  }
}

/** Whether there was such an answer. */
function choose(step: Step, number: number): boolean {
  const choice = choicesOf(step.state, step.situation)[number - 1]
  if (!choice || choice.closed !== undefined) return false
  handle(step, choice.event)
  return true
}

// Scans.

/** A parcel's or an order's number, rather than a product's: it may open an order where no order is open. */
const isParcelNumber = (code: Code): boolean => code.kind === 'other' && (code.gs1?.sscc !== undefined || /^OWN\d+$/.test(code.text))

/** One scan, from a scanner or the camera. Every scan is answered. */
function scan(step: Step, { code, method }: Scanned): Step {
  if (step.state.hidden) set(step, { hidden: false })
  if (step.situation.station === '') return play(step, 'attention')
  if (code.kind === 'command') return command(step, code.command)
  if (code.kind === 'badge' && step.state.approving?.act === 'rule') return sendAnswer(step, { badge: code.text })
  if (code.kind === 'badge' && approvableAct(step) !== null) return approve(step, { badge: code.text })
  if (step.state.approving) set(step, { approving: null })
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
      // The label is on its way to the server; the next order's code opens once it is right.
      if (opens && step.state.busy) return play(set(step, { next: { code, method } }), 'ok')
      return checkLabel(step, code.text)
    case 'packing':
      return opens ? switchTo(step, code.text) : scanItem(step, code, method)
  }
}

/** The order code that was scanned while the order before it was being closed. */
function scanNext(step: Step): Step {
  const { view, next } = step.state
  if (view !== 'idle' || !next) return step
  return scan(set(step, { next: null }), next)
}

function scanItem(step: Step, code: Exclude<Code, { kind: 'command' }>, method: ScanMethod): Step {
  const { warned, linking, order } = step.state
  if (!warned) return say(step, readFirst, 'attention')
  if (step.state.held) return say(step, readAnswerFirst, 'attention')
  if (order && linking?.line_id && linking.code === code.text) {
    set(step, { linking: null, wrong: null })
    return call(step, 'link_barcode', { order_id: order.order_id, code: code.text, order_line_id: linking.line_id })
  }
  const grams = step.state.weighing ? readWeight(code.text) : undefined
  if (grams !== undefined) return weigh(step, grams, 'scanned')
  if (step.state.dialog) set(step, { dialog: null })
  if (code.kind === 'badge') return say(step, 'A staff badge is no product', 'ignored')
  if (step.state.weighing || step.state.photographing) set(step, { weighing: null, photographing: null })
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

const serialLineOf = ({ result, line, pack }: ScanAnswer): number | undefined =>
  pack?.order_line_id ?? (result === 'serial_needed' || result === 'serial_refused' ? line?.order_line_id : undefined)

/** The server has counted, or said why not. */
function scanAnswered(step: Step, scan: QueuedScan, answer: ScanAnswer): Step {
  const asked = serialLineOf(answer)
  const serialLineBefore = step.state.serialLines[scan.order_id]
  const wasAsked = serialLineBefore !== undefined
  const { [scan.order_id]: _, ...others } = step.state.serialLines
  set(step, { serialLines: asked === undefined ? others : { ...others, [scan.order_id]: asked } })
  const { order } = step.state
  if (!order || scan.order_id !== order.order_id) return step
  const expected = step.state.forecast?.expected.get(scan.scan_id)
  if (expected && wasShown(expected, answer)) return confirm(step, answer)
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
  if (expected && step.state.wrong) holdQueue(step)
  if (scan.kind === 'weight') return goOnAfter(step, weighed(step, scan, answer))
  if (answer.result === 'approval_needed')
    heldBack(step, scan, answer, scan.kind === 'scan' ? (scan.serial_for ?? serialLineBefore) : undefined)
  else if (answer.addition !== null) scannedIn(step, answer.addition)
  // A box or an additional product was taken back.
  else if (answer.result === 'stopped' || (answer.result === 'undone' && answer.line === null)) look(step)
  else if (answer.result === 'order_done') close(step)
  else if (wasAsked && asked === undefined && answer.result === 'ok') askForNextSerial(step)
  // An unknown code may be the number of a parcel or of another order.
  else if (answer.result === 'unknown' && scan.kind === 'scan') call(step, 'find', { code, purpose: 'unknown_code' })
  return step
}

/** What waited for the photo of the parcel: it may wait for the weight next. */
function goOnWith(step: Step, then: Waits | null): Step {
  const { order } = step.state
  if (then?.kind === 'next') return order ? nextParcel(step, order, then.without_photo) : step
  return then?.kind === 'close' ? close(step, then.how) : step
}

/** What waited for the weight of the parcel. */
function goOnAfter(step: Step, then: Waits | null): Step {
  if (then?.kind === 'next') return enqueue(step, then)
  return then?.kind === 'close' ? close(step, then.how) : step
}

/** Serial numbers that are recorded before the parcel is closed are asked for one after the other. */
function askForNextSerial(step: Step): Step {
  const { order } = step.state
  const unnamed = order && lineWithoutSerial(order)
  return unnamed ? askForSerial(step, order, unnamed) : step
}

/** An additional product was scanned; the last one closes the parcel that waited for it. */
function scannedIn(step: Step, id: number): Step {
  const { order, adding } = step.state
  if (order) set(step, { order: withAdded(order, id) })
  return adding ? close(step, adding) : step
}

function opened(step: Step, order: PackingOrder): Step {
  set(step, { busy: false })
  show(step, order)
  welcome(step, order)
  return scanEarly(step)
}

/** What was scanned while the order was being opened. */
function scanEarly(step: Step): Step {
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

function afterLook(step: Step, then: AfterLook): Step {
  if (then?.kind === 'say') return sayFailure(step, then.failure)
  if (then?.kind !== 'closed') return step
  play(step, then.failed ? 'error' : 'attention')
  if (then.next && (step.state.view === 'waiting' || step.state.view === 'label_error')) scan(step, then.next)
  return step
}

/** The full parcel gets its label now, or all of them when the order is closed. */
function nextBegins(step: Step, { session, order_no, parcels }: PackingOrder): Step {
  const parcel = session?.parcel_no ?? 1
  const full = parcels.findLast(one => one.parcel_no === parcel - 1)
  if (full?.state === 'error')
    return say(step, 'Parcel {{parcel}} begins. The label of the one before failed: {{error}}', 'attention', {
      parcel,
      error: full.error ?? '',
    })
  if (full) return say(step, 'Parcel {{parcel}} begins. The label of parcel {{full}} prints now.', 'line', { parcel, full: parcel - 1 })
  return say(step, 'Parcel {{parcel}} begins. The labels of {{order_no}} print when the order is closed.', 'line', { parcel, order_no })
}

/** An approval that was waited for is given: what it held back follows. */
function goOn(step: Step): Step {
  const given = givenNow(step)
  return given && !sendKept(step, given) ? close(step) : step
}

const leftBy = {
  park: 'Order {{order_no}} waits in exceptions',
  abort: 'Packing of {{order_no}} stopped',
  put_back: 'All items of {{order_no}} are back in their bins',
} as const

// Commands, Enter and Esc.

const readFirst = 'Read the warning first: press Enter, or scan the order code again'
const readAnswerFirst = 'Read this first, then press Enter. The other scans wait.'

function command(step: Step, name: Command): Step {
  const { view, unsent } = step.state
  const order = orderShown(step.state)
  if (isOneOf(answers, name)) return choose(step, Number(name)) ? step : play(step, 'ignored')
  if (name === 'ESC') return back(step)
  if (name === 'PAUSE') return set(step, { hidden: true })
  if (name === 'REPRINT') return reprintShown(step)
  if (name === 'DONE') return primary(step)
  if (view === 'label_error' || view === 'waiting' || view === 'label_check') {
    if (name !== 'EXCEPTION' && name !== 'ABORT') return say(step, 'This order is being closed', 'ignored')
    return view === 'waiting' ? leave(step) : setAside(step)
  }
  if (view === 'looking' && (name === 'ABORT' || name === 'EXCEPTION')) return leave(step)
  if (view !== 'packing' || !order) return say(step, 'No order is open', 'ignored')
  const untouched = order.packed === 0 && unsent === 0
  if (step.state.held) return say(step, readAnswerFirst, 'attention')
  if (!step.state.warned && name !== 'EXCEPTION' && name !== 'ABORT') return say(step, readFirst, 'attention')
  switch (name) {
    case 'FINALIZE':
      if (order.to_pack > 0 && order.packed >= order.to_pack) return close(step)
      if (step.state.forecast) return say(step, needsConnection, 'attention')
      if (untouched) return say(step, 'Nothing is packed yet. Set the order aside instead.', 'attention')
      ask(step, 'finalize')
      // A lead has answered the first question already.
      return isDecided(order) ? decideRest(step, 'backorder') : step
    case 'NEXT':
      if (lineWithoutSerial(order)) return askForNextSerial(step)
      return nextParcel(step, order)
    case 'PHOTO':
      return takePhoto(step, order)
    case 'WEIGH':
      return askToWeigh(step, order)
    case 'QUANTITY': {
      const line = nextLine(order.lines, step.state.asking)
      if (!line || line.needs_serial) return play(step, 'ignored')
      if (!line.no_barcode && !mayDo(step.situation, access.scanAdmin))
        return say(step, '{{name}} has a barcode: scan it. Only a lead may count it by hand.', 'attention', { name: line.name })
      return ask(step, 'quantity')
    }
    case 'UNDO':
      return enqueue(step, { kind: 'undo' })
    case 'EXCEPTION':
      return ask(step, 'exception')
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
  set(step, {
    dialog,
    partial: null,
    weighing: null,
    photographing: null,
    approving: null,
    adding: null,
    wrong: null,
    choosing: null,
    linking: null,
    other: null,
    bypass: noOrder.bypass,
  })
  play(step, 'attention')
  return step
}

/** What Enter, `CMD:DONE` and the main button do. */
function primary(step: Step): Step {
  const { state, situation } = step
  const { order, view, dialog } = state
  if (state.hidden) return set(step, { hidden: false })
  const first = choicesOf(state, situation).find(choice => choice.closed === undefined)
  if (state.photographing?.approves) return order ? takePhoto(step, order) : step
  if (state.approving) return primaryOfApproval(step)
  if (dialog === 'bypass' && state.bypass.reason && order) return handle(step, { type: 'bypass', reason: state.bypass.reason, pin: '' })
  if (state.photographing && !dialog) return order ? takePhoto(step, order) : step
  if (state.weighing && !dialog) return weighNow(step)
  if (first && state.unpacking !== null) return handle(step, first.event)
  if (first && state.adding) return first.key === 'packed' ? handle(step, first.event) : play(step, 'attention')
  if (first && (dialog === 'finalize' || dialog === 'abort' || view === 'idle')) return handle(step, first.event)
  if (dialog || state.choosing || state.linking || view === 'choose') return play(step, 'attention')
  if (state.other) return setAsideFor(step, state.other.order_id)
  if (view === 'idle' && !situation.hasLabelPrinter) return emit(step, { type: 'choose_printer' })
  if (view === 'idle') return state.busy ? step : call(set(step, { busy: true }), 'oldest', {})
  if (!order) return play(step, 'ignored')
  if (view === 'packing') return primaryWhilePacking(step, orderShown(state) ?? order)
  if (view === 'label_error') return close(step)
  if (view === 'waiting') return leave(step)
  if (view !== 'looking') return step
  const standing = standingOf(order, personOf(situation))
  if (standing.kind === 'cancelled') return order.put_back ? leaveBy(step, 'put_back', {}) : leave(step)
  if (standing.kind === 'claimed' && approvableAct(step) !== null) return askApproval(step, 'take_over')
  if (standing.kind === 'claimed' && (standing.own || standing.free || mayDo(situation, access.scanAdmin, 'take_over')))
    return open(step, order.order_id, { take_over: !standing.own })
  if (standing.kind === 'ready' || standing.kind === 'in_pick' || standing.kind === 'stopped') return open(step, order.order_id)
  leave(step)
  return step
}

/** A lead elsewhere is asked where the rule allows it; a badge or PIN is the answer of the others. */
function primaryOfApproval(step: Step): Step {
  const { order, approving } = step.state
  const asked = approving?.asked
  const methods = (order && asked && approvalOf(order, asked)?.methods) ?? []
  const elsewhere = methods.includes('remote') && asked?.until === null
  if (order && !elsewhere && methods.includes('photo') && !lacksReason(step.state)) return takePhoto(step, order)
  return elsewhere ? sendAnswer(step, null) : play(step, 'attention')
}

function primaryWhilePacking(step: Step, order: PackingOrder): Step {
  const { state } = step
  if (!state.warned) return acknowledge(step)
  if (state.wrong) return set(step, { wrong: null, message: null })
  if (state.readdressed) return set(step, { readdressed: false })
  if (order.packed >= order.to_pack) return state.forecast ? say(step, needsConnection, 'attention') : close(step)
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
  if (state.photographing?.approves) return set(step, { photographing: null })
  if (state.approving) return set(step, { approving: null })
  if (state.adding) return set(step, { adding: null })
  if (state.photographing && !state.dialog) return set(step, { photographing: null })
  if (state.weighing?.asked) return weighAgain(step)
  if (state.weighing && !state.dialog) return set(step, { weighing: null })
  if (state.unpacking !== null) return set(step, { unpacking: null })
  if (state.dialog === 'bypass' && state.bypass.reason !== null) return set(step, { bypass: noOrder.bypass })
  if (state.dialog === 'finalize') return takeBackDecision(step)
  if (state.dialog) return set(step, { dialog: null })
  if (state.linking) return set(step, { linking: null })
  if (state.choosing) return set(step, { choosing: null })
  if (state.other) return set(step, { other: null })
  if (state.wrong) return set(step, { wrong: null, message: null })
  if (state.readdressed) return set(step, { readdressed: false })
  // Behind a scan that waits, the next one is read as its serial number whatever the screen shows.
  if (view === 'packing' && state.asking !== null && state.forecast) return say(step, needsConnection, 'attention')
  if (view === 'packing' && state.asking !== null && order) {
    const { [order.order_id]: _, ...serialLines } = state.serialLines
    return set(step, { serialLines, asking: null, message: null })
  }
  if (view === 'looking' || view === 'choose' || view === 'opening' || view === 'waiting') return leave(step)
  if (view === 'closing' && state.unreached) return leave(step)
  if (view === 'idle') return lacksLabel(state) ? labelLater(step) : set(step, { message: null })
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
    case 'oldest': {
      set(step, { busy: false })
      const { order: oldest } = event.answer
      if (step.state.view !== 'idle') return step
      return oldest ? open(step, oldest.order_id, { shown: oldest.order_no }) : say(step, 'No order waits to be packed', 'ignored')
    }
    case 'start':
      set(step, { unreached: false })
      return opened(step, event.answer)
    case 'look':
      looked(step, event.input, event.answer)
      afterLook(step, event.input.then)
      return goOn(refreshed(step))
    case 'look_refused': {
      const { text, values } = event.input.failure
      show(step, event.answer)
      set(step, { early: [], refusal: { text, tone: 'error', ...(values && { values }) } })
      return play(step, 'error')
    }
    case 'close':
      set(step, { unreached: false })
      return scanNext(closed(step, event.answer))
    case 'close_again':
      return scanNext(closed(step, event.answer))
    case 'check_label':
      return scanNext(labelChecked(step, event.input, event.answer))
    case 'park':
    case 'abort':
    case 'put_back': {
      const { next, order_no } = event.input
      leave(step)
      return next === null ? say(step, leftBy[event.name], 'ok', { order_no }) : open(step, next)
    }
    case 'unpack':
    case 'reopen':
      set(step, { unpacking: null })
      return open(step, event.input.order_id)
    case 'approve':
      return approved(step, event.input, event.answer)
    case 'ask_approval':
      return goOn(asked(step, event.input, event.answer))
    case 'bypass':
      show(step, event.answer)
      set(step, { dialog: null, bypass: noOrder.bypass })
      say(step, 'Mark all items as packed without scanning', 'line')
      return event.answer.packed >= event.answer.to_pack ? close(step) : step
    case 'add': {
      const { adding } = step.state
      set(step, { busy: false })
      show(step, event.answer)
      return adding ? close(step, adding) : step
    }
    case 'link_barcode':
      say(step, 'The code {{code}} is linked', 'ok', { code: event.input.code })
      return order ? enqueue(step, { kind: 'scan', code: event.input.code, method: 'scan' }) : step
    case 'print':
      return reprinted(step, event.input, event.answer)
    case 'download': {
      const { order_id, announce } = event.input
      watchPrints(step, { last: lastWith(step.state, order_id, 'file') })
      labelled(step, order_id)
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
      return scanNext(closed(step, closedElsewhere(event.input.order, 0)))
    case 'park':
    case 'abort':
    case 'put_back':
      if (event.input.next !== null) return sayFailure(step, failure)
      set(step, { busy: false })
      sayFailure(step, failure)
      return look(step)
    case 'bypass':
      play(step, 'error')
      return set(step, { bypass: { ...step.state.bypass, sending: false, failure } })
    case 'approve':
      play(step, 'error')
      if (event.input.act === 'bypass') return set(step, { bypass: { ...step.state.bypass, sending: false, failure } })
      return set(step, { approving: { act: event.input.act, sending: false, failure } })
    case 'ask_approval':
      return notAsked(step, event.input, failure)
    case 'add':
    case 'oldest':
    case 'check_label':
    case 'unpack':
    case 'reopen':
      set(step, { busy: false })
      return sayFailure(step, failure)
    case 'link_barcode':
    case 'print':
    case 'download':
      return sayFailure(step, failure)
  }
}
