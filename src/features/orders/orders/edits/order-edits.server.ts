/** Orders by hand: written, copied, edited and split. Each is one transaction in the company of the order. */
import { randomUUID } from 'node:crypto'
import { access, isAllowed } from '#contract/access.ts'
import { type AppError, badRequest, conflict, interpolate, orNotFound, unprocessable } from '#contract/errors.ts'
import { elementAt } from '#domain/objects.ts'
import { readCanonical } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { createContext } from '#platform/http/context.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { type OrderFacts, takeOrder } from '../order-facts.queries.ts'
import { cancelOrders, editOrder } from '../order-state.commands.ts'
import { companyHomes, orderById, orderRowById } from '../orders.queries.ts'
import { whyNotChanged } from '../orders.rules.ts'
import { retryOrderConflict } from '../upsert/order-upsert.commands.ts'
import { busy, copyOrder, readWhole, ServicePoint, sharesOf, storeByHand, stored } from './order-copies.commands.ts'
import { mostParts } from './order-edits.codes.ts'
import { addLines, linkSplitLines, recountOrder, setQuantities } from './order-edits.commands.ts'
import { orderEdits } from './order-edits.contract.ts'
import { goodsOf, partsOf, productsOfCompany } from './order-edits.queries.ts'
import { planEdits, refusalOfSplit, summaryOf } from './order-edits.rules.ts'
import { orderEditsSchemas } from './order-edits.schemas.ts'

