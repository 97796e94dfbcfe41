/**
 * Additional products of orders: planned when an order may be picked and packed, released when it is not sent, packed at the station.
 *
 * They are no lines of the order, so the shop neither sees nor changes them. A batch of orders takes a few statements, however many
 * orders it holds. What changes a counted stock locks the products first, in the order of their ids.
 */
import { sql } from 'kysely'
import { conflict, notFound } from '#contract/errors.ts'
import { needsCustoms } from '#domain/customs/places.ts'
import { compileRule } from '#domain/rules/rule-evaluation.ts'
import type { RuleField } from '#domain/rules/rule-fields.ts'
import { parseRule } from '#domain/rules/rule-grammar.ts'
import { type OrderWithFacts, ordersWithFacts } from '#features/orders/order-rules/order-facts.queries.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { AdditionState, SkipReason } from './additional-products.codes.ts'

type Tools = Pick<Context, 'db' | 'recordEvents' | 'notify' | 'now'>

type EventKinds = 'addition.planned' | 'addition.blocked' | 'addition.released' | 'addition.packed' | 'addition.skipped'
interface Moved {
  order_id: number
  company_id: number
  additional_product_id: number
  name: string
  qty: number
}

async function record({ recordEvents, notify }: Tools, kind: EventKinds, moved: readonly Moved[], reason: SkipReason | null = null) {
  if (moved.length === 0) return
  await recordEvents(
    moved.map(({ order_id, company_id, additional_product_id, name, qty }) => ({
      kind,
      order_id,
      company_id,
      subject: 'additional_product',
      subject_id: additional_product_id,
      data: { name, qty, ...(reason && { reason }) },
    })),
  )
  const orders = new Map(moved.map(one => [one.order_id, one.company_id]))
  if (orders.size > 100) for (const company_id of new Set(orders.values())) notify('order', undefined, company_id)
  else for (const [order_id, company_id] of orders) notify('order', order_id, company_id)
}

/** Orders whose work has just begun are still changed by their first event. */
type Begun = 'in_pick' | 'in_pack'

interface Asked {
  id: number
  company_id: number
  /** Their additions follow the rules; of the others they stay as they are, or go where the order ends. */
  follows: boolean
  ended: boolean
  customer_id: number | null
  from: { country: string; postcode: string }
  to: { country: string; postcode: string }
}

const askedOrders = ({ db }: Tools, ids: readonly number[], begun?: Begun) =>
  db
    .selectFrom('orders as o')
    .innerJoin('companies as c', 'c.id', 'o.company_id')
    .leftJoin('customers as k', 'k.id', 'o.customer_id')
    .select(['o.id', 'o.company_id', 'o.ship_country', 'k.root_id as customer_id'])
    .select([
      sql<string>`coalesce(o.ship_to ->> 'postcode', '')`.as('postcode'),
      sql<string>`coalesce(c.settings #>> '{sender,country}', '')`.as('from_country'),
      sql<string>`coalesce(c.settings #>> '{sender,postcode}', '')`.as('from_postcode'),
      sql<boolean>`o.cancelled_at is not null or o.work_state = 'closed'`.as('ended'),
      // In one parcel with others it has what they had when they were combined.
      sql<boolean>`o.cancelled_at is null and o.combined_into is null and not exists (select from orders m where m.operator_id = o.operator_id and m.combined_into = o.id)
        and (o.work_state = 'ready' or o.work_state = ${begun ?? 'ready'}) and not exists (select from order_lines l
        where l.operator_id = o.operator_id and l.order_id = o.id and l.picked_qty > 0)`.as('follows'),
    ])
    .where('o.id', '=', sql<number>`any(${ids})`)
    .orderBy('o.id')
    .execute()
    .then(rows =>
      rows.map(
        ({ ship_country, postcode, from_country, from_postcode, ...order }): Asked => ({
          ...order,
          from: { country: from_country, postcode: from_postcode },
          to: { country: ship_country, postcode },
        }),
      ),
    )

