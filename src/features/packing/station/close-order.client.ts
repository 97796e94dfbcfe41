/** The end of an order: every scan acknowledged, the parcel closed, its label booked, printed and, where it is wanted, checked. */
import { type Closing, type PackingOrder, packing } from '#features/packing/packing/packing.contract.ts'
import type { OrderInHand } from './current-order.client.ts'
import type { Printing } from './label-printing.client.ts'
import { isFailed, labelAfter, lacksLabel, type Scanned } from './packing-state.rules.ts'
import type { Reaching } from './retry.client.ts'
import type { SendingScans } from './scan-sender.client.ts'
import type { BenchCore } from './station-core.client.ts'

/** What the close call would have answered, had it been asked here. */
const closedElsewhere = (order: PackingOrder, session_id: number): Closing => ({
  outcome: 'labelled',
  session_id,
  parcels: order.parcels,
  print_jobs: [],
  text: 'The parcel is done',
  values: {},
})

export type ClosingOrders = ReturnType<typeof createClosingOrders>

export function createClosingOrders(
  core: BenchCore,
  { reach }: Reaching,
  scans: SendingScans,
  inHand: OrderInHand,
  printing: Printing,
  scanned: (next: Scanned) => void,
) {
  /** The parcel is complete: every scan acknowledged, label booked and printed. */
  async function close(more: { rest?: 'backorder' | 'cancel' | 'hold'; weight_g?: number } = {}) {
    const { order } = core.state
    if (!order || core.state.view === 'closing') return
    const still = core.thisTurn()
    const id = order.order_id
    core.set({ view: 'closing', dialog: null, wrong: null, choosing: null, closing: null, unreached: false, heldBy: null })
    await scans.drained(id)
    const { label_printer_id, a4_printer_id } = core.doors.device()
    const body = { label_printer_id, a4_printer_id, ...more, ...(more.weight_g !== undefined && { weight_confirmed: true }) }
    if (!still()) return
    try {
      const closing = await reach(() => core.doors.send(packing.close, { id, body }), { busyToo: true })
      if (still()) await closed(closing)
    } catch (error) {
      if (!still()) return
      core.set({ view: 'packing', unreached: false })
      await inHand.look()
      core.sayError(error)
    }
  }

  async function closed(closing: Closing) {
    const { order } = core.state
    if (!order) return
    const { next } = core.state
    core.set({ closing })
    printing.watch(order, closing.print_jobs)
    if (closing.outcome === 'labelled' || closing.outcome === 'no_parcel') return done(order, closing)
    core.set({
      next: null,
      message: null,
      view: closing.outcome === 'label_check' ? 'label_check' : closing.outcome === 'label_error' ? 'label_error' : 'waiting',
    })
    await inHand.look()
    if (closing.outcome === 'label_error' || closing.outcome === 'stopped' || closing.print_jobs.some(isFailed)) core.play('error')
    else core.play('attention')
    if (next && (core.state.view === 'waiting' || core.state.view === 'label_error')) scanned(next)
  }

  function done(order: PackingOrder, closing: Closing, label = labelAfter(closing, core.doors.device().label_printer_id !== null)) {
    const { next } = core.state
    inHand.leave({ last: { order: { ...order, parcels: closing.parcels }, closing, label, at: Date.now() } })
    core.play(closing.print_jobs.some(isFailed) && label !== 'printed' ? 'error' : lacksLabel(core.state) ? 'attention' : 'done')
    if (next) scanned(next)
  }

  async function checkLabel(code: string) {
    const { order, closing } = core.state
    const session_id = order?.session?.id ?? closing?.session_id
    if (!order || session_id === undefined) return
    const still = core.thisTurn()
    core.set({ busy: true })
    try {
      const answer = await core.doors.send(packing.checkLabel, { order_overview_id: session_id, barcode: code })
      if (!still()) return
      core.set({ busy: false })
      if (!answer.ok) return core.say(answer.text, 'error', answer.values)
      if (answer.left > 0) return core.say(answer.text, 'line', answer.values)
      printing.checked(order.order_id)
      done(order, closing ?? closedElsewhere(order, session_id), 'printed')
    } catch (error) {
      if (!still()) return
      core.set({ busy: false })
      core.sayError(error)
    }
  }

  /** The label came after a wait: the same call says what was printed of it. */
  async function finished(order: PackingOrder) {
    const still = core.thisTurn()
    const { label_printer_id, a4_printer_id } = core.doors.device()
    const closing = await core.doors
      .send(packing.close, { id: order.order_id, body: { label_printer_id, a4_printer_id } })
      .catch(() => closedElsewhere(order, 0))
    if (still()) await closed(closing)
  }

  return { close, checkLabel, finished }
}
