/** Order lines: corrected data, with the order's badges and weight brought up to date. */
import { badRequest, conflict, orNotFound } from '#contract/errors.ts'
import { countryOfId } from '#domain/countries.ts'
import { isHsCode, plainHsCode } from '#domain/customs/goods.ts'
import { correctProduct } from '#features/catalog/products/products.commands.ts'
import { asImported, badgesNow } from '#features/orders/orders/order-edits.commands.ts'
import { type OrderFacts, takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { type ChangedOrder, editOrder, type OrderEvent } from '#features/orders/orders/order-state.commands.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { correctLine } from './order-lines.commands.ts'
import { orderLines } from './order-lines.contract.ts'
import { orderLinesSchemas } from './order-lines.schemas.ts'

/** 10 tonnes: more is a slip of the decimal point. */
const mostGrams = 10_000_000

export const orderLinesServer = implement(orderLines, orderLinesSchemas, {
  setTariff({ item_id, tariff, save_to_product }, context) {
    const hs_code = plainHsCode(tariff)
    if (!isHsCode(hs_code)) throw badRequest('tariff_code_invalid', '{{tariff}} is no tariff code: it has 6 to 11 digits', { tariff })
    return correct(context, item_id, { hs_code }, save_to_product, ({ name, hs_code: before }) => ({
      kind: 'order.tariff_set',
      data: { name, before, tariff: hs_code },
    }))
  },

  setOrigin({ item_id, country_id, save_to_product }, context) {
    const origin = countryOfId(country_id)
    if (!origin) throw badRequest('country_not_found', 'There is no country with the id {{id}}', { id: country_id })
    return correct(context, item_id, { origin }, save_to_product, ({ name, origin: before }) => ({
      kind: 'order.origin_set',
      data: { name, before, country: origin },
    }))
  },

  async setWeight({ kg, type, id, save_to_product }, context) {
    const weight_g = gramsIn(kg)
    if (type === 'item')
      return correct(context, id, { weight_g }, save_to_product, ({ name, weight_g: before }) => ({
        kind: 'order.weight_set',
        data: { name, before, grams: weight_g },
      }))
    if (type !== 'order')
      throw badRequest('weight_target_unknown', 'A weight is set on an item or on an order; {{type}} is neither', { type })
    await openOrder(context, id)
    const stored = await context.db.selectFrom('orders').select('weight_g as before').where('id', '=', id).executeTakeFirstOrThrow()
    return changed(
      await editOrder(context, id, {
        content: { weight_g },
        event: { kind: 'order.weight_set', data: { ...stored, grams: weight_g } },
      }),
    )
  },
})

function gramsIn(kg: string): number {
  const text = kg.trim().replace(',', '.')
  const grams = /^\d{1,5}(\.\d{1,3})?$/.test(text) ? Math.round(Number(text) * 1_000) : Number.NaN
  if (!(grams >= 0 && grams <= mostGrams)) throw badRequest('weight_invalid', '{{kg}} is no weight in kilograms: enter it as 1.25', { kg })
  return grams
}

async function openOrder({ db }: Context, id: number): Promise<OrderFacts> {
  const order = orNotFound(await takeOrder(db, id), 'order_not_found', 'Order not found')
  if (order.cancelled_at !== null) throw conflict('order_cancelled', 'The order is cancelled')
  if (order.work_state === 'handed_over' || order.work_state === 'closed')
    throw conflict('parcel_handed_over', 'The parcel has left the warehouse')
  return order
}

async function correct(
  context: Context,
  item_id: number,
  set: { hs_code: string } | { origin: string } | { weight_g: number },
  save_to_product: boolean | undefined,
  event: (line: { name: string; hs_code: string | null; origin: string | null; weight_g: number | null }) => OrderEvent,
): Promise<ChangedOrder> {
  const { db } = context
  const line = orNotFound(
    await db
      .selectFrom('order_lines')
      .select(['order_id', 'product_id', 'name', 'hs_code', 'origin', 'weight_g'])
      .where('id', '=', item_id)
      .executeTakeFirst(),
    'order_line_not_found',
    'Order line not found',
  )
  const order = await openOrder(context, line.order_id)
  await correctLine(db, item_id, set)
  if (save_to_product && line.product_id !== null) await correctProduct(db, line.product_id, set, context.now())
  const stored = orNotFound(await asImported(db, order.id), 'order_not_found', 'Order not found')
  const goods = stored.order.lines.filter(one => one.type === 'item' && one.requires_shipping)
  const weight_g = Math.min(
    goods.reduce((sum, one) => sum + one.qty * (one.weight_g ?? 0), 0),
    mostGrams,
  )
  return changed(
    await editOrder(context, order.id, {
      content: { badges: JSON.stringify(await badgesNow(db, stored)), ...('weight_g' in set ? { weight_g } : {}) },
      event: event(line),
    }),
  )
}

function changed(order: ChangedOrder | undefined): ChangedOrder {
  if (!order) throw conflict('busy', 'Someone else is changing this right now. Try again.')
  return order
}
