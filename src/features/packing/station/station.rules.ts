/** What the station shows of an order and what comes next: decided from the server's answer alone. */
import type { PackingLine, PackingOrder, ScanAnswer, ScanResult } from '#features/packing/packing/packing.schemas.ts'

export interface Person {
  user_id: number
  station: string
}

/** How an order stands towards somebody at a station; the first that holds. */
export type Standing =
  | { kind: 'cancelled' }
  /** Held or locked: nothing may go out. */
  | { kind: 'stopped' }
  | { kind: 'mine' }
  /** Open in other hands, or in one's own at another station; `free` when it was not touched for long. */
  | { kind: 'claimed'; own: boolean; free: boolean }
  | { kind: 'packed' }
  | { kind: 'in_pick' }
  | { kind: 'gone' }
  | { kind: 'ready' }

export function standingOf(order: PackingOrder, person: Person): Standing {
  const { session, stopped } = order
  if (stopped?.kind === 'cancelled') return { kind: 'cancelled' }
  if (stopped) return { kind: 'stopped' }
  if (session) {
    const own = session.user_id === person.user_id
    if (own && session.station === person.station && session.state !== 'parked') return { kind: 'mine' }
    return { kind: 'claimed', own, free: session.free || session.state === 'parked' }
  }
  if (order.work_state === 'packed') return { kind: 'packed' }
  if (order.work_state === 'in_pick') return { kind: 'in_pick' }
  if (order.work_state === 'handed_over' || order.work_state === 'closed') return { kind: 'gone' }
  return { kind: 'ready' }
}

export const missing = (line: PackingLine): number => line.qty - line.packed_qty
export const isDone = (line: PackingLine): boolean => missing(line) <= 0

/** What to pack next: the line whose serial number is asked for, the line that was begun, else the first that is open. */
export function nextLine(lines: readonly PackingLine[], asking: number | null): PackingLine | undefined {
  return (
    lines.find(line => line.order_line_id === asking && (!isDone(line) || line.missing_serials > 0)) ??
    lines.find(line => line.packed_qty > 0 && !isDone(line)) ??
    lines.find(line => !isDone(line))
  )
}

/** The first line with packed pieces whose serial number has to be scanned before the parcel is closed. */
export const lineWithoutSerial = (order: PackingOrder): PackingLine | undefined => order.lines.find(line => line.missing_serials > 0)

/** The order with what an acknowledged scan says of it. */
export function counted(
  order: PackingOrder,
  answer: Pick<ScanAnswer, 'line' | 'packed' | 'to_pack'> & Partial<Pick<ScanAnswer, 'crate' | 'counted' | 'pack'>>,
): PackingOrder {
  const { line, packed, to_pack } = answer
  return {
    ...order,
    packed,
    to_pack,
    crate: answer.crate ?? order.crate,
    pack: answer.pack ?? null,
    // What was weighed before holds no longer.
    ...(answer.counted && { weighing: { ...order.weighing, pieces: order.weighing.pieces + answer.counted, weight_g: null } }),
    ...(answer.counted && { photo: { ...order.photo, pieces: order.photo.pieces + answer.counted } }),
    lines: line ? order.lines.map(one => (one.order_line_id === line.order_line_id ? { ...one, ...line } : one)) : order.lines,
  }
}

export type Tone = 'ok' | 'line' | 'done' | 'attention' | 'error' | 'wrong_shop' | 'ignored'

const tones: Record<ScanResult, Tone> = {
  ok: 'ok',
  line_done: 'line',
  order_done: 'line',
  over: 'error',
  wrong: 'error',
  wrong_shop: 'wrong_shop',
  unknown: 'error',
  ambiguous: 'attention',
  serial_needed: 'attention',
  serial_of_pack: 'attention',
  parts_shown: 'attention',
  serial_refused: 'error',
  blocked_label: 'error',
  approval_needed: 'attention',
  crate_set: 'ok',
  crate_refused: 'attention',
  addition: 'line',
  stopped: 'error',
  ignored: 'ignored',
  undone: 'ok',
  parcel_next: 'line',
  weight_set: 'line',
  weight_asked: 'attention',
  weight_refused: 'error',
}
export const toneOf = (result: ScanResult): Tone => tones[result]

/** Answers that fill the screen until the right item, Esc, or a decision. */
export const fillsScreen = (result: ScanResult): boolean =>
  ['wrong', 'wrong_shop', 'unknown', 'over', 'serial_refused', 'blocked_label', 'parts_shown'].includes(result)

/** Whether the packer was shown something else than what the server says now. */
export const differs = (expected: Pick<ScanAnswer, 'result' | 'counted'>, answer: Pick<ScanAnswer, 'result' | 'counted'>): boolean =>
  expected.counted !== answer.counted || fillsScreen(expected.result) !== fillsScreen(answer.result)