export const orderEditsServer = implement(orderEdits, orderEditsSchemas, {
  async create({ body }, outside) {
    const company_id = body.company_id ?? outside.scope.company_id
    await outside.transaction(({ db }) => mustBeSeen(db, company_id))
    return inCompany(outside, company_id, async context =>
      storeByHand(context, body.client_id, order_no => {
        const reading = readCanonical({
          ...body.order,
          order_no,
          external_id: `hand:${body.client_id}`,
          shop: 'main',
          source: 'manual',
          version: null,
        })
        if (!reading.problems) return toOrder(reading.order)
        const first = elementAt(reading.problems, 0)
        throw unprocessable('order_invalid', first.text, first.values, {
          fields: Object.fromEntries(reading.problems.map(problem => [problem.field, interpolate(problem.text, problem.values)])),
        })
      }),
    )
  },

  async copy({ id, body }, outside) {
    const company_id = await companyOf(outside, id)
    return inCompany(outside, company_id, async context => {
      const { id: made, order_no } = await copyOrder(context, id, {
        ...{ client_id: body.client_id, free: body.free, reason: body.reason, company_id },
        lines: order => sharesOf(order, body.lines),
      })
      return { id: made, order_no }
    })
  },

  async lines({ id, body }, outside) {
    const company_id = await companyOf(outside, id)
    return inCompany(outside, company_id, async context => {
      const { db, principal } = context
      const order = await takeCurrent(context, id, body.version)
      mustBeEditable(order)
      const lines = await goodsOf(db, id)
      const plan = planEdits(lines, body.edits)
      if (plan.refusal) throw conflict(plan.refusal.code, plan.refusal.text, plan.refusal.values)
      const begun = order.work_state === 'in_pick' || order.work_state === 'picked'
      if (begun && plan.changes.some(change => change.after < change.before) && !isAllowed(principal.permissions, access.parcelsAdmin))
        throw conflict('order_picking_forbidden', 'The order is being picked. Ask a lead to send less of it.')
      const added = plan.added.map(one => ({ ...one, external_id: `here:${randomUUID()}` }))
      if (begun)
        await context.runSubscribers([
          {
            kind: 'order.lines_changing',
            order_id: id,
            company_id,
            data: {
              lines: lines.flatMap(line =>
                line.external_id === null
                  ? []
                  : [
                      {
                        external_id: line.external_id,
                        qty: plan.changes.find(one => one.order_item_id === line.order_item_id)?.qty ?? line.qty,
                      },
                    ],
              ),
            },
          },
        ])
      await setQuantities(db, plan.changes)
      const names = await addLines(db, order, added)
      if (names.length < added.length) throw badRequest('product_not_found', 'Product not found')
      const summary = summaryOf(
        plan.changes,
        added.map((one, at) => ({ name: names[at]?.name ?? '', qty: one.qty })),
      )
      const changed = await editOrder(context, id, {
        from: editable,
        content: { ...(await recountOrder(db, id)), edited_at: context.now().toISOString() },
        event: { kind: 'order.items_edited', data: { summary, reason: body.reason } },
      })
      if (!changed) throw busy()
      if (begun) await context.runSubscribers([{ kind: 'order.lines_changed', order_id: id, company_id }])
      return changed
    })
  },

  async split({ id, body }, outside) {
    const company_id = await companyOf(outside, id)
    return inCompany(outside, company_id, async context => {
      const { db } = context
      const external_id = `part:${body.client_id}`
      const known = await db.selectFrom('orders').select(['id', 'order_no']).where('external_id', '=', external_id).executeTakeFirst()
      if (known) return known
      const order = await takeCurrent(context, id, body.version)
      mustBeUnpicked(order)
      const { order: whole, row } = await readWhole(context, id)
      if (row.split_of !== null) throw conflict('split_part', 'This is a part already. Split the whole order.')
      const lines = await goodsOf(db, id)
      const refusal = refusalOfSplit(lines, body.lines)
      if (refusal) throw conflict(refusal.code, refusal.text, refusal.values)
      const part_no = (await partsOf(db, id)) + 1
      if (part_no > mostParts) throw conflict('split_limit', 'An order can have 20 parts')
      const part = await stored(
        context,
        {
          ...whole,
          order_no: `${whole.order_no}-${part_no}`,
          external_id,
          payment_status: 'paid',
          service_point: ServicePoint.parse(row.service_point),
          delivery: {
            ...whole.delivery,
            ship_by: row.ship_by_source === 'deadline' || row.ship_by_source === 'company' ? null : row.ship_by,
          },
          lines: sharesOf(whole, body.lines),
          totals: { excl_vat: null, vat: null, incl_vat: null },
          version: null,
        },
        { as_sent: true },
      )
      await linkSplitLines(db, part.id)
      await editOrder(context, part.id, {
        content: {
          split_of: id,
          part_no,
          // A part is on the pickup of the whole order.
          ship_by: row.ship_by,
          ship_by_source: row.ship_by_source,
          deadline_id: row.deadline_id,
          deadline_at: row.deadline_at,
          agent_code: row.agent_code,
          shipping_method: row.shipping_method,
          shipping_title: row.shipping_title,
          shipping_code: row.shipping_code,
          method_why: JSON.stringify(row.method_why),
        },
        event: { kind: 'order.part_made', data: { order_no: whole.order_no } },
      })
      await setQuantities(db, lessOf(lines, body.lines))
      const changed = await editOrder(context, id, {
        from: ['new', 'ready'],
        content: { ...(await recountOrder(db, id)), edited_at: context.now().toISOString() },
        event: { kind: 'order.split', data: { order_no: part.order_no } },
      })
      if (!changed) throw busy()
      return part
    })
  },

  async undoSplit({ id }, outside) {
    const company_id = await companyOf(outside, id)
    return inCompany(outside, company_id, async context => {
      const { db } = context
      const row = orNotFound(await orderRowById(db, id), 'order_not_found', 'Order not found')
      if (row.split_of === null) throw conflict('split_no_part', 'This order is no part of another one')
      // In the order of their ids, as every change of several orders.
      const [root, part] = [
        orNotFound(await takeOrder(db, row.split_of), 'order_not_found', 'Order not found'),
        orNotFound(await takeOrder(db, id), 'order_not_found', 'Order not found'),
      ]
      mustBeUnpicked(root)
      mustBeUnpicked(part)
      if (row.edited_at !== null) throw conflict('split_edited', 'The part was edited since. Move its items by hand.')
      const [rootLines, partLines] = await Promise.all([goodsOf(db, root.id), goodsOf(db, id)])
      await setQuantities(
        db,
        rootLines.flatMap(line => {
          const back = partLines.filter(one => one.split_from_line_id === line.order_item_id).reduce((sum, one) => sum + one.qty, 0)
          return back > 0 ? [{ order_item_id: line.order_item_id, qty: line.qty + back }] : []
        }),
      )
      await cancelOrders(context, [id], { at: context.now().toISOString(), note: '' })
      const changed = await editOrder(context, root.id, {
        from: ['new', 'ready'],
        content: await recountOrder(db, root.id),
        event: { kind: 'order.split_undone', data: { order_no: part.order_no } },
      })
      if (!changed) throw busy()
      return changed
    })
  },

  async products({ id, query }, { db }) {
    const order = orNotFound(
      await db.selectFrom('orders').select('company_id').where('id', '=', id).executeTakeFirst(),
      'order_not_found',
      'Order not found',
    )
    return productsOfCompany(db, order.company_id, query.trim())
  },

  productsOf: ({ company_id, query }, { db, scope }) => productsOfCompany(db, company_id ?? scope.company_id, query.trim()),
})

