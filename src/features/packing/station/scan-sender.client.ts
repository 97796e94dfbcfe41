/** The bench's scans on their way to the server: kept while there is no network, sent one by one, and counted until they are answered. */

import { packing, type ScanAnswer } from '#features/packing/packing/packing.contract.ts'
import { CallError } from '#ui/query/call-error.ts'
import type { Way } from './packing-state.rules.ts'
import { openScanQueue, type QueuedScan, worthAnotherTry } from './scan-queue.rules.ts'
import type { BenchCore } from './station-core.client.ts'

/** What a hand at the bench does to the open order. */
export type Action =
  | { kind: 'scan'; code: string; method: Way; line_id?: number }
  | { kind: 'count'; order_line_id: number; quantity: number }
  | { kind: 'undo' }

export type SendingScans = ReturnType<typeof createSendingScans>

/** `heard` and `refused` are told of scans of the open order only. */
export function createSendingScans(
  core: BenchCore,
  heard: (scan: QueuedScan, answer: ScanAnswer) => void,
  refused: (error: unknown) => void,
) {
  /** A look at the order that began before the last answer is thrown away. */
  let answers = 0
  let answeredAt = 0
  const isHere = (scan: QueuedScan): boolean => scan.order_id === core.state.order?.order_id

  const queue = openScanQueue<ScanAnswer>({
    shelf: core.doors.shelf,
    user_id: () => core.doors.me()?.user_id,
    asksSerialOf: answer =>
      answer.result === 'serial_needed' || (answer.result === 'serial_refused' && answer.line)
        ? (answer.line?.order_line_id ?? undefined)
        : undefined,
    async send(scan) {
      try {
        return { kind: 'answered', answer: await sendScan(scan) }
      } catch (error) {
        const { status, code } = error instanceof CallError ? error : { status: 444, code: null }
        const { again, reachable } = worthAnotherTry(status, code)
        return again ? { kind: 'again', reachable } : { kind: 'refused', error }
      }
    },
    onAnswer(scan, answer) {
      if (!isHere(scan)) return
      answers += 1
      answeredAt = Date.now()
      heard(scan, answer)
    },
    onRefused(scan, error) {
      if (isHere(scan)) refused(error)
    },
    onChange: recount,
  })

  function recount() {
    const all = queue.waiting()
    const here = all.filter(isHere).length
    core.set({ unsent: here, unsentElsewhere: all.length - here, cutOff: queue.cutOff() })
  }

  function sendScan(scan: QueuedScan): Promise<ScanAnswer> {
    const { scan_id, order_id: id } = scan
    const { send } = core.doors
    if (scan.kind === 'undo') return send(packing.undo, { id, body: { scan_id } })
    if (scan.kind === 'count')
      return send(packing.count, { id, body: { scan_id, order_line_id: scan.order_line_id, quantity: scan.quantity } })
    const { code, method, serial_for, line_id } = scan
    return send(packing.scan, { id, body: { scan_id, code, method, ...(serial_for && { serial_for }), ...(line_id && { line_id }) } })
  }

  return {
    enqueue(action: Action) {
      const { order } = core.state
      const user_id = core.doors.me()?.user_id
      if (!order || user_id === undefined) return
      queue.add({ ...action, scan_id: core.doors.newId(), order_id: order.order_id, user_id, at: Date.now() })
    },
    recount,
    answers: () => answers,
    /** Milliseconds since the last answer. */
    sinceAnswer: () => Date.now() - answeredAt,
    asking: (order_id: number): number | null => queue.asking(order_id) ?? null,
    stopAsking: (order_id: number) => queue.stopAsking(order_id),
    drained: (order_id: number) => queue.drained(order_id),
    hurry: () => queue.hurry(),
    restore: () => queue.restore(),
  }
}
