/** The numbered answers that the station offers, each with the event that it stands for. */
import { access, isAllowed } from '#contract/access.ts'
import type { PackingState, Situation, StationChoice } from './packing-model.rules.ts'

const hospitalReasons = [
  'An item is missing',
  'An item is damaged',
  'The wrong item was picked',
  'The address or label is wrong',
  'Something else',
] as const

export function choicesOf(state: PackingState, { user }: Pick<Situation, 'user'>): StationChoice[] {
  const { order, view, dialog } = state
  if (view === 'choose')
    return state.found.map(one => ({
      key: `${one.order_id}`,
      text: '{{order_no}}',
      values: { order_no: one.order_no },
      detail: one.customer_name,
      company: { name: one.company_name, color: one.company_color },
      event: { type: 'open', order_id: one.order_id, order_no: one.order_no },
    }))
  if (view !== 'packing' || !order) return []
  if (dialog === 'finalize') {
    const permissions = user?.permissions ?? []
    const mayCancel = isAllowed(permissions, access.scanAdmin) || isAllowed(permissions, access.parcelsAdmin)
    return [
      {
        key: 'backorder',
        text: 'Send the rest later',
        detail: 'The order comes back as soon as the goods are here',
        event: { type: 'close', rest: 'backorder' },
      },
      {
        key: 'cancel',
        text: 'Cancel the rest and tell the shop',
        detail: 'The missing pieces are taken off the order',
        ...(!mayCancel && { closed: 'It needs the right scan_admin or parcels_admin' }),
        event: { type: 'close', rest: 'cancel' },
      },
      {
        key: 'hold',
        text: 'Send this, and hold the rest',
        detail: 'Somebody decides what happens to the rest',
        event: { type: 'close', rest: 'hold' },
      },
    ]
  }
  if (dialog === 'hospital') return hospitalReasons.map(text => ({ key: text, text, event: { type: 'set_aside', reason: text } }))
  if (dialog === 'abort')
    return [
      {
        key: 'keep',
        text: 'Keep the pieces in the box',
        detail: 'Whoever opens the order goes on where you stopped',
        event: { type: 'give_back', empty: false },
      },
      {
        key: 'empty',
        text: 'Take everything out of the box',
        detail: 'Nothing counts as packed any more',
        event: { type: 'give_back', empty: true },
      },
    ]
  if (state.choosing)
    return state.choosing.lines.map(line_id => ({
      key: `${line_id}`,
      text: order.lines.find(line => line.order_line_id === line_id)?.name ?? `${line_id}`,
      line_id,
      event: { type: 'choose_line', line_id },
    }))
  if (state.linking?.line_id === null)
    return order.lines
      .filter(line => line.product_id !== null)
      .slice(0, 9)
      .map(({ order_line_id: line_id, name }) => ({
        key: `${line_id}`,
        text: name,
        line_id,
        event: { type: 'choose_linked_line', line_id },
      }))
  return []
}