/** Products that orders get today, with their rules; those of rules that cannot be read any more are left out. */
async function productsInForce({ db, now }: Tools, fresh: Set<RuleField>) {
  const rows = await db
    .selectFrom('additional_products')
    .select(['id', 'name', 'conditions', 'per', 'qty', 'hs_code', 'value', 'stock_left', 'company_ids', 'valid_from', 'valid_to'])
    .where('active', '=', true)
    .where('removed_at', 'is', null)
    .where(sql<boolean>`daterange(valid_from, valid_to, '[]') @> ${now().toISOString().slice(0, 10)}::date`)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.flatMap(row => {
    const { rule } = parseRule(row.conditions, 'additional_product')
    if (!rule) return []
    const compiled = compileRule(rule)
    for (const field of compiled.fields) fresh.add(field)
    return [{ ...row, matches: compiled.matches, declarable: row.hs_code !== null && row.value !== null }]
  })
}
type InForce = Awaited<ReturnType<typeof productsInForce>>[number]

const isOffered = ({ company_ids }: InForce, company_id: number): boolean => company_ids === null || company_ids.includes(company_id)

interface Wish extends Moved {
  customer_id: number | null
  blocked: boolean
}

/** What the rules give the order today. */
function wishesOf(order: Asked, facts: OrderWithFacts, products: readonly InForce[], now: Date): Wish[] {
  const customs = needsCustoms(order.from, order.to)
  return products.flatMap(product => {
    if (!isOffered(product, order.company_id)) return []
    if (product.per === 'customer' && order.customer_id === null) return []
    if (!product.matches(facts.facts, { now, zone: facts.zone, not_compared: 0 })) return []
    return {
      order_id: order.id,
      company_id: order.company_id,
      additional_product_id: product.id,
      name: product.name,
      qty: product.qty,
      customer_id: product.per === 'customer' ? order.customer_id : null,
      blocked: customs && !product.declarable,
    }
  })
}

const keyOf = (one: { order_id: number; additional_product_id: number }) => `${one.order_id}/${one.additional_product_id}`

/** Brings what is planned for these orders up to date with the rules; asked again, it changes nothing. */
export async function settleAdditions(tools: Tools, ids: readonly number[], begun?: Begun): Promise<void> {
  if (ids.length === 0) return
  const { db, now } = tools
  const fields = new Set<RuleField>()
  const [products, known] = await Promise.all([
    productsInForce(tools, fields),
    db
      .selectFrom('order_additions as o')
      .innerJoin('additional_products as a', 'a.id', 'o.additional_product_id')
      .select(['o.id', 'o.order_id', 'o.company_id', 'o.additional_product_id', 'o.qty', 'o.state', 'a.name'])
      .where('o.order_id', '=', sql<number>`any(${ids})`)
      .where('o.state', '<>', 'released')
      .execute(),
  ])
  if (products.length === 0 && known.length === 0) return
  const orders = await askedOrders(tools, ids, begun)
  const following = orders.filter(order => order.follows)
  const facts =
    products.length === 0
      ? []
      : await ordersWithFacts(
          db,
          following.map(order => order.id),
          fields,
        )
  const factsOf = new Map(facts.map(one => [one.id, one]))
  const wishes = following.flatMap(order => {
    const read = factsOf.get(order.id)
    return read ? wishesOf(order, read, products, now()) : []
  })
  const wished = new Map(wishes.map(wish => [keyOf(wish), wish]))
  const follows = new Set(following.map(order => order.id))
  const ended = new Set(orders.filter(order => order.ended).map(order => order.id))
  const gone = known.filter(one => {
    if (one.state !== 'planned' && one.state !== 'blocked') return false
    if (ended.has(one.order_id)) return true
    if (!follows.has(one.order_id)) return false
    const wish = wished.get(keyOf(one))
    return !wish || wish.blocked !== (one.state === 'blocked')
  })
  const stays = new Set(known.filter(one => !gone.includes(one)).map(keyOf))
  const added = await withoutOthersOfCustomer(
    tools,
    wishes.filter(wish => !stays.has(keyOf(wish))),
  )
  if (gone.length === 0 && added.length === 0) return
  const stock = await lockStock(
    tools,
    [...gone, ...added].map(one => one.additional_product_id),
  )
  await release(tools, gone, stock)
  await add(tools, added, stock)
}

