/** How the bench answers a scan: what it means where it comes, and what the server has said of it. */

import type { Code } from '#domain/codes.ts'
import { type PackingOrder, packing, type ScanAnswer } from '#features/packing/packing/packing.contract.ts'
import type { ClosingOrders } from './close-order.client.ts'
import type { Commands } from './commands.client.ts'
import type { OrderInHand } from './current-order.client.ts'
import type { OpeningOrders } from './open-order.client.ts'
import { lacksLabel, type Scanned } from './packing-state.rules.ts'
import type { QueuedScan } from './scan-queue.rules.ts'
import type { SendingScans } from './scan-sender.client.ts'
import { counted, fillsScreen, toneOf } from './station.rules.ts'
import type { BenchCore } from './station-core.client.ts'

/** Scans that wait while an order opens; more than this is a broken scanner. */
const mostEarly = 20

/** A parcel's or an order's number, rather than a product's: it may open an order where no order is open. */
const isParcelNumber = (code: Code): boolean => code.kind === 'other' && (code.gs1?.sscc !== undefined || /^OWN\d+$/.test(code.text))

export function createAnsweringScans(
  core: BenchCore,
  scans: SendingScans,
  inHand: OrderInHand,
  closing: ClosingOrders,
  opening: OpeningOrders,
  commands: Commands,
) {
  /** One scan, wherever it comes from. Always taken: nothing that was scanned goes by unanswered. */
  function scanned({ code, method }: Scanned) {
    if (core.state.hidden) core.set({ hidden: false })
    if (core.doors.device().station === '') return core.play('attention')
    if (code.kind === 'command') return commands.command(code.command)
    const opens = code.kind === 'order' || code.kind === 'paperless'
    switch (core.state.view) {
      case 'idle':
      case 'choose':
      case 'looking':
        if (code.kind === 'refused') return core.say(code.reason, 'error')
        if (code.kind === 'badge') return core.say('A staff badge opens no order. Scan an order code.', 'ignored')
        if (core.state.view === 'looking' && !opens && !isParcelNumber(code))
          return core.say('This order cannot be packed now. Scan another order code.', 'ignored')
        if (core.state.view === 'idle' && lacksLabel(core.state) && held(core.state.last?.order)) return
        return void opening.findAndOpen(code.text)
      case 'opening':
        // A quick hand is not told to wait: the scan counts as soon as the order is open.
        if (opens && core.state.unreached) return void opening.findAndOpen(code.text)
        if (opens || core.state.early.length >= mostEarly) return core.play('ignored')
        return core.set({ early: [...core.state.early, { code, method }] })
      case 'closing':
        if (opens) core.set({ next: { code, method } })
        return core.play(opens ? 'ok' : 'ignored')
      case 'waiting':
      case 'label_error':
        if (opens) {
          if (held(core.state.order)) return
          inHand.leave()
          return void opening.findAndOpen(code.text)
        }
        return core.say('Scan the next order, or put this one right first', 'ignored')
      case 'label_check':
        return void closing.checkLabel(code.text)
      case 'packing':
        break
    }
    if (opens) return void opening.switchTo(code.text)
    if (!core.state.warned) return core.say('Read the warning first: press Enter, or scan the order code again', 'attention')
    if (core.state.linking?.line_id) {
      const { code: wanted, line_id } = core.state.linking
      if (wanted === code.text) return void link(wanted, line_id)
    }
    if (core.state.dialog) core.set({ dialog: null })
    if (code.kind === 'badge') return core.say('A staff badge is no product', 'ignored')
    scans.enqueue({ kind: 'scan', code: code.text, method })
  }

  /** Whether an order without a label keeps the next one waiting: it does for one scan, so that it is seen. */
  function held(order: PackingOrder | null | undefined): boolean {
    if (!order || core.state.heldBy === order.order_id) return false
    core.set({ heldBy: order.order_id })
    core.say('Order {{order_no}} has no label yet. Scan once more to go on without it.', 'attention', { order_no: order.order_no })
    return true
  }

  /** The server has counted, or said why not. */
  function hear(scan: QueuedScan, answer: ScanAnswer) {
    const { order } = core.state
    if (!order) return
    const code = scan.kind === 'scan' ? scan.code : ''
    const tone = toneOf(answer.result)
    core.set({
      order: counted(order, answer),
      asking: scans.asking(order.order_id),
      wrong: fillsScreen(answer.result) ? { ...answer, code } : null,
      choosing:
        answer.result === 'ambiguous' && scan.kind === 'scan'
          ? { code, method: scan.method, lines: answer.choices, text: answer.text, values: answer.values }
          : null,
      linking: null,
      other: null,
      readdressed: false,
      touched: answer.line && answer.counted !== 0 ? answer.line.order_line_id : core.state.touched,
    })
    core.say(answer.text, tone, answer.values)
    if (answer.result === 'stopped') void inHand.look()
    else if (answer.result === 'order_done') void closing.close()
    else if (answer.result === 'unknown' && scan.kind === 'scan') void isItAnOrder(code)
  }

  /** An unknown code may be the number of a parcel or of an order that lies on the bench. */
  async function isItAnOrder(code: string) {
    const still = core.thisTurn()
    const found = await core.doors.send(packing.find, { code }).catch(() => undefined)
    const [first] = found?.orders ?? []
    if (!still() || core.state.wrong?.code !== code || !first || first.order_id === core.state.order?.order_id) return
    core.set({ wrong: null })
    opening.askForOther(first, code)
  }

  async function link(code: string, line_id: number) {
    const { order } = core.state
    if (!order) return
    const still = core.thisTurn()
    core.set({ linking: null, wrong: null })
    try {
      await core.doors.send(packing.linkBarcode, { id: order.order_id, body: { code, order_line_id: line_id } })
    } catch (error) {
      return core.sayError(error)
    }
    if (!still()) return
    core.say('The code {{code}} is linked', 'ok', { code })
    scans.enqueue({ kind: 'scan', code, method: 'scan' })
  }

  return { scanned, hear }
}
