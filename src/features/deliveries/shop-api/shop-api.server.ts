/** The API of shops: reads what a shop's program sends, each order on its own, and stores what is good. */
import { setImmediate as breathe } from 'node:timers/promises'
import { badRequest, orNotFound, unprocessable } from '#contract/errors.ts'
import { elementAt, isRecord } from '#domain/objects.ts'
import { formatIssue, type ImportResult, largestImport, namesOf, ordersIn, readCanonical } from '#domain/order/canonical-order.ts'
import { type ImportedOrder, toOrder } from '#domain/order/canonical-order-checks.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import { faultsOfBundles } from '#features/catalog/products/product-components.commands.ts'
import { readProducts } from '#features/catalog/products/product-rows.rules.ts'
import { storeProducts } from '#features/catalog/products/products.commands.ts'
import { largestProductImport, productsIn } from '#features/catalog/products/products.schemas.ts'
import { retryOrderConflict, storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import type { Vault } from '#platform/crypto/vault.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { shopApi } from './shop-api.contract.ts'
import { type ChangePosition, changeDays, changedOrders, latestPosition, orderForShop, ordersById } from './shop-api.queries.ts'
import { shopApiSchemas } from './shop-api.schemas.ts'

const sentences = {
  tooMany: 'At most {{max}} orders can be sent at once',
  tooManyProducts: 'At most {{max}} products can be sent at once',
  tooOld: 'Changes are kept for 90 days. Start again with a date.',
  badCursor: 'This is not a cursor of this list. Start again with a date.',
  otherShop: 'This key sends orders of the shop {{shop}} only',
} as const

export const shopApiServer = implement(shopApi, shopApiSchemas, {
  async sendOrders({ body }, context) {
    const sent = ordersIn(body)
    if (sent.length > largestImport) throw badRequest('too_many_orders', sentences.tooMany, { max: largestImport })
    const results = new Array<ImportResult>(sent.length)
    const good: { at: number; order: ImportedOrder }[] = []
    const shop = context.principal.shop ?? 'main'
    for (const [at, one] of sent.entries()) {
      const reading = readForShop(one, shop)
      if (reading.order) good.push({ at, order: reading.order })
      else results[at] = { ...namesOf(one), order_id: null, result: 'refused', problems: reading.problems.map(formatIssue) }
      // Others get their turn while a large delivery is read.
      if (at % 40 === 39) await breathe()
    }
    for (const [at, stored] of (await storeGood(context, good)).entries())
      results[elementAt(good, at).at] = { ...stored, problems: stored.problems.map(formatIssue) }
    return { orders: results }
  },

  async sendProducts({ body }, context) {
    const sent = productsIn(body)
    if (sent.length > largestProductImport) throw badRequest('too_many_products', sentences.tooManyProducts, { max: largestProductImport })
    const read = readProducts(sent)
    const products = read.flatMap(one => one.product ?? [])
    const { stored, faults } = await retryOrderConflict(() =>
      context.transaction(async tools => {
        const faults = await faultsOfBundles(tools.db, products)
        const good = products.filter(product => !faults.has(product))
        return { faults, stored: await storeProducts(tools, good) }
      }),
    )
    return {
      products: read.map(one =>
        one.product
          ? productResult(one.product.sku, stored.get(one.product) ?? 'unchanged', faults.get(one.product))
          : { sku: one.sku, result: 'refused' as const, problems: one.problems.map(formatIssue) },
      ),
    }
  },

  async changedOrders({ changed_since, from, limit }, { db, principal, services, now }: Context) {
    const { company } = principal
    const place = `${company.operator_id}:${company.id}`
    const cursorOf = (position: ChangePosition) => writeCursor(services.vault, place, position)
    const begin = changed_since === undefined ? undefined : readCursor(services.vault, place, changed_since)
    const oldest = new Date(now().getTime() - changeDays * 86_400_000).toISOString()
    if ((begin?.at ?? from ?? oldest) < oldest) throw unprocessable('cursor_too_old', sentences.tooOld)
    if (begin === undefined && from === undefined)
      return { orders: [], next_cursor: cursorOf(await latestPosition(db, now())), has_more: false }
    const after = begin ?? (await latestPosition(db, now(), new Date(from ?? '').toISOString()))
    const { ids, next, has_more } = await changedOrders(db, principal.shop ?? 'main', after, limit, now())
    const found = new Map((await ordersById(db, ids)).map(order => [order.order_id, order]))
    const orders = ids.flatMap(id => found.get(id) ?? [])
    return {
      orders: orders.map(order => ({ ...order, tracking_url: trackingUrl(services, company, { order_id: order.order_id }) })),
      next_cursor: cursorOf(next),
      has_more,
    }
  },

  async order({ external_id }, { db, principal, services }: Context) {
    const order = orNotFound(await orderForShop(db, principal.shop ?? 'main', external_id), 'order_not_found', 'Order not found')
    return { ...order, tracking_url: trackingUrl(services, principal.company, { order_id: order.order_id }) }
  },
})

const productResult = (sku: string, result: 'created' | 'updated' | 'unchanged', fault: Problem | undefined) =>
  fault ? { sku, result: 'refused' as const, problems: [formatIssue(fault)] } : { sku, result, problems: [] }

const cursorPurpose = 'changed orders'

function writeCursor(vault: Vault, place: string, { id, at }: ChangePosition): string {
  const text = `${id}.${Date.parse(at)}`
  return `${text}.${vault.sign(cursorPurpose, `${place}:${text}`)}`
}

function readCursor(vault: Vault, place: string, cursor: string): ChangePosition {
  const [, text = '', id = '', at = '', signature = ''] = /^((\d{1,15})\.(\d{1,15}))\.([\w-]+)$/.exec(cursor) ?? []
  if (text === '' || !vault.verify(cursorPurpose, `${place}:${text}`, signature)) throw unprocessable('bad_cursor', sentences.badCursor)
  return { id: Number(id), at: new Date(Number(at)).toISOString() }
}

/** The key decides whose order it is: one shop cannot speak for another. */
function readForShop(body: unknown, shop: string): { order: ImportedOrder; problems?: never } | { order?: never; problems: Problem[] } {
  const reading = readCanonical(body)
  if (reading.problems) return reading
  const named = isRecord(body) ? body.shop : undefined
  if (typeof named === 'string' && named.toLowerCase() !== shop)
    return { problems: [{ field: 'shop', text: sentences.otherShop, values: { shop } }] }
  return { order: toOrder({ ...reading.order, shop }) }
}

const storeGood = (context: ExternalContext, good: readonly { order: ImportedOrder }[]) =>
  good.length === 0
    ? []
    : retryOrderConflict(() =>
        context.transaction(tools =>
          storeOrders(
            tools,
            good.map(({ order }) => order),
            { ends: true },
          ),
        ),
      )
