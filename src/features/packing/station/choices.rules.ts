/** The numbered answers that the station offers, each with the event that it stands for. */
import type { ReportedKind } from '#features/packing/packing/packing.codes.ts'
import { haveLabel, lacksLabel, waitsForPrinter } from './label-state.rules.ts'
import { packedChoices } from './packed-order.rules.ts'
import { additionChoices, nextAddition } from './packing-additions.rules.ts'
import type { PackingState, Situation, StationChoice } from './packing-model.rules.ts'
import { partialChoices } from './packing-partial.rules.ts'
import { photoChoices } from './packing-photo.rules.ts'
import { approvalReasonChoices } from './packing-rule-approval.rules.ts'
import { weightChoices } from './packing-weighing.rules.ts'

const exceptionReasons = [
  ['short', 'An item is missing'],
  ['damaged', 'An item is damaged'],
  ['wrong_item', 'The wrong item was picked'],
  ['address', 'The address or label is wrong'],
  ['other', 'Something else'],
  ['no_crate', 'No box fits'],
  // While a weight is asked about.
  ['weight', 'The weight differs'],
] as const satisfies readonly (readonly [ReportedKind, string])[]

const bypassReasons = [
  'Barcodes are unreadable',
  'Items have no barcode',
  'The scanner does not work',
  'Packed and checked by two people',
] as const

/** What can be done about the order that just left without a label; Enter takes the first. */
function labelChoices(state: PackingState, hasLabelPrinter: boolean): StationChoice[] {
  const { last } = state
  if (!last || !lacksLabel(state)) return []
  const { order_id, order_no } = last.order
  const later: StationChoice = {
    key: 'later',
    text: 'Label later',
    detail: 'The parcel waits under “Without label”',
    event: { type: 'label_later' },
  }
  if (!haveLabel(last.closing.parcels))
    return [{ key: 'open', text: 'Open order {{order_no}}', values: { order_no }, event: { type: 'open', order_id, order_no } }, later]
  const choose: StationChoice = { key: 'printer', text: 'Select a label printer', event: { type: 'choose_printer' } }
  const save: StationChoice = { key: 'file', text: 'Save label as PDF', event: { type: 'save_label', order_id } }
  if (!hasLabelPrinter) return [choose, save, later]
  // What the printer may have already would come out twice.
  if (waitsForPrinter(state)) return [later, choose, save]
  return [{ key: 'print', text: 'Print label again', event: { type: 'reprint', order_id, order_no } }, choose, save, later]
}

export function choicesOf(
  state: PackingState,
  { user, hasLabelPrinter, station }: Pick<Situation, 'user' | 'hasLabelPrinter' | 'station'>,
): StationChoice[] {
  const { order, view, dialog } = state
  if (state.approving) return state.photographing?.approves ? photoChoices(state) : approvalReasonChoices(state)
  if (view === 'looking' && order) return packedChoices(order, state.unpacking, { user, station })
  if (view === 'idle') return labelChoices(state, hasLabelPrinter)
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
  if (state.photographing && !dialog) return photoChoices(state)
  if (state.weighing && !dialog) return weightChoices(state, { user, station })
  const addition = state.adding && nextAddition(order)
  if (addition) return additionChoices(addition)
  if (dialog === 'finalize') return partialChoices(order, state.partial, { user, station })
  if (dialog === 'exception')
    return exceptionReasons
      .slice(0, state.weighing?.asked ? 7 : 6)
      .map(([kind, text]) => ({ key: kind, text, event: { type: 'set_aside', kind, reason: text } }))
  if (dialog === 'bypass')
    return state.bypass.reason === null
      ? [
          ...bypassReasons.map((text): StationChoice => ({ key: text, text, event: { type: 'bypass_reason', reason: text } })),
          // An empty reason is written by hand.
          { key: 'other', text: 'Something else', event: { type: 'bypass_reason', reason: '' } },
        ]
      : []
  if (dialog === 'abort')
    return [
      {
        key: 'keep',
        text: 'Keep the items in the box',
        detail: 'Anyone can continue where you stopped',
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
