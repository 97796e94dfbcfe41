/** The order in hand: shown as the server tells it, looked at again when something changed, and left. */

import type { ChangeTopic } from '#contract/topics.ts'
import { type PackingOrder, packing } from '#features/packing/packing/packing.contract.ts'
import { CallError } from '#ui/query/call-error.ts'
import { warningsRead } from './acknowledged-warnings.client.ts'
import type { BenchState, View } from './packing-state.rules.ts'
import type { SendingScans } from './scan-sender.client.ts'
import { type Standing, standingOf } from './station.rules.ts'
import type { BenchCore } from './station-core.client.ts'

/** Milliseconds: after one's own scan the notice about it says nothing new, so the next look waits for a pause. */
const quietAfterOwnScan = 900

export type OrderInHand = ReturnType<typeof createOrderInHand>

/** `finished` is told of an order whose label came after a wait. */
export function createOrderInHand(core: BenchCore, scans: SendingScans, finished: (order: PackingOrder) => void) {
  let lookTimer: ReturnType<typeof setTimeout> | undefined

  /** Shows an order as the server tells it. */
  function show(order: PackingOrder) {
    const standing = standingOf(order, core.person())
    const before = core.state
    const fresh = before.order?.order_id !== order.order_id
    const view = viewOf(order, standing)
    const stoppedNow = !fresh && isStop(standing) && before.order !== null && !isStop(standingOf(before.order, core.person()))
    const readdressed =
      !fresh && view === 'packing' && before.view === 'packing' && before.order !== null && goesElsewhere(before.order, order)
    core.set({
      view,
      order,
      ...(fresh && {
        touched: null,
        asking: scans.asking(order.order_id),
        wrong: null,
        choosing: null,
        linking: null,
        dialog: null,
        other: null,
        readdressed: false,
        warned: warningsRead(order),
      }),
      ...(view !== 'packing' && { wrong: null, choosing: null, dialog: null, other: null, readdressed: false }),
      ...(readdressed && { readdressed }),
      ...(view === 'packing' && { refusal: null }),
    })
    core.doors.remember(order.order_id)
    scans.recount()
    if (stoppedNow) {
      core.set({ message: null })
      core.play('error')
    } else if (readdressed) core.play('attention')
  }

  /** Asks again how the open order stands; an answer that a scan has overtaken is not shown. */
  async function look() {
    clearTimeout(lookTimer)
    lookTimer = undefined
    const id = core.state.order?.order_id
    if (id === undefined || core.state.view === 'closing') return
    const [still, seen] = [core.thisTurn(), scans.answers()]
    let order: PackingOrder
    try {
      order = await core.doors.send(packing.get, { id })
    } catch (error) {
      if (still() && error instanceof CallError && error.status === 404) leave()
      return
    }
    if (!still() || core.state.order?.order_id !== id) return
    if (seen !== scans.answers()) return lookSoon(150)
    const was = core.state.view
    if (was === 'waiting' && order.session === null && order.work_state !== 'in_pack') return finished(order)
    show(order)
  }

  function lookSoon(pause: number) {
    clearTimeout(lookTimer)
    lookTimer = setTimeout(() => void look(), pause)
  }

  /** Back to the prompt; the order stays as it is on the server. */
  function leave(change: Partial<BenchState> = {}) {
    core.nextTurn()
    clearTimeout(lookTimer)
    core.doors.remember(null)
    core.clear({ hidden: core.state.hidden, ...change })
    scans.recount()
    core.doors.changed()
  }

  /** Something changed somewhere: own scans bring notices too, which say nothing new. */
  function noticed(topic: ChangeTopic, id: number | undefined) {
    const { order } = core.state
    if (!order || (id !== undefined && id !== order.order_id)) return
    const since = scans.sinceAnswer()
    if (topic === 'packing' && since < quietAfterOwnScan) lookSoon(quietAfterOwnScan - since + 50)
    else void look()
  }

  return { show, look, leave, noticed }
}

function viewOf(order: PackingOrder, standing: Standing): View {
  if (standing.kind !== 'mine') return 'looking'
  switch (order.session?.state) {
    case 'open':
      return 'packing'
    case 'label_error':
      return 'label_error'
    case 'label_check':
      return 'label_check'
    default:
      return 'waiting'
  }
}

const goesElsewhere = (before: PackingOrder, now: PackingOrder): boolean => JSON.stringify(before.ship_to) !== JSON.stringify(now.ship_to)

const isStop = (standing: Standing): boolean => standing.kind === 'stopped' || standing.kind === 'cancelled'