/** Once per customer: another open or packed order of the customer has it already, or an earlier one of this batch gets it. */
async function withoutOthersOfCustomer({ db }: Tools, wishes: readonly Wish[]): Promise<Wish[]> {
  const once = wishes.filter(wish => wish.customer_id !== null && !wish.blocked)
  if (once.length === 0) return [...wishes]
  const rows = await db
    .selectFrom('order_additions')
    .select(['additional_product_id', 'customer_id'])
    .where('customer_id', '=', sql<number>`any(${once.map(wish => wish.customer_id)})`)
    .where('additional_product_id', '=', sql<number>`any(${once.map(wish => wish.additional_product_id)})`)
    .where('state', 'in', ['planned', 'packed'])
    .execute()
  const has = new Set(rows.map(row => `${row.additional_product_id}/${row.customer_id}`))
  return wishes.filter(wish => {
    if (wish.customer_id === null || wish.blocked) return true
    const key = `${wish.additional_product_id}/${wish.customer_id}`
    return !has.has(key) && has.add(key)
  })
}

/** Pieces left of the products whose stock is counted, their rows locked until the end of the transaction. */
async function lockStock({ db }: Tools, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('additional_products')
    .select(['id', 'stock_left'])
    .where('id', '=', sql<number>`any(${[...new Set(ids)]})`)
    .where('stock_left', 'is not', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map(row => [row.id, row.stock_left ?? 0]))
}

async function addToStock({ db, notify }: Tools, moved: readonly Moved[], sign: 1 | -1, stock: Map<number, number>): Promise<void> {
  const pieces = new Map<number, number>()
  for (const { additional_product_id: id, qty } of moved) if (stock.has(id)) pieces.set(id, (pieces.get(id) ?? 0) + sign * qty)
  if (pieces.size === 0) return
  await sql`update additional_products a set stock_left = a.stock_left + m.pieces
    from unnest(${[...pieces.keys()]}::bigint[], ${[...pieces.values()]}::integer[]) m(id, pieces)
    where a.operator_id = current_operator_id() and a.id = m.id and a.stock_left is not null`.execute(db)
  for (const [id, change] of pieces) {
    stock.set(id, (stock.get(id) ?? 0) + change)
    notify('additional_product', id)
  }
}

async function release(tools: Tools, gone: readonly (Moved & { id: number; state: string })[], stock: Map<number, number>): Promise<void> {
  if (gone.length === 0) return
  const rows = await tools.db
    .updateTable('order_additions')
    .set({ state: 'released', decided_at: tools.now().toISOString() })
    .where('id', '=', sql<number>`any(${gone.map(one => one.id)})`)
    .where('state', '<>', 'released')
    .returning('id')
    .execute()
  const done = new Set(rows.map(row => row.id))
  const released = gone.filter(one => done.has(one.id) && one.state !== 'blocked')
  await addToStock(tools, released, 1, stock)
  await record(tools, 'addition.released', released)
}

/** While stock lasts: an order that comes too late does not get it. */
async function add(tools: Tools, wishes: readonly Wish[], stock: Map<number, number>): Promise<void> {
  const left = new Map(stock)
  const enough = wishes.filter(({ additional_product_id: id, qty, blocked }) => {
    const pieces = left.get(id)
    if (blocked || pieces === undefined) return true
    if (pieces < qty) return false
    return left.set(id, pieces - qty)
  })
  if (enough.length === 0) return
  const rows = await tools.db
    .insertInto('order_additions')
    .values(
      enough
        // The same order for everyone, so that two transactions never wait for each other.
        .toSorted((one, other) => one.additional_product_id - other.additional_product_id || one.order_id - other.order_id)
        .map(({ order_id, company_id, additional_product_id, qty, customer_id, blocked }) => ({
          ...{ order_id, company_id, additional_product_id, qty, customer_id },
          state: blocked ? 'blocked' : 'planned',
        })),
    )
    .onConflict(conflicting => conflicting.doNothing())
    .returning(['order_id', 'additional_product_id'])
    .execute()
  const made = new Set(rows.map(keyOf))
  const added = enough.filter(wish => made.has(keyOf(wish)))
  const planned = added.filter(wish => !wish.blocked)
  await addToStock(tools, planned, -1, stock)
  await record(tools, 'addition.planned', planned)
  await record(
    tools,
    'addition.blocked',
    added.filter(wish => wish.blocked),
  )
}

