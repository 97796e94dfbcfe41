/** One event on its way through the reducer of the packing station, and the small changes and effects of which its steps consist. */
import { isAllowed, type Permission } from '#contract/access.ts'
import { holdsAct, type StationAct } from '#contract/station-acts.ts'
import type { PackingLine, PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import {
  type CallName,
  type Effect,
  type Failure,
  type InputOf,
  noOrder,
  type PackingState,
  type Say,
  type ScanAction,
  type Situation,
} from './packing-model.rules.ts'
import type { Tone } from './station.rules.ts'

/** One event on its way through the reducer: the state so far, and the effects so far. */
export interface Step {
  state: PackingState
  readonly situation: Situation
  readonly effects: Effect[]
}

export function set(step: Step, change: Partial<PackingState>): Step {
  step.state = { ...step.state, ...change }
  return step
}

export function emit(step: Step, ...effects: readonly Effect[]): Step {
  step.effects.push(...effects)
  return step
}

export const play = (step: Step, tone: Tone): Step => emit(step, { type: 'play', tone })

export function say(step: Step, text: string, tone: Tone, values?: Say['values']): Step {
  const nth = step.state.nth + 1
  set(step, { nth, message: { text, tone, nth, ...(values && { values }) } })
  play(step, tone)
  return step
}

export const sayFailure = (step: Step, { text, values }: Failure): Step => say(step, text, 'error', values)

export function call<Name extends CallName>(
  step: Step,
  name: Name,
  input: InputOf<Name>,
  { retry = 'never', afterScansOf = null }: { retry?: 'never' | 'unreachable' | 'busy'; afterScansOf?: number | null } = {},
): Step {
  step.effects.push({ type: 'call', name, input, turn: step.state.turn, retry, afterScansOf } as Effect)
  return step
}

export const unsentOf = (waiting: PackingState['waiting'], order: PackingOrder | null) => {
  const unsent = waiting.filter(scan => scan.order_id === order?.order_id).length
  return { unsent, unsentElsewhere: waiting.length - unsent }
}

/** Closes the open order's screen; what just left stays in sight. */
export function clear(step: Step, change: Partial<PackingState>): Step {
  set(step, { ...noOrder, ...unsentOf(step.state.waiting, null), ...change })
  return step
}

/** Answers that are still under way are void from here on. */
export const nextTurn = (step: Step): Step => set(step, { turn: step.state.turn + 1 })

/** Back to the prompt; the order stays as it is on the server. */
export function leave(step: Step, change: Partial<PackingState> = {}): Step {
  nextTurn(step)
  clear(step, { hidden: step.state.hidden, ...change })
  step.effects.push({ type: 'cancel_look' }, { type: 'remember', order_id: null }, { type: 'refresh_lists' })
  return step
}

export function enqueue(step: Step, action: ScanAction): Step {
  const { order, unsent, serialLines } = step.state
  if (!order) return step
  const serial_for = serialLines[order.order_id]
  // Behind other scans the answer to the one before decides; alone, the scan is stored with its meaning.
  const isSerial = action.kind === 'scan' && action.line_id === undefined && unsent === 0 && serial_for !== undefined
  step.effects.push({ type: 'enqueue', order_id: order.order_id, action: isSerial ? { ...action, serial_for } : action })
  return step
}

/** The next code is the serial number of a piece of this line. */
export function askForSerial(step: Step, order: PackingOrder, { order_line_id, name }: PackingLine): Step {
  const serialLines = { ...step.state.serialLines, [order.order_id]: order_line_id }
  set(step, { serialLines, asking: order_line_id, dialog: null, wrong: null, choosing: null, linking: null, other: null })
  return say(step, 'Scan the serial number of {{name}}', 'attention', { name })
}

export const personOf = ({ user, station }: Pick<Situation, 'user' | 'station'>) => ({ user_id: user?.user_id ?? 0, station })
/** By a permission, or by a group that allows the act at this station. */
export const mayDo = ({ user, station }: Pick<Situation, 'user' | 'station'>, what: readonly Permission[], act?: StationAct): boolean =>
  isAllowed(user?.permissions ?? [], what) || (act !== undefined && holdsAct(user?.acts ?? [], act, station))
