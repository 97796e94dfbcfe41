/** What commands, Enter and Esc do at the bench, wherever it stands. */
import { access } from '#contract/access.ts'
import type { Command } from '#domain/codes.ts'
import { packing } from '#features/packing/packing/packing.contract.ts'
import type { NumberedAnswers } from './choice-keys.client.ts'
import type { ClosingOrders } from './close-order.client.ts'
import type { OrderInHand } from './current-order.client.ts'
import type { Printing } from './label-printing.client.ts'
import type { OpeningOrders } from './open-order.client.ts'
import { type Dialog, haveLabel, orderOnScreen } from './packing-state.rules.ts'
import type { LeavingOrders } from './release-order.client.ts'
import type { SendingScans } from './scan-sender.client.ts'
import { missing, nextLine, standingOf } from './station.rules.ts'
import type { BenchCore } from './station-core.client.ts'

interface Parts {
  scans: SendingScans
  inHand: OrderInHand
  closing: ClosingOrders
  opening: OpeningOrders
  leaving: LeavingOrders
  answers: NumberedAnswers
  printing: Printing
}

export type Commands = ReturnType<typeof createCommands>

export function createCommands(core: BenchCore, { scans, inHand, closing, opening, leaving, answers, printing }: Parts) {
  function command(name: Command) {
    if (name === 'PAUSE') return core.set({ hidden: true })
    if (name === 'REPRINT') return reprint()
    if (name === 'DONE') return primary()
    if (core.state.view === 'label_error' || core.state.view === 'waiting' || core.state.view === 'label_check') {
      if (name === 'HOSPITAL' || name === 'ABORT') return leaving.leaveAfterLabel()
      return core.say('This order is being closed', 'ignored')
    }
    if (core.state.view === 'looking' && (name === 'ABORT' || name === 'HOSPITAL')) return inHand.leave()
    if (core.state.view !== 'packing' || !core.state.order) return core.say('No order is open', 'ignored')
    const { order } = core.state
    switch (name) {
      case 'FINALIZE':
        if (order.to_pack > 0 && order.packed >= order.to_pack) return void closing.close()
        if (order.packed === 0 && core.state.unsent === 0)
          return core.say('Nothing is packed yet. Set the order aside instead.', 'attention')
        return ask('finalize')
      case 'NEXT':
        return void nextParcel()
      case 'UNDO':
        return scans.enqueue({ kind: 'undo' })
      case 'HOSPITAL':
        return ask('hospital')
      case 'ABORT':
        if (order.packed === 0 && core.state.unsent === 0) return void leaving.giveBack()
        return ask('abort')
    }
  }

  /** The label of the order on the screen and of no other: somebody would stick it on the parcel in hand. */
  function reprint() {
    const order = orderOnScreen(core.state)
    if (!order) return core.say(core.state.view === 'idle' ? 'Nothing was packed here yet' : 'No order is open', 'ignored')
    if (!haveLabel(order.parcels)) return core.say('Order {{order_no}} has no label yet', 'attention', { order_no: order.order_no })
    void printing.reprint(order)
  }

  function ask(dialog: Dialog) {
    core.set({ dialog, wrong: null, choosing: null, linking: null, other: null })
    core.play('attention')
  }

  /** The next parcel of the same order begins. */
  async function nextParcel() {
    const { order } = core.state
    if (!order || core.state.busy) return
    const still = core.thisTurn()
    core.set({ busy: true })
    await scans.drained(order.order_id)
    try {
      const fresh = await core.doors.send(packing.nextParcel, { id: order.order_id })
      if (!still()) return
      core.set({ busy: false })
      inHand.show(fresh)
      core.say('A new parcel begins', 'line')
    } catch (error) {
      if (!still()) return
      core.set({ busy: false })
      core.sayError(error)
    }
  }

  /** Everything open counts as packed, after what was scanned; a refusal is for the form that asks. */
  async function bypass(reason: string, pin?: string) {
    const { order } = core.state
    if (!order) return
    const still = core.thisTurn()
    await scans.drained(order.order_id)
    const fresh = await core.doors.send(packing.bypass, { id: order.order_id, body: { reason, ...(pin ? { pin } : {}) } })
    if (!still()) return
    inHand.show(fresh)
    core.set({ dialog: null })
    core.say('Everything counts as packed without a scan', 'line')
    if (fresh.packed >= fresh.to_pack) void closing.close()
  }

  /** What Enter, `CMD:DONE` and the main button do. */
  function primary() {
    const [first] = answers.choices().filter(choice => choice.closed === undefined)
    const { order, view } = core.state
    if (core.state.hidden) return core.set({ hidden: false })
    if (first && (core.state.dialog === 'finalize' || core.state.dialog === 'abort')) return first.run()
    if (core.state.dialog || core.state.choosing || core.state.linking || view === 'choose') return core.play('attention')
    if (core.state.other) return void opening.setAsideFor(core.state.other.order_id)
    if (!order) return core.play('ignored')
    if (view === 'packing') {
      if (!core.state.warned) return opening.acknowledge()
      if (core.state.wrong) return core.set({ wrong: null, message: null })
      if (core.state.readdressed) return core.set({ readdressed: false })
      if (order.packed >= order.to_pack) return void closing.close()
      const next = nextLine(order.lines, core.state.asking)
      if (next?.no_barcode && !next.needs_serial)
        return scans.enqueue({ kind: 'count', order_line_id: next.order_line_id, quantity: missing(next) })
      return core.play('ignored')
    }
    if (view === 'label_error') return void closing.close()
    if (view === 'waiting') return inHand.leave()
    if (view === 'looking') {
      const standing = standingOf(order, core.person())
      if (standing.kind === 'cancelled') return order.put_back ? void leaving.putBack() : inHand.leave()
      if (standing.kind === 'claimed' && (standing.own || standing.free || core.mayDo(access.scanAdmin)))
        return void opening.open(order.order_id, { take_over: !standing.own })
      if (standing.kind === 'ready' || standing.kind === 'in_pick' || standing.kind === 'stopped') return void opening.open(order.order_id)
      return inHand.leave()
    }
  }

  /** Closes what lies on top; at the end, nothing. */
  function back() {
    if (core.state.hidden) return core.set({ hidden: false })
    if (core.state.dialog) return core.set({ dialog: null })
    if (core.state.linking) return core.set({ linking: null })
    if (core.state.choosing) return core.set({ choosing: null })
    if (core.state.other) return core.set({ other: null })
    if (core.state.wrong) return core.set({ wrong: null, message: null })
    if (core.state.readdressed) return core.set({ readdressed: false })
    if (core.state.view === 'packing' && core.state.asking !== null && core.state.order) {
      scans.stopAsking(core.state.order.order_id)
      return core.set({ asking: null, message: null })
    }
    if (core.state.view === 'looking' || core.state.view === 'choose' || core.state.view === 'opening' || core.state.view === 'waiting')
      return inHand.leave()
    if (core.state.view === 'closing' && core.state.unreached) return inHand.leave()
    if (core.state.view === 'idle') core.set({ message: null, last: core.state.last })
  }

  return { command, ask, bypass, primary, back }
}
