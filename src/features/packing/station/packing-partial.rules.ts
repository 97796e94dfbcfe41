/** The packing station: what becomes of the pieces that an order is closed without, and what its recipient learns. */
import { access } from '#contract/access.ts'
import { type Rest, restOfOrder } from '#features/orders/partial-shipments/partial-shipments.codes.ts'
import type { PackingLine, PackingOrder } from '#features/packing/packing/packing.schemas.ts'
import { close } from './packing-closing.rules.ts'
import type { PackingState, Partially, Situation, StationChoice } from './packing-model.rules.ts'
import { mayDo, play, type Step, set } from './packing-step.rules.ts'
import { isDone } from './station.rules.ts'

const mayCancel = (situation: Pick<Situation, 'user' | 'station'>): boolean =>
  mayDo(situation, [...access.scanAdmin, ...access.parcelsAdmin], 'cancel_rest')

/** The line that is asked about next; undefined where the rest is decided as a whole, or every line is. */
export const undecidedLine = ({ lines }: Pick<PackingOrder, 'lines'>, partial: Partially | null): PackingLine | undefined =>
  partial?.by === 'line'
    ? lines.find(line => !isDone(line) && !partial.lines.some(one => one.order_line_id === line.order_line_id))
    : undefined

/** What becomes of the order, once everything is decided. */
const decided = (order: PackingOrder, partial: Partially | null): Rest | null => {
  if (!partial || undecidedLine(order, partial)) return null
  return partial.by === 'order' ? partial.rest : restOfOrder(partial.lines)
}

/** Whether the question is what the recipient learns. */
export const asksWhatToSay = ({ order, partial }: Pick<PackingState, 'order' | 'partial'>): boolean =>
  order !== null && decided(order, partial) !== null

/** Of each line that misses something a lead has decided that it follows later. */
export const isDecided = ({ lines, partial }: PackingOrder): boolean =>
  lines.every(line => isDone(line) || partial.later_lines.includes(line.order_line_id))

export function decideByLine(step: Step): Step {
  set(step, { partial: { by: 'line', lines: [] } })
  return play(step, 'attention')
}

/** Of the line that is asked about, else of the whole rest. A packer cancels with the consent of a lead. */
export function decideRest(step: Step, rest: Rest, approval?: string): Step {
  const { order, partial } = step.state
  if (!order) return step
  const consent = approval ?? partial?.approval
  if (rest === 'cancel' && consent === undefined && !mayCancel(step.situation)) {
    set(step, { approving: { act: 'cancel_rest', sending: false, failure: null } })
    return play(step, 'attention')
  }
  const line = undecidedLine(order, partial)
  const approved = consent !== undefined && { approval: consent }
  set(step, {
    partial:
      line && partial?.by === 'line'
        ? { by: 'line', lines: [...partial.lines, { order_line_id: line.order_line_id, rest }], ...approved }
        : { by: 'order', rest, ...approved },
  })
  if (!asksWhatToSay(step.state)) return play(step, 'ok')
  const { notice } = order.partial
  if (notice !== 'ask') return closePartially(step, notice === 'always')
  return play(step, 'attention')
}

export function closePartially(step: Step, notify_recipient: boolean, expected_on?: string): Step {
  const { partial } = step.state
  if (!partial) return step
  return close(step, {
    ...(partial.by === 'order' ? { rest: partial.rest } : { rest_lines: partial.lines }),
    ...{ notify_recipient, ...(expected_on && { expected_on }), ...(partial.approval && { approval: partial.approval }) },
  })
}

/** Esc: the decision before, else the question is closed. */
export function takeBackDecision(step: Step): Step {
  const { partial } = step.state
  if (!partial) return set(step, { dialog: null })
  return set(step, {
    partial: partial.by === 'line' && partial.lines.length > 0 ? { ...partial, lines: partial.lines.slice(0, -1) } : null,
  })
}

export function partialChoices(
  order: PackingOrder,
  partial: Partially | null,
  situation: Pick<Situation, 'user' | 'station'>,
): StationChoice[] {
  const rest = decided(order, partial)
  if (rest) return noticeChoices(order, rest)
  const line = undecidedLine(order, partial)
  const choices: StationChoice[] = [
    {
      key: 'backorder',
      text: line ? 'Send it later' : 'Send the rest later',
      detail: 'The order comes back as soon as the goods are here',
      event: { type: 'decide_rest', rest: 'backorder' },
    },
    {
      key: 'cancel',
      text: line ? 'Cancel it and tell the shop' : 'Cancel the rest and tell the shop',
      detail:
        mayCancel(situation) || partial?.approval ? 'The missing items are taken off the order' : 'A lead approves it with PIN or badge',
      event: { type: 'decide_rest', rest: 'cancel' },
    },
    {
      key: 'hold',
      text: line ? 'Hold it' : 'Send this, and hold the rest',
      detail: 'Someone decides what happens to the rest',
      event: { type: 'decide_rest', rest: 'hold' },
    },
  ]
  return partial === null && order.lines.filter(one => !isDone(one)).length > 1
    ? [
        ...choices,
        { key: 'lines', text: 'Decide item by item', detail: 'Some follow, others are cancelled', event: { type: 'decide_by_line' } },
      ]
    : choices
}

function noticeChoices({ partial }: PackingOrder, rest: Rest): StationChoice[] {
  const nothing: StationChoice = { key: 'nothing', text: 'Say nothing', event: { type: 'notify_recipient', said: false } }
  const say: StationChoice['event'] = { type: 'notify_recipient', said: true }
  if (rest === 'cancel') return [{ key: 'say', text: 'Say what was cancelled', event: say }, nothing]
  if (rest === 'hold') return [{ key: 'say', text: 'Say that the shop decides about the rest', event: say }, nothing]
  return [
    { key: 'say', text: 'Say that the rest follows', detail: 'Without a day', event: say },
    ...partial.days.map(
      (day): StationChoice => ({ key: day, text: 'Say that it leaves on {{day}}', day, event: { ...say, expected_on: day } }),
    ),
    nothing,
  ]
}
