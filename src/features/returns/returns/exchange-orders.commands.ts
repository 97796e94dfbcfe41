/** Orders that send what customers get in exchange: made once for each piece, at the time that the company has chosen. */
import { conflict, orNotFound } from '#contract/errors.ts'
import { isOneOf } from '#domain/objects.ts'
import type { ImportedOrder } from '#domain/order/canonical-order-checks.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { copyOrder } from '#features/orders/orders/edits/order-copies.commands.ts'
import { retryOrderConflict } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import type { Db } from '#platform/database/database.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { Tasks } from '#platform/jobs/job-queue.ts'
import { productByCode } from './desk.queries.ts'
import { aboutReturn, type ReturnTools, takeReturn } from './return-rows.commands.ts'
import type { Custody } from './returns.codes.ts'

const decidedCustodies: readonly Custody[] = ['restocked', 'scrapped', 'repaired', 'kept']
const arrivedCustodies: readonly Custody[] = ['advised', 'in_transit', 'received', 'inspected', ...decidedCustodies]

/** Pieces whose replacement may be sent now: known, wanted, and not sent yet. */
async function piecesDue(db: Db, return_id: number, at: 'arrival' | 'decision') {
  const rows = await db
    .selectFrom('return_items as i')
    .leftJoin('products as p', 'p.id', 'i.exchange_product_id')
    .select(['i.id', 'i.order_line_id', 'i.custody', 'i.exchange_other', 'i.exchange_product_id'])
    .select(['p.sku', 'p.name', 'p.variant', 'p.weight_g', 'p.hs_code', 'p.origin'])
    .where('i.return_id', '=', return_id)
    .where('i.outcome', '=', 'exchange')
    .where('i.exchange_order_id', 'is', null)
    .where('i.order_line_id', 'is not', null)
    .orderBy('i.id')
    .execute()
  return rows.filter(
    one =>
      isOneOf(at === 'arrival' ? arrivedCustodies : decidedCustodies, one.custody) &&
      (one.exchange_product_id !== null || !one.exchange_other),
  )
}
type Piece = Awaited<ReturnType<typeof piecesDue>>[number]

/** Each piece becomes a piece of its line, or of the product that replaces it. */
function linesOf(order: ImportedOrder, pieces: readonly Piece[]): ImportedOrder['lines'] {
  const lines = [...Map.groupBy(pieces, one => `${one.order_line_id}/${one.exchange_product_id}`).values()].flatMap(same => {
    const [first] = same
    const line = order.lines.find(one => one.external_id === String(first?.order_line_id))
    if (!first || !line) return []
    const { sku, name } = first
    const other =
      sku === null || name === null
        ? {}
        : {
            ...{ sku, sku_key: sku.toUpperCase(), name, variant: first.variant, weight_g: first.weight_g },
            ...{ hs_code: first.hs_code, origin: first.origin, barcode: null, image_url: null, bin: null, customs_text: null },
            ...{ length_mm: null, width_mm: null, height_mm: null },
          }
    return [
      {
        ...{ ...line, ...other, qty: same.length, bundle_of: null, discount_excl_vat: 0 },
        external_id: first.exchange_product_id === null ? line.external_id : `${line.external_id}-${first.exchange_product_id}`,
      },
    ]
  })
  return lines.map((line, place) => ({ ...line, line_no: place + 1 }))
}

/** The order of what is due now. The return's row is held, so that no piece is sent twice. */
async function makeExchange(context: Context, return_id: number): Promise<void> {
  const { db, recordEvent, notify } = context
  const taken = await takeReturn(db, return_id)
  const { returns } = await companySettings(db, taken.company_id)
  if (returns.exchange_at === 'never' || taken.order_id === null || taken.arrived_at === null || taken.ended_as !== null) return
  const pieces = await piecesDue(db, return_id, returns.exchange_at)
  const [first] = pieces
  if (!first) return
  const made = await copyOrder(context, taken.order_id, {
    ...{ company_id: taken.company_id, client_id: `exchange-${return_id}-${first.id}`, free: true, reason: taken.rma_no },
    lines: order => linesOf(order, pieces),
  })
  await db
    .updateTable('return_items')
    .set(eb => ({ exchange_order_id: made.id, version: eb('version', '+', 1) }))
    .where(
      'id',
      'in',
      pieces.map(({ id }) => id),
    )
    .execute()
  await db
    .updateTable('returns')
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('id', '=', return_id)
    .execute()
  await recordEvent({
    kind: 'return.exchange_made',
    ...aboutReturn(taken),
    data: { rma_no: taken.rma_no, order_no: made.order_no, items: pieces.length },
  })
  notify('return', return_id, taken.company_id)
}

/** In the company of the return: its products and numbers are meant. Begun again it makes nothing twice. */
export const exchangeTask: Tasks['returns.exchange'] = async ({ return_id, company_id }, { services, scope }) => {
  const inside = createSystemContext(services, { operator_id: scope.operator_id, company_id, companies: [company_id] })
  await retryOrderConflict(() => inside.transaction(context => makeExchange(context, return_id)))
}

/** After the return has arrived or was decided: the order is made apart from that, which it must not hold up. */
export async function queueExchange(
  { db, enqueue }: Pick<Context, 'db' | 'enqueue'>,
  return_id: number,
  at: readonly ('arrival' | 'decision')[] = ['arrival', 'decision'],
): Promise<void> {
  const row = await db.selectFrom('returns').select('company_id').where('id', '=', return_id).executeTakeFirst()
  if (!row) return
  const { returns } = await companySettings(db, row.company_id)
  if (returns.exchange_at === 'never' || !at.includes(returns.exchange_at)) return
  if ((await piecesDue(db, return_id, returns.exchange_at)).length === 0) return
  await enqueue('returns.exchange', { return_id, company_id: row.company_id }, { key: `returns.exchange/${return_id}` })
}

/**
 * Someone says what the customer gets instead; null: the same product.
 *
 * @throws {AppError} 404; 409 exchange_made, return_changed
 */
export async function setExchange(
  tools: ReturnTools & Pick<Context, 'enqueue'>,
  return_id: number,
  item_id: number,
  { code, version }: { code: string | null; version?: number | undefined },
): Promise<void> {
  const { db, notify } = tools
  const taken = await takeReturn(db, return_id, version)
  const item = orNotFound(
    await db
      .selectFrom('return_items')
      .select(['id', 'outcome', 'exchange_order_id'])
      .where('id', '=', item_id)
      .where('return_id', '=', return_id)
      .executeTakeFirst(),
    'return_item_not_found',
    'There is no such item in this return.',
  )
  if (item.outcome !== 'exchange' || item.exchange_order_id !== null)
    throw conflict('exchange_made', 'The replacement of this item is on its way, or it is no exchange.')
  const product =
    code === null
      ? null
      : orNotFound(
          await productByCode(db, taken.company_id, code),
          'product_not_found_by_code',
          'There is no product with this SKU or barcode',
        )
  await db
    .updateTable('return_items')
    .set(eb => ({ exchange_product_id: product?.id ?? null, exchange_other: false, version: eb('version', '+', 1) }))
    .where('id', '=', item_id)
    .execute()
  await db
    .updateTable('returns')
    .set(eb => ({ version: eb('version', '+', 1) }))
    .where('id', '=', return_id)
    .execute()
  if (taken.arrived_at !== null) await queueExchange(tools, return_id)
  notify('return', return_id, taken.company_id)
}