const movedColumns = ['o.id', 'o.order_id', 'o.company_id', 'o.additional_product_id', 'o.qty', 'o.state', 'a.name'] as const

const additionsIn = ({ db }: Tools, states: readonly AdditionState[]) =>
  db
    .selectFrom('order_additions as o')
    .innerJoin('additional_products as a', 'a.id', 'o.additional_product_id')
    .select(movedColumns)
    .where('o.state', 'in', states)

/** In a parcel with a label: it has left, or is about to. */
const isLabelled = sql<boolean>`exists (select from shipments s where s.operator_id = o.operator_id and s.order_id = o.order_id
  and s.session_id = o.session_id and (o.parcel_no is null or s.parcel_no = o.parcel_no) and s.operation_code = 'outbound' and s.state not in ('draft', 'error', 'cancelled', 'blocked'))`

/** The orders are not sent: what is not in a parcel with a label goes back into the stock. */
export async function releaseAdditions(tools: Tools, order_ids: readonly number[]): Promise<void> {
  const gone = await additionsIn(tools, ['planned', 'packed', 'blocked'])
    .where('o.order_id', '=', sql<number>`any(${order_ids})`)
    .where(eb => eb.not(isLabelled))
    .execute()
  if (gone.length === 0) return
  const stock = await lockStock(
    tools,
    gone.map(one => one.additional_product_id),
  )
  await release(tools, gone, stock)
}

/** The orders go in the parcel of another one: what that does not have yet goes with it, the rest goes back into the stock. */
export async function joinAdditions(tools: Tools, order_ids: readonly number[]): Promise<void> {
  // One after the other: two of them may have the same product.
  for (const order_id of order_ids)
    await sql`
      update order_additions a set order_id = o.combined_into from orders o
      where a.operator_id = current_operator_id() and a.company_id = any (current_company_ids()) and a.order_id = ${order_id}
        and a.state in ('planned', 'blocked') and o.operator_id = a.operator_id and o.id = a.order_id and o.combined_into is not null
        and not exists (select from order_additions x where x.operator_id = a.operator_id and x.order_id = o.combined_into
          and x.additional_product_id = a.additional_product_id and x.state <> 'released')`.execute(tools.db)
  await releaseAdditions(tools, order_ids)
}

/** The product is removed: no order waits for it any more. */
export async function releaseOfProduct(tools: Tools, { id }: { id: number; name: string }): Promise<void> {
  // Before the rows of orders, as everyone does.
  const stock = await lockStock(tools, [id])
  await release(tools, await additionsIn(tools, ['planned', 'blocked']).where('o.additional_product_id', '=', id).execute(), stock)
}

/** What lay in an unlabelled box of an earlier session belongs to the one that goes on. */
export async function moveToSession({ db }: Tools, order_id: number, session_id: number): Promise<void> {
  await db
    .updateTable('order_additions as o')
    .set({ session_id })
    .where('o.order_id', '=', order_id)
    .where('o.state', '=', 'packed')
    .where(eb => eb.not(isLabelled))
    .execute()
}

/** The box is emptied, or the parcel unpacked before it left: it has to be put in again. */
export async function unpackAdditions({ db }: Tools, order_ids: readonly number[], left: 'labelled' | 'handed_over'): Promise<void> {
  const gone = sql<boolean>`exists (select from shipments s where s.operator_id = o.operator_id and s.order_id = o.order_id
    and s.session_id = o.session_id and s.operation_code = 'outbound' and s.handed_over_at is not null)`
  await db
    .updateTable('order_additions as o')
    .set({ state: 'planned', session_id: null, parcel_no: null, decided_by: null, decided_at: null })
    .where('o.order_id', '=', sql<number>`any(${order_ids})`)
    .where('o.state', '=', 'packed')
    .where(eb => eb.not(left === 'labelled' ? isLabelled : gone))
    .execute()
}

