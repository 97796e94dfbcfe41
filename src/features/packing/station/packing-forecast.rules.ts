/** The packing station without a connection: scans count as they will be answered, and answers that differ are read first. */
import type { PackingOrder, ScanAnswer, ScanResult } from '#features/packing/packing/packing.schemas.ts'
import type { Expected, Forecast } from './forecast.rules.ts'
import type { PackingState } from './packing-model.rules.ts'
import { emit, type Step, say, set } from './packing-step.rules.ts'
import type { QueuedScan } from './scan-format.rules.ts'
import { counted, differs, fillsScreen, toneOf } from './station.rules.ts'

export const needsConnection = 'This needs a connection. Your scans are kept.'

/** The open order as people see it: with the scans that wait. */
export const orderShown = ({ order, forecast }: Pick<PackingState, 'order' | 'forecast'>): PackingOrder | null => forecast?.order ?? order

/** Counts what waits, from the moment in which an answer stays out until every scan is answered. */
export function expect(step: Step): Step {
  const { order, view, waiting, cutOff, forecast, serialLines } = step.state
  const scans = waiting.filter(scan => scan.order_id === order?.order_id)
  const make = step.situation.forecast
  if (!order || !make || scans.length === 0 || view !== 'packing' || !(cutOff || forecast))
    return forecast ? set(step, { forecast: null }) : step
  const next = make(order, scans, serialLines[order.order_id] ?? null)
  set(step, { forecast: next })
  // Of several that waited for the first look, a red one is never passed over.
  const unseen = scans.filter(scan => !forecast?.expected.has(scan.scan_id))
  const shown = unseen.findLast(scan => fillsScreen(next.expected.get(scan.scan_id)?.result ?? 'ok')) ?? unseen.at(-1)
  return shown ? showExpected(step, shown, next) : step
}

function showExpected(step: Step, scan: QueuedScan, { order, asking, expected }: Forecast): Step {
  const one = expected.get(scan.scan_id)
  if (!one) return step
  const code = scan.kind === 'scan' ? scan.code : ''
  set(step, {
    asking,
    wrong: fillsScreen(one.result) ? { ...asAnswer(order, scan, one), code } : null,
    choosing:
      one.result === 'ambiguous' && scan.kind === 'scan'
        ? { code, method: scan.method, lines: one.choices, text: one.text, values: one.values }
        : null,
    linking: null,
    other: null,
    readdressed: false,
    touched: one.counted !== 0 ? one.line_id : step.state.touched,
  })
  if (order.packed >= order.to_pack && one.counted > 0)
    return say(step, 'Everything is packed. The label is made once the connection is back.', 'line')
  return say(step, one.text, toneOf(one.result), one.values)
}

function asAnswer(
  { lines, packed, to_pack }: PackingOrder,
  { scan_id }: QueuedScan,
  { line_id, product, of_pack: _before, ...one }: Expected,
): ScanAnswer {
  const line = lines.find(({ order_line_id }) => order_line_id === line_id)
  return { ...one, ...{ scan_id, packed, to_pack, product, line: line ?? null, approval: null, crate: null, addition: null } }
}

/** Results after which nothing follows but what the screen shows already. */
const final: readonly ScanResult[] = [
  ...([
    'ok',
    'line_done',
    'over',
    'wrong',
    'wrong_shop',
    'unknown',
    'ambiguous',
    'serial_needed',
    'serial_of_pack',
    'parts_shown',
    'serial_refused',
    'undone',
  ] as const),
  ...(['crate_set', 'crate_refused', 'ignored'] as const),
]

/** Whether the packer saw this answer when the code was scanned. */
export const wasShown = (expected: Expected, answer: ScanAnswer): boolean => final.includes(answer.result) && !differs(expected, answer)

/** The count is the server's now; the screen stays as it is, but for what the server knows better of a wrong scan. */
export function confirm(step: Step, answer: ScanAnswer): Step {
  const { order, wrong, answers, serialLines, waiting } = step.state
  if (!order) return step
  const last = waiting.filter(scan => scan.order_id === order.order_id).length <= 1
  return set(step, {
    answers: answers + 1,
    answeredAt: step.situation.now,
    order: counted(order, answer),
    ...(wrong?.scan_id === answer.scan_id && { wrong: { ...answer, code: wrong.code } }),
    ...(last && { asking: serialLines[order.order_id] ?? null }),
  })
}

/** The packer has gone on as if the scan had counted: nothing more is sent before the answer is read. */
export function holdQueue(step: Step): Step {
  const { order, waiting } = step.state
  if (!order || waiting.filter(scan => scan.order_id === order.order_id).length <= 1) return step
  return emit(set(step, { held: true }), { type: 'hold_queue', order_id: order.order_id })
}

/** Sends the scans that wait behind an answer, once it has left the screen. */
export function goOnWhenRead(step: Step, before: PackingState): Step {
  if (step.state.held && step.state.wrong === null) set(step, { held: false })
  const { order } = before
  return before.held && !step.state.held && order ? emit(step, { type: 'release_queue', order_id: order.order_id }) : step
}
