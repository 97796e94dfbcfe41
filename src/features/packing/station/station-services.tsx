/**
 * The bench: what one station has in hand. Scans go into the queue, the server counts, and everything shown is its last word.
 * It stands outside React, because scanner, queue and notices reach it at any moment, and a screen may come and go meanwhile.
 */
import { useSyncExternalStore } from 'react'
import type { Code } from '#domain/codes.ts'
import type { PackingOrder, ScanAnswer } from '#features/packing/packing/packing.contract.ts'
import { createNumberedAnswers } from './choice-keys.client.ts'
import { createClosingOrders } from './close-order.client.ts'
import { createCommands } from './commands.client.ts'
import { createOrderInHand } from './current-order.client.ts'
import { createPrinting } from './label-printing.client.ts'
import { createOpeningOrders } from './open-order.client.ts'
import { type BenchState, nothing, type Scanned, type Way } from './packing-state.rules.ts'
import { createLeavingOrders } from './release-order.client.ts'
import { createReaching } from './retry.client.ts'
import { createAnsweringScans } from './scan-handler.client.ts'
import type { QueuedScan } from './scan-queue.rules.ts'
import { createSendingScans } from './scan-sender.client.ts'
import { type Standing, standingOf } from './station.rules.ts'
import { type BenchDoors, createBenchCore } from './station-core.client.ts'

export type Bench = ReturnType<typeof createBench>

export function createBench(doors: BenchDoors) {
  const core = createBenchCore(doors)
  const scans = createSendingScans(core, heard, refused)
  const inHand = createOrderInHand(core, scans, finished)
  const printing = createPrinting(core)
  const reaching = createReaching(core)
  const closing = createClosingOrders(core, reaching, scans, inHand, printing, scannedLater)
  const opening = createOpeningOrders(core, reaching, scans, inHand, closing, scannedLater)
  const leaving = createLeavingOrders(core, scans, inHand)
  const answers = createNumberedAnswers(core, scans, closing, opening, leaving)
  const commands = createCommands(core, { scans, inHand, closing, opening, leaving, answers, printing })
  const scanning = createAnsweringScans(core, scans, inHand, closing, opening, commands)

  // What happens below reaches upwards through these alone.
  function heard(scan: QueuedScan, answer: ScanAnswer) {
    scanning.hear(scan, answer)
  }
  function refused(error: unknown) {
    core.sayError(error)
    void inHand.look()
  }
  function finished(order: PackingOrder) {
    void closing.finished(order)
  }
  function scannedLater(waited: Scanned) {
    scanning.scanned(waited)
  }

  return {
    read: () => core.state,
    watch: core.watch,
    standing: (): Standing | null => (core.state.order ? standingOf(core.state.order, core.person()) : null),
    choices: answers.choices,
    choose: answers.choose,
    scanned: (code: Code, method: Way = 'scan') => scanning.scanned({ code, method }),
    command: commands.command,
    primary: commands.primary,
    back: commands.back,
    ask: commands.ask,
    open: opening.open,
    findAndOpen: opening.findAndOpen,
    leave: () => inHand.leave(),
    count(order_line_id: number, quantity: number) {
      if (core.state.view === 'packing') scans.enqueue({ kind: 'count', order_line_id, quantity })
    },
    beginLinking(code: string) {
      core.set({ linking: { code, line_id: null }, wrong: null })
    },
    bypass: commands.bypass,
    /** Closes again after something was put right. */
    retry: (more: { weight_g?: number } = {}) => void closing.close(more),
    putBack: () => void leaving.putBack(),
    reprint: (order: { order_id: number; order_no: string }) => void printing.reprint(order),
    pdf: (order_id: number) => void printing.pdf(order_id),
    printTold: printing.told,
    printGone: printing.gone,
    /** One more parcel of a packed order got its label. */
    printed(order: { order_no: string }) {
      core.say('Order {{order_no}} has one more parcel', 'line', { order_no: order.order_no })
      void inHand.look()
    },
    hide: () => core.set({ hidden: true }),
    noticed: inHand.noticed,
    /** The network is back, or the page is looked at again. */
    hurry() {
      scans.hurry()
      reaching.hurry()
      if (core.state.order) void inHand.look()
    },
    restore: () => scans.restore(),
    /** Somebody signed out: nothing of theirs stays on the screen. */
    forget() {
      core.nextTurn()
      core.set(nothing)
    },
    sayError: core.sayError,
  }
}

export const useBench = (bench: Bench): BenchState => useSyncExternalStore(bench.watch, bench.read)