const editable = ['new', 'ready', 'in_pick', 'picked'] as const

function refusalOf(order: OrderFacts): AppError | null {
  if (order.cancelled_at !== null) return conflict('order_cancelled', 'The order is cancelled')
  if (order.work_state === 'handed_over' || order.work_state === 'closed')
    return conflict('parcel_handed_over_register_return', 'The parcel has left the warehouse: register a return instead')
  if (order.work_state === 'packed') return conflict('order_packed_reopen_first', 'The order is packed. Reopen it first.')
  if (order.work_state === 'in_pack') return conflict('order_being_packed', 'The order is being packed. Ask to stop packing first.')
  if (order.labels_booking > 0) return conflict('label_booking', 'A label is being booked at this moment: wait until it is there')
  return null
}

function mustBeEditable(order: OrderFacts): void {
  const refusal = refusalOf(order)
  if (refusal) throw refusal
  const combined = whyNotChanged(order, 'items')
  if (combined) throw conflict(combined.code, combined.text, combined.values)
}

/** Nothing of it stands on a pick list. */
function mustBeUnpicked(order: OrderFacts): void {
  mustBeEditable(order)
  if (order.work_state !== 'new' && order.work_state !== 'ready')
    throw conflict('order_on_list', 'The order is on a pick list. Take it off first.')
}

async function companyOf({ transaction }: ExternalContext, id: number): Promise<number> {
  const row = await transaction(({ db }) => db.selectFrom('orders').select('company_id').where('id', '=', id).executeTakeFirst())
  return orNotFound(row, 'order_not_found', 'Order not found').company_id
}

async function mustBeSeen(db: Context['db'], company_id: number): Promise<void> {
  if (!(await companyHomes(db)).some(company => company.id === company_id))
    throw badRequest('company_unknown', 'There is no company {{company}} here', { company: String(company_id) })
}

/** One transaction of this person in the company of an order: its products, settings and numbers are meant. */
function inCompany<T>(outside: ExternalContext, company_id: number, step: (context: Context) => Promise<T>): Promise<T> {
  const { services, principal, scope, ip, station, headers, signal } = outside
  const inside = createContext(
    services,
    principal,
    { operator_id: scope.operator_id, company_id, companies: [company_id] },
    { ip, station, headers, signal },
  )
  return retryOrderConflict(() => inside.transaction(step))
}

async function takeCurrent({ db, principal }: Context, id: number, version: number): Promise<OrderFacts> {
  const order = orNotFound(await takeOrder(db, id), 'order_not_found', 'Order not found')
  if (order.version !== version)
    throw conflict(
      'order_changed',
      'Someone else changed this order. Check it and try again.',
      {},
      { current: await orderById(db, id, principal.permissions) },
    )
  return order
}

const lessOf = (lines: readonly { order_item_id: number; qty: number }[], shares: readonly { order_item_id: number; qty: number }[]) =>
  lines.flatMap(line => {
    const taken = shares.filter(share => share.order_item_id === line.order_item_id).reduce((sum, share) => sum + share.qty, 0)
    return taken > 0 ? [{ order_item_id: line.order_item_id, qty: line.qty - taken }] : []
  })
