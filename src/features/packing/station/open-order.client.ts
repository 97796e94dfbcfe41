/** How the bench opens an order: by its code, by a click, or in place of the one that is open – or shows why not. */

import { type PackingOrder, packing } from '#features/packing/packing/packing.contract.ts'
import { rememberWarning } from './acknowledged-warnings.client.ts'
import type { ClosingOrders } from './close-order.client.ts'
import type { OrderInHand } from './current-order.client.ts'
import type { Scanned } from './packing-state.rules.ts'
import type { Reaching } from './retry.client.ts'
import type { SendingScans } from './scan-sender.client.ts'
import { type BenchCore, wordsOf } from './station-core.client.ts'

export type OpeningOrders = ReturnType<typeof createOpeningOrders>

export function createOpeningOrders(
  core: BenchCore,
  { reach }: Reaching,
  scans: SendingScans,
  inHand: OrderInHand,
  closing: ClosingOrders,
  scanned: (waited: Scanned) => void,
) {
  async function findAndOpen(code: string) {
    const still = core.nextTurn()
    core.clear({ view: 'opening', opening: code })
    try {
      const { orders } = await reach(() => core.doors.send(packing.find, { code }))
      if (!still()) return
      const [first] = orders
      if (!first) {
        inHand.leave()
        core.say('There is no order for {{code}}', 'error', { code })
      } else if (orders.length === 1) await open(first.order_id, { shown: first.order_no })
      else {
        core.set({ view: 'choose', found: orders })
        core.play('attention')
      }
    } catch (error) {
      if (!still()) return
      inHand.leave()
      core.sayError(error)
    }
  }

  /** Opens an order here, goes on with it, or shows why not. */
  async function open(id: number, { take_over = false, shown = '' }: { take_over?: boolean; shown?: string } = {}) {
    const still = core.nextTurn()
    const { station } = core.doors.device()
    if (core.state.order?.order_id === id) core.set({ busy: true })
    else core.clear({ early: core.state.early, view: 'opening', opening: shown || core.state.opening })
    try {
      const start = () => core.doors.send(packing.start, { id, body: { station, take_over } })
      const order = core.state.view === 'opening' ? await reach(start) : await start()
      if (!still()) return
      core.set({ busy: false })
      inHand.show(order)
      welcome(order)
      const { early } = core.state
      core.set({ early: [] })
      if (core.state.view === 'packing') for (const one of early) scanned(one)
    } catch (error) {
      if (!still()) return
      core.set({ busy: false })
      await lookAt(id, error)
    }
  }

  /** What a freshly opened order asks for first. */
  function welcome(order: PackingOrder) {
    if (core.state.view === 'waiting') {
      if (order.session?.state === 'labelling' || order.session?.state === 'closing') void closing.close()
    } else if (core.state.view === 'packing' && order.to_pack > 0 && order.packed >= order.to_pack) void closing.close()
    else if (core.state.view === 'packing' && !core.state.warned) core.play('attention')
    else if (core.state.view === 'packing') core.play('ok')
    else core.play('attention')
  }

  async function lookAt(id: number, refusal: unknown) {
    const still = core.thisTurn()
    const { key, values } = wordsOf(refusal)
    try {
      const order = await core.doors.send(packing.get, { id })
      if (!still()) return
      inHand.show(order)
      core.set({ early: [], refusal: { text: key, tone: 'error', ...(values && { values }) } })
      core.play('error')
    } catch {
      if (!still()) return
      inHand.leave()
      core.sayError(refusal)
    }
  }

  /** Another order's code while one is open: it must be meant, so it is scanned twice – unless nothing was packed yet. */
  async function switchTo(code: string) {
    const { order, other } = core.state
    if (!order) return
    if (other?.code === code) return setAsideFor(other.order_id)
    const still = core.thisTurn()
    try {
      const { orders } = await core.doors.send(packing.find, { code })
      if (!still()) return
      const [found] = orders
      if (!found) return core.say('There is no order for {{code}}', 'error', { code })
      if (found.order_id === order.order_id) {
        if (!core.state.warned) return acknowledge()
        return core.say('This order is open here', 'ignored')
      }
      if (order.packed === 0 && core.state.unsent === 0) return await setAsideFor(found.order_id)
      askForOther(found, code)
    } catch (error) {
      if (still()) core.sayError(error)
    }
  }

  function askForOther(other: { order_id: number; order_no: string }, code: string) {
    core.set({ other: { ...other, code } })
    core.say('Order {{order_no}} is still open. Scan {{other}} once more to set it aside and open the other one.', 'attention', {
      order_no: core.state.order?.order_no ?? '',
      other: other.order_no,
    })
  }

  async function setAsideFor(next: number) {
    const { order } = core.state
    if (!order) return
    await scans.drained(order.order_id)
    try {
      if (order.packed === 0) await core.doors.send(packing.abort, { id: order.order_id, body: {} })
      else await core.doors.send(packing.park, { id: order.order_id, body: {} })
    } catch (error) {
      return core.sayError(error)
    }
    inHand.leave()
    await open(next)
  }

  function acknowledge() {
    const session_id = core.state.order?.session?.id
    if (session_id !== undefined) rememberWarning(session_id)
    core.set({ warned: true, message: null })
    core.play('ok')
  }

  return { findAndOpen, open, switchTo, askForOther, setAsideFor, acknowledge }
}
