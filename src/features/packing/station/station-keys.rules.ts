/** Which keys of the station act on what it shows now. A question, an error or an unread warning on top takes the keys of the order below it. */
import { access } from '#contract/access.ts'
import type { Command } from '#domain/codes.ts'
import { haveLabel, lacksLabel, orderOnScreen } from './label-state.rules.ts'
import type { PackingState, Situation, View } from './packing-model.rules.ts'
import { mayDo } from './packing-step.rules.ts'
import { nextLine } from './station.rules.ts'

interface StationKey {
  key: string
  command: Command
  /** English; the translation key. */
  does: string
  views: readonly View[]
}

/** Every function key, in its fixed order. */
export const stationKeys: readonly StationKey[] = [
  { key: 'F1', command: 'WEIGH', does: 'Weigh', views: ['packing'] },
  { key: 'F2', command: 'UNDO', does: 'Undo', views: ['packing'] },
  { key: 'F3', command: 'PHOTO', does: 'Photo', views: ['packing'] },
  { key: 'F4', command: 'NEXT', does: 'Next parcel', views: ['packing'] },
  { key: 'F6', command: 'QUANTITY', does: 'Quantity', views: ['packing'] },
  { key: 'F7', command: 'FINALIZE', does: 'Ship partially', views: ['packing'] },
  { key: 'F8', command: 'REPRINT', does: 'Reprint {{order_no}}', views: ['idle', 'packing', 'label_check', 'label_error', 'waiting'] },
  { key: 'F9', command: 'EXCEPTION', does: 'Move to exceptions', views: ['packing', 'label_error', 'label_check'] },
  { key: 'F10', command: 'ABORT', does: 'Stop packing', views: ['packing'] },
]

/** Something lies over the order and waits for its own answer; Esc takes it away. */
export const isCovered = ({
  wrong,
  dialog,
  adding,
  weighing,
  photographing,
  unpacking,
  approving,
  choosing,
  linking,
  other,
  readdressed,
}: PackingState): boolean =>
  Boolean(wrong || dialog || adding || weighing || photographing || unpacking || approving || choosing || linking || other || readdressed)

/** Whether Esc leads anywhere. */
export const leadsBack = (state: PackingState): boolean =>
  ['looking', 'choose', 'opening', 'waiting'].includes(state.view) ||
  (state.view === 'closing' && state.unreached) ||
  isCovered(state) ||
  state.asking !== null

/** Whether the command does something now. What is false keeps its place in the row of keys, empty. */
export function acts(command: Command, state: PackingState, situation: Situation): boolean {
  if (isCovered(state)) return false
  // A label that is missing is printed by the choices of the screen.
  if (command === 'REPRINT') return haveLabel(orderOnScreen(state)?.parcels ?? []) && !lacksLabel(state)
  if (command === 'EXCEPTION' || command === 'ABORT') return true
  const { order, unsent, warned, asking } = state
  if (!order || !warned || asking !== null) return command === 'UNDO' && asking !== null
  const begun = order.packed > 0 || unsent > 0
  if (command === 'WEIGH') return order.weighing.mode !== 'off' && order.weighing.pieces > 0
  if (command === 'PHOTO') return order.photo.mode !== 'off' && order.photo.pieces > 0
  if (command === 'QUANTITY') {
    const line = nextLine(order.lines, asking)
    return line !== undefined && !line.needs_serial && (line.no_barcode || mayDo(situation, access.scanAdmin))
  }
  return command === 'FINALIZE' ? begun && order.packed < order.to_pack : begun
}

/** A phone has space for few keys: what is done most while packing comes first. */
const onPhoneFirst: readonly Command[] = ['UNDO', 'EXCEPTION', 'REPRINT', 'PHOTO', 'WEIGH', 'QUANTITY', 'NEXT', 'FINALIZE', 'ABORT']

/** The keys in the bar of a phone; the others wait behind its menu. */
export const phoneKeys = (state: PackingState, situation: Situation, most: number): Command[] =>
  onPhoneFirst
    .filter(
      command => stationKeys.some(key => key.command === command && key.views.includes(state.view)) && acts(command, state, situation),
    )
    .slice(0, most)
