/** Orders that are written by hand or made of another one: under the next number by hand, once for each request. */
import * as z from 'zod'
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { withVat } from '#domain/money.ts'
import type { ImportedOrder } from '#domain/order/canonical-order-checks.ts'
import { nextNumber } from '#platform/database/number-series.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { withPartPrices } from '../bundle-values.queries.ts'
import { asImported } from '../order-edits.commands.ts'
import { editOrder } from '../order-state.commands.ts'
import { orderRowById } from '../orders.queries.ts'
import { storeOrders } from '../upsert/order-upsert.commands.ts'

/** The first number by hand is M-1001. */
const firstNumber = 1_000

export const busy = () => conflict('busy', 'Someone else is changing this right now. Try again.')

interface OrderCopy {
  company_id: number
  client_id: string
  /** Without a price, when it replaces what was paid already. */
  free: boolean
  reason: string
  lines: (order: ImportedOrder) => ImportedOrder['lines']
}

/** Another order to the same recipient by the same method, linked to the first in both timelines. The same `client_id` makes no second one. */
export async function copyOrder(context: Context, id: number, { company_id, client_id, free, reason, lines }: OrderCopy) {
  const { order, row } = await readWhole(context, id)
  const made = await storeByHand(context, client_id, order_no => ({
    ...order,
    order_no,
    external_id: `hand:${client_id}`,
    source: 'manual',
    ordered_at: context.now().toISOString(),
    payment_status: 'paid',
    service_point: ServicePoint.parse(row.service_point),
    lines: lines(order),
    totals: free ? { excl_vat: 0, vat: 0, incl_vat: 0 } : { excl_vat: null, vat: null, incl_vat: null },
    version: null,
  }))
  if (made.created) {
    await editOrder(context, made.id, {
      content: {
        replacement_of: id,
        replacement_reason: reason || null,
        agent_code: row.agent_code,
        shipping_method: row.shipping_method,
        shipping_title: row.shipping_title,
        shipping_code: row.shipping_code,
        method_why: JSON.stringify(row.method_why),
      },
    })
    await context.recordEvents([
      { kind: 'order.copied', order_id: id, company_id, data: { order_no: made.order_no, reason } },
      { kind: 'order.copy_made', order_id: made.id, company_id, data: { order_no: order.order_no, reason } },
    ])
    context.notify('order', id, company_id)
  }
  return made
}

export async function readWhole({ db }: Context, id: number) {
  const [stored, row] = await Promise.all([asImported(db, id), orderRowById(db, id)])
  const { order } = orNotFound(stored, 'order_not_found', 'Order not found')
  return { order: { ...order, lines: await pricedLines(db, id, order.lines) }, row: orNotFound(row, 'order_not_found', 'Order not found') }
}

/** The parts of a bundle with their share of its price: they may go without it. */
async function pricedLines(db: Context['db'], id: number, lines: ImportedOrder['lines']): Promise<ImportedOrder['lines']> {
  const priced = await withPartPrices(
    db,
    id,
    lines.map(line => ({ ...line, order_line_id: Number(line.external_id) })),
  )
  return priced.map(({ order_line_id: _, ...line }) => {
    const { unit_price_excl_vat: price, vat_percent } = line
    return {
      ...line,
      unit_price_incl_vat: line.unit_price_incl_vat ?? (price !== null && vat_percent !== null ? withVat(price, vat_percent) : null),
    }
  })
}

const text = z.string().nullable().catch(null)
export const ServicePoint = z
  .object({ carrier: text, id: z.string(), name: text, address1: text, postcode: text, city: text, country: text })
  .nullable()
  .catch(null)

/** The chosen pieces of the goods; a line keeps its id, so that a part knows where its pieces came from. */
export function sharesOf(order: ImportedOrder, shares: readonly { order_item_id: number; qty: number }[]): ImportedOrder['lines'] {
  const lines = order.lines.flatMap(line => {
    const qty = shares.filter(share => String(share.order_item_id) === line.external_id).reduce((sum, share) => sum + share.qty, 0)
    return qty > 0 && line.type === 'item' && line.requires_shipping ? [{ ...line, qty, bundle_of: null, discount_excl_vat: 0 }] : []
  })
  if (lines.length === 0) throw conflict('order_line_not_found', 'Order line not found')
  return lines.map((line, at) => ({ ...line, line_no: at + 1 }))
}

/** Stores the order under the next number by hand; the same client id again answers the first one. */
export async function storeByHand(context: Context, client_id: string, write: (order_no: string) => ImportedOrder) {
  const { db, scope } = context
  const known = await db.selectFrom('orders').select(['id', 'order_no']).where('external_id', '=', `hand:${client_id}`).executeTakeFirst()
  if (known) return { ...known, created: false }
  const order_no = `M-${await nextNumber(db, scope.company_id, 'manual_order', firstNumber)}`
  return { ...(await stored(context, write(order_no))), created: true }
}

/** `as_sent`: pieces of lines that an order has already stay what they are there. */
export async function stored(
  context: Context,
  order: ImportedOrder,
  options: { as_sent?: boolean } = {},
): Promise<{ id: number; order_no: string }> {
  const [made] = await storeOrders(context, [order], options)
  const [problem] = made?.problems ?? []
  if (!made || made.order_id === null || problem) throw problem ? unprocessable('order_invalid', problem.text, problem.values) : busy()
  return { id: made.order_id, order_no: order.order_no }
}