/** One parcel is taken apart: what lay in it has to be put in again. */
export async function unpackAdditionsOf({ db }: Tools, order_id: number, parcel_no: number): Promise<void> {
  await db
    .updateTable('order_additions')
    .set({ state: 'planned', session_id: null, parcel_no: null, decided_by: null, decided_at: null })
    .where('order_id', '=', order_id)
    .where('parcel_no', '=', parcel_no)
    .where('state', '=', 'packed')
    .execute()
}

interface Decided {
  order_id: number
  session_id: number
  parcel_no: number
  /** Of the addition. */
  id: number
  by: string
  skip?: SkipReason
}

/** The packer has put it into the parcel, or closes without it. Undefined where that was said before. */
export async function decideAddition(tools: Tools, { order_id, session_id, parcel_no, id, by, skip }: Decided): Promise<Moved | undefined> {
  const addition = await additionsIn(tools, ['planned', 'packed', 'skipped'])
    .where('o.order_id', '=', order_id)
    .where('o.id', '=', id)
    .executeTakeFirst()
  if (!addition) throw notFound('addition_not_found', 'This additional product is not planned for the order')
  if (addition.state === (skip ? 'skipped' : 'packed')) return undefined
  if (addition.state === 'packed') throw conflict('addition_packed', '{{name}} is in the parcel already', { name: addition.name })
  const stock = skip === 'left_out' ? await lockStock(tools, [addition.additional_product_id]) : new Map<number, number>()
  const { numUpdatedRows } = await tools.db
    .updateTable('order_additions')
    .set({
      ...(skip ? { state: 'skipped' as const, skip_reason: skip } : { state: 'packed' as const, skip_reason: null }),
      session_id,
      parcel_no,
      decided_by: by.slice(0, 120),
      decided_at: tools.now().toISOString(),
    })
    .where('id', '=', id)
    .where('state', '=', addition.state)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw conflict('busy', 'Someone else is changing this right now. Try again.')
  await addToStock(tools, [addition], 1, stock)
  await record(tools, skip ? 'addition.skipped' : 'addition.packed', [addition], skip ?? null)
  return addition
}

/** Its scan is taken back: it waits again. Answers its name; undefined where it is not in this parcel any more. */
export async function planAdditionAgain(
  tools: Tools,
  { order_id, parcel_no, id }: Pick<Decided, 'order_id' | 'parcel_no' | 'id'>,
): Promise<string | undefined> {
  const addition = await additionsIn(tools, ['packed']).where('o.order_id', '=', order_id).where('o.id', '=', id).executeTakeFirst()
  if (!addition) return undefined
  const { numUpdatedRows } = await tools.db
    .updateTable('order_additions')
    .set({ state: 'planned', session_id: null, parcel_no: null, decided_by: null, decided_at: null })
    .where('id', '=', id)
    .where('parcel_no', '=', parcel_no)
    .where('state', '=', 'packed')
    .executeTakeFirst()
  return numUpdatedRows === 0n ? undefined : addition.name
}

/** What the station only shows is in the parcel that is closed. */
export async function packShown(tools: Tools, { order_id, session_id, parcel_no, by }: Omit<Decided, 'id' | 'skip'>): Promise<void> {
  const shown = await additionsIn(tools, ['planned']).where('o.order_id', '=', order_id).where('a.handling', '=', 'show').execute()
  if (shown.length === 0) return
  await tools.db
    .updateTable('order_additions')
    .set({ state: 'packed', session_id, parcel_no, decided_by: by.slice(0, 120), decided_at: tools.now().toISOString() })
    .where('id', '=', sql<number>`any(${shown.map(one => one.id)})`)
    .where('state', '=', 'planned')
    .execute()
  await record(tools, 'addition.packed', shown)
}
