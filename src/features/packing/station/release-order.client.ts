/** An order leaves the bench without a label: set aside, given back, or put back into its bins. */

import { packing } from '#features/packing/packing/packing.contract.ts'
import type { OrderInHand } from './current-order.client.ts'
import type { SendingScans } from './scan-sender.client.ts'
import type { BenchCore } from './station-core.client.ts'

export type LeavingOrders = ReturnType<typeof createLeavingOrders>

export function createLeavingOrders(core: BenchCore, scans: SendingScans, inHand: OrderInHand) {
  /** The order is left by a command; what was packed so far stays written down. */
  async function leaveBy(act: (id: number) => Promise<unknown>, said: string) {
    const { order } = core.state
    if (!order || core.state.busy) return
    const still = core.thisTurn()
    core.set({ busy: true, dialog: null })
    await scans.drained(order.order_id)
    try {
      await act(order.order_id)
      if (!still()) return
      inHand.leave()
      core.say(said, 'ok', { order_no: order.order_no })
    } catch (error) {
      if (!still()) return
      core.set({ busy: false })
      core.sayError(error)
      await inHand.look()
    }
  }

  const setAside = (reason = '') =>
    leaveBy(id => core.doors.send(packing.park, { id, body: { reason } }), 'Order {{order_no}} waits in the hospital list')

  const giveBack = (empty = false) =>
    leaveBy(id => core.doors.send(packing.abort, { id, body: { empty } }), 'Order {{order_no}} is given back')

  const putBack = () => leaveBy(id => core.doors.send(packing.putBack, { id }), 'Everything of {{order_no}} lies in its bins again')

  function leaveAfterLabel() {
    const { order, view } = core.state
    if (!order) return inHand.leave()
    if (view === 'waiting') return inHand.leave()
    void setAside()
  }

  return { setAside, giveBack, putBack, leaveAfterLabel }
}
