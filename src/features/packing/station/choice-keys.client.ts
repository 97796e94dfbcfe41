/** The numbered answers that the bench offers, and what each of them does. */
import { access } from '#contract/access.ts'
import type { ClosingOrders } from './close-order.client.ts'
import type { OpeningOrders } from './open-order.client.ts'
import type { Choice } from './packing-state.rules.ts'
import type { LeavingOrders } from './release-order.client.ts'
import type { SendingScans } from './scan-sender.client.ts'
import type { BenchCore } from './station-core.client.ts'

const hospitalReasons = [
  'An item is missing',
  'An item is damaged',
  'The wrong item was picked',
  'The address or label is wrong',
  'Something else',
] as const

export type NumberedAnswers = ReturnType<typeof createNumberedAnswers>

export function createNumberedAnswers(
  core: BenchCore,
  scans: SendingScans,
  closing: ClosingOrders,
  opening: OpeningOrders,
  leaving: LeavingOrders,
) {
  /** The numbered answers that the screen offers now. */
  function choices(): Choice[] {
    const { order, view, dialog } = core.state
    if (view === 'choose')
      return core.state.found.map(one => ({
        key: `${one.order_id}`,
        text: '{{order_no}}',
        values: { order_no: one.order_no },
        detail: one.customer_name,
        company: { name: one.company_name, color: one.company_color },
        run: () => void opening.open(one.order_id, { shown: one.order_no }),
      }))
    if (view !== 'packing' || !order) return []
    if (dialog === 'finalize')
      return [
        {
          key: 'backorder',
          text: 'Send the rest later',
          detail: 'The order comes back as soon as the goods are here',
          run: () => void closing.close({ rest: 'backorder' }),
        },
        {
          key: 'cancel',
          text: 'Cancel the rest and tell the shop',
          detail: 'The missing pieces are taken off the order',
          ...(!core.mayDo(access.scanAdmin) &&
            !core.mayDo(access.parcelsAdmin) && { closed: 'It needs the right scan_admin or parcels_admin' }),
          run: () => void closing.close({ rest: 'cancel' }),
        },
        {
          key: 'hold',
          text: 'Send this, and hold the rest',
          detail: 'Somebody decides what happens to the rest',
          run: () => void closing.close({ rest: 'hold' }),
        },
      ]
    if (dialog === 'hospital')
      return hospitalReasons.map(text => ({
        key: text,
        text,
        run: () => void leaving.setAside(text),
      }))
    if (dialog === 'abort')
      return [
        {
          key: 'keep',
          text: 'Keep the pieces in the box',
          detail: 'Whoever opens the order goes on where you stopped',
          run: () => void leaving.giveBack(false),
        },
        {
          key: 'empty',
          text: 'Take everything out of the box',
          detail: 'Nothing counts as packed any more',
          run: () => void leaving.giveBack(true),
        },
      ]
    if (core.state.choosing) {
      const { code, method, lines } = core.state.choosing
      return lines.map(line_id => ({
        key: `${line_id}`,
        text: order.lines.find(line => line.order_line_id === line_id)?.name ?? `${line_id}`,
        line_id,
        run: () => {
          core.set({ choosing: null })
          scans.enqueue({ kind: 'scan', code, method, line_id })
        },
      }))
    }
    if (core.state.linking && core.state.linking.line_id === null) {
      const { code } = core.state.linking
      return order.lines
        .filter(line => line.product_id !== null)
        .slice(0, 9)
        .map(line => ({
          key: `${line.order_line_id}`,
          text: line.name,
          line_id: line.order_line_id,
          run: () => core.set({ linking: { code, line_id: line.order_line_id } }),
        }))
    }
    return []
  }

  return {
    choices,
    /** A numbered choice, counted from 1. */
    choose(number: number) {
      const choice = choices()[number - 1]
      if (choice && choice.closed === undefined) choice.run()
    },
  }
}
