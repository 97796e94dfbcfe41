/** What becomes of the pieces that an order is closed without. */
import type { Rest, RestLine } from '#features/orders/partial-shipments/partial-shipments.codes.ts'

interface OpenLine {
  order_line_id: number
  qty: number
  packed_qty: number
}

/** Whether all that is missing was decided to follow later, and by whom. */
export function laterBy(lines: readonly OpenLine[], later: readonly { by: string; order_line_id: number | null }[]): string | null {
  const open = lines.filter(line => line.packed_qty < line.qty)
  const decided = open.flatMap(line => later.find(one => one.order_line_id === null || one.order_line_id === line.order_line_id) ?? [])
  return open.length > 0 && decided.length === open.length ? (decided[0]?.by ?? null) : null
}

/**
 * What was decided of each line that misses pieces: by itself, else as the whole rest, else by a lead in the exceptions (`later`). Lines that miss nothing any more are left out, so
 * that the same answer sent again means the same. Undefined while a line is not decided.
 */
export function decidedRest(
  lines: readonly OpenLine[],
  asked: { rest?: Rest | undefined; rest_lines?: readonly { order_line_id: number; rest: Rest }[] | undefined },
  later: readonly { order_line_id: number | null }[] = [],
): RestLine[] | undefined {
  const open = lines.filter(line => line.packed_qty < line.qty)
  const decided = open.flatMap(({ order_line_id, qty, packed_qty }) => {
    const isLater = later.some(line => line.order_line_id === null || line.order_line_id === order_line_id)
    const rest =
      asked.rest_lines?.find(line => line.order_line_id === order_line_id)?.rest ?? asked.rest ?? (isLater ? 'backorder' : undefined)
    return rest === undefined ? [] : [{ order_line_id, quantity: qty - packed_qty, rest }]
  })
  return decided.length === open.length ? decided : undefined
}
