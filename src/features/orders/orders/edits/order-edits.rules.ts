/** What edits make of the lines of an order. */
import type { ErrorCode } from '#contract/error-codes.ts'
import type { Reason } from '../orders.rules.ts'
import type { LineEdit } from './order-edits.schemas.ts'

export interface EditedLine {
  order_item_id: number
  name: string
  qty: number
  cancelled_qty: number
  packed_qty: number
}

interface Change {
  order_item_id: number
  /** The new `qty` of the line: what was cancelled of it stays said. */
  qty: number
  name: string
  before: number
  after: number
}

interface Added {
  product_id: number
  qty: number
}

export interface EditPlan {
  changes: Change[]
  added: Added[]
  refusal: Reason | null
}

const toSend = (line: EditedLine): number => line.qty - line.cancelled_qty

const reason = (code: ErrorCode, text: string, values: Reason['values'] = {}): Reason => ({ code, text, values })
const noLine = () => reason('order_line_not_found', 'Order line not found')
const nothingLeft = () => reason('split_empty', 'Leave at least one item')

/** Later edits of one line win. */
export function planEdits(lines: readonly EditedLine[], edits: readonly LineEdit[]): EditPlan {
  const byId = new Map(lines.map(line => [line.order_item_id, line]))
  const changes = new Map<number, Change>()
  const added: Added[] = []
  for (const edit of edits) {
    if (edit.kind === 'add') {
      added.push({ product_id: edit.product_id, qty: edit.qty })
      continue
    }
    const line = byId.get(edit.order_item_id)
    if (!line) return { changes: [], added: [], refusal: noLine() }
    const after = edit.kind === 'qty' ? edit.qty : line.packed_qty
    if (after < line.packed_qty)
      return {
        changes: [],
        added: [],
        refusal: reason('line_packed', '{{packed}} of {{name}} are packed. Unpack them first.', {
          packed: line.packed_qty,
          name: line.name,
        }),
      }
    if (after !== toSend(line))
      changes.set(line.order_item_id, {
        order_item_id: line.order_item_id,
        qty: after + line.cancelled_qty,
        name: line.name,
        before: toSend(line),
        after,
      })
    if (edit.kind === 'replace') added.push({ product_id: edit.product_id, qty: edit.qty })
  }
  const left =
    lines.reduce((sum, line) => sum + (changes.get(line.order_item_id)?.after ?? toSend(line)), 0) +
    added.reduce((sum, one) => sum + one.qty, 0)
  return {
    changes: [...changes.values()],
    added,
    refusal: left > 0 ? null : nothingLeft(),
  }
}

/** Whether the shares can be taken out of the order so that both keep something. */
export function refusalOfSplit(lines: readonly EditedLine[], shares: readonly { order_item_id: number; qty: number }[]): Reason | null {
  const byId = new Map(lines.map(line => [line.order_item_id, line]))
  const asked = new Map<number, number>()
  for (const { order_item_id, qty } of shares) asked.set(order_item_id, (asked.get(order_item_id) ?? 0) + qty)
  for (const [order_item_id, qty] of asked) {
    const line = byId.get(order_item_id)
    if (!line) return noLine()
    if (qty > toSend(line) - line.packed_qty)
      return reason('split_too_many', 'Only {{left}} of {{name}} can go by themselves', {
        left: toSend(line) - line.packed_qty,
        name: line.name,
      })
  }
  const whole = lines.reduce((sum, line) => sum + toSend(line), 0)
  const taken = [...asked.values()].reduce((sum, qty) => sum + qty, 0)
  return taken < whole ? null : nothingLeft()
}

/** `Cap 2 → 1, Mug + 1`, for people. */
export const summaryOf = (changes: readonly Change[], added: readonly { name: string; qty: number }[]): string =>
  [...changes.map(({ name, before, after }) => `${name} ${before} → ${after}`), ...added.map(({ name, qty }) => `${name} + ${qty}`)].join(
    ', ',
  )
