/** Returns of the demo: eight weeks of finished ones in bulk, and some in every state that waits – all invented. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import sharp from 'sharp'
import { addItem, addReturnFile, arrive, decideItems, inspectItem, missItem } from '#features/returns/returns/desk.commands.ts'
import { answerRefund, proposeRefund } from '#features/returns/returns/money.commands.ts'
import type { ReturnTools } from '#features/returns/returns/return-rows.commands.ts'
import { keepOrphan, rejectReturn, requestReturn } from '#features/returns/returns/returns.commands.ts'
import { leftToReturn } from '#features/returns/returns/returns.queries.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { DemoShop } from './orders.ts'

const reasons = [
  'does_not_fit',
  'changed_mind',
  'defective',
  'not_as_described',
  'ordered_twice',
  'wrong_item',
  'damaged_in_transit',
] as const
const by = { name: 'Mette Friis' }
const finished = 34

export async function buildReturns(services: Services, shops: readonly DemoShop[]): Promise<void> {
  const photo = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#b08d57' } })
    .composite([
      {
        input: Buffer.from(
          '<svg width="640" height="480"><rect x="90" y="70" width="460" height="340" fill="#c9a66b" stroke="#7c5f34" stroke-width="6"/><rect x="270" y="70" width="90" height="340" fill="#d9bd8a"/><rect x="380" y="250" width="140" height="100" fill="#fff"/></svg>',
        ),
      },
    ])
    .webp({ quality: 60 })
    .toBuffer()
  for (const { scope } of shops) {
    const stored = await services.files.put(scope.operator_id, photo)
    const context = createSystemContext(services, scope)
    await context.transaction(async tools => {
      const sent = tools.db
        .selectFrom('orders as o')
        .select(['o.id', 'o.customer_name', 'o.customer_email'])
        .where('o.company_id', '=', scope.company_id)
        .where('o.work_state', 'in', ['handed_over', 'closed'])
        .where('o.cancelled_at', 'is', null)
        .where(eb =>
          eb.exists(
            eb
              .selectFrom('order_lines as l')
              .select('l.id')
              .whereRef('l.order_id', '=', 'o.id')
              .where('l.type', '=', 'item')
              .where('l.shipped_qty', '>', 0),
          ),
        )
      const newest = await sent.orderBy('o.id', 'desc').limit(states.length).execute()
      // A finished return takes eleven days from the delivery on. The remainder spreads them over the weeks before.
      const returned = await sent
        .where(sql<boolean>`coalesce(o.delivered_at, o.packed_at, o.created_at) < now() - interval '12 days'`)
        .orderBy(sql`o.id % 13`)
        .orderBy('o.id', 'desc')
        .limit(finished)
        .execute()
      await addFinished(
        tools,
        scope.company_id,
        returned.map(({ id }) => id),
      )
      const before = await tools.db
        .selectFrom('returns')
        .select(eb => eb.fn.max('id').as('id'))
        .executeTakeFirstOrThrow()
      for (const [place, order] of newest.entries()) {
        const file = () =>
          recordFile(tools.db, stored, { media_type: 'image/webp', name: 'return.webp', company_id: scope.company_id, order_id: order.id })
        await states[place]?.(tools, { ...order, company_id: scope.company_id, place, file })
      }
      const file_id = await recordFile(tools.db, stored, { media_type: 'image/webp', name: 'parcel.webp', company_id: scope.company_id })
      await keepOrphan(tools, {
        client_id: randomUUID(),
        company_id: scope.company_id,
        tracking_key: `JJD0099${scope.company_id}47`,
        shelf: 'R-02',
        note: 'No paper inside',
        file_id,
        by: by.name,
      })
      // They came in over the last days, in the order of their numbers; arrived after some hours on their way.
      await sql`update returns r set requested_at = requested_at - n * interval '110 minutes', approved_at = approved_at - n * interval '110 minutes',
          arrived_at = arrived_at - n * interval '40 minutes'
        from (select id, row_number() over (order by id desc) as n from returns where operator_id = current_operator_id()
          and company_id = ${scope.company_id} and id > ${before.id ?? 0}) m
        where r.operator_id = current_operator_id() and r.id = m.id`.execute(tools.db)
      await sql`update return_parcels p set arrived_at = r.arrived_at from returns r
        where p.operator_id = current_operator_id() and r.operator_id = p.operator_id and r.id = p.return_id
          and r.company_id = ${scope.company_id} and r.id > ${before.id ?? 0} and p.arrived_at is not null`.execute(tools.db)
    })
  }
}

interface DemoOrder {
  id: number
  company_id: number
  customer_name: string
  customer_email: string | null
  place: number
  file: () => Promise<number>
}

/** A return of the first line with something left, of at most `most` pieces; its id and those of its pieces. */
async function ask(tools: ReturnTools, order: DemoOrder, { most = 1, withdrawal = false } = {}) {
  const line = (await leftToReturn(tools.db, order.id)).find(({ left }) => left > 0)
  const { id } = await requestReturn(tools, {
    client_id: randomUUID(),
    company_id: order.company_id,
    order_id: order.id,
    source: order.place % 3 === 0 ? 'desk' : 'portal',
    items: line
      ? [
          {
            order_line_id: line.order_line_id,
            qty: Math.min(most, line.left),
            reason: withdrawal ? 'withdrawal' : (reasons[order.place % reasons.length] ?? 'changed_mind'),
            outcome: order.place % 5 === 4 ? 'exchange' : 'refund',
          },
        ]
      : [],
    method: 'own_label',
    language: 'en_GB',
    contact: { name: order.customer_name, email: order.customer_email },
    withdrawal,
    by: 'customer',
  })
  const items = await tools.db.selectFrom('return_items').select(['id', 'sku']).where('return_id', '=', id).orderBy('id').execute()
  return { id, items }
}

async function inspected(
  tools: ReturnTools,
  order: DemoOrder,
  { most = 1, condition = 'A', withdrawal = false }: { most?: number; condition?: 'A' | 'B' | 'scrap'; withdrawal?: boolean } = {},
) {
  const made = await ask(tools, order, { most, withdrawal })
  await arrive(tools, made.id, { by })
  for (const item of made.items) {
    if (condition !== 'A') await addReturnFile(tools, made.id, { file_id: await order.file(), kind: 'condition', item_id: item.id, by })
    await inspectItem(tools, made.id, item.id, { condition, serial_reason: 'Label is gone', by })
  }
  return made
}

async function decided(tools: ReturnTools, order: DemoOrder, more: Parameters<typeof inspected>[2] = {}) {
  const made = await inspected(tools, order, more)
  await decideItems(tools, made.id, {
    items: made.items.map(({ id }) => ({ item_id: id, decision: more.condition === 'scrap' ? 'scrap' : 'restock' })),
    by,
  })
  return made
}

async function proposed(tools: ReturnTools, order: DemoOrder, more: Parameters<typeof inspected>[2] = {}) {
  const made = await decided(tools, { ...order, place: 1 }, more)
  await proposeRefund(tools, made.id, { item_ids: made.items.map(({ id }) => id), delivery: 0, deduction: 0, note: '', by })
  return made
}

/** One return in each state, on an order of its own. */
const states: readonly ((tools: ReturnTools, order: DemoOrder) => Promise<unknown>)[] = [
  (tools, order) => ask(tools, order),
  (tools, order) => ask(tools, order, { most: 2 }),
  (tools, order) => ask(tools, order, { withdrawal: true }),
  async (tools, order) => arrive(tools, (await ask(tools, order, { most: 2 })).id, { by }),
  async (tools, order) => arrive(tools, (await ask(tools, order)).id, { by }),
  (tools, order) => inspected(tools, order, { most: 2 }),
  (tools, order) => inspected(tools, order, { condition: 'B' }),
  async (tools, order) => {
    const made = await ask(tools, order, { most: 2 })
    await arrive(tools, made.id, { by })
    const [first, second] = made.items
    if (first) await inspectItem(tools, made.id, first.id, { condition: 'A', serial_reason: 'Label is gone', by })
    if (second) await missItem(tools, made.id, second.id, { by })
  },
  async (tools, order) => {
    const made = await ask(tools, order)
    await arrive(tools, made.id, { by })
    const [first] = made.items
    if (first?.sku) await addItem(tools, made.id, { code: first.sku, qty: 1, by })
  },
  async (tools, order) => {
    const made = await ask(tools, order)
    await arrive(tools, made.id, { by })
    const [first] = made.items
    if (first) await inspectItem(tools, made.id, first.id, { condition: 'A', serial: 'SN-OTHER-7', by })
  },
  (tools, order) => decided(tools, order),
  (tools, order) => decided(tools, order, { condition: 'scrap' }),
  (tools, order) => proposed(tools, order),
  (tools, order) => proposed(tools, order, { most: 2 }),
  async (tools, order) => answerRefund(tools, (await proposed(tools, order)).id, 1, { state: 'in_doubt', by: by.name }),
  async (tools, order) =>
    answerRefund(tools, (await proposed(tools, order)).id, 1, { state: 'denied', reason: 'Worn outside', by: by.name }),
  async (tools, order) =>
    answerRefund(tools, (await proposed(tools, order, { withdrawal: true })).id, 1, {
      state: 'confirmed',
      reference: 'RF-20431',
      by: 'Shop',
    }),
  async (tools, order) => {
    const { id } = await proposed(tools, order, { withdrawal: true })
    await sql`update returns set noticed_at = noticed_at - interval '16 days', refund_due_at = refund_due_at - interval '16 days'
      where operator_id = current_operator_id() and id = ${id}`.execute(tools.db)
  },
  async (tools, order) => {
    const { id } = await ask(tools, order)
    await sql`update returns set status = 'requested', approved_at = null, expires_at = null where operator_id = current_operator_id() and id = ${id}`.execute(
      tools.db,
    )
    await sql`update return_items set money = 'none' where operator_id = current_operator_id() and return_id = ${id}`.execute(tools.db)
    if (order.company_id % 2 === 0) await rejectReturn(tools, id, { reason: 'Made to measure' })
  },
]

/** Returns of the past weeks, received, restocked and refunded, one piece each. */
async function addFinished({ db }: ReturnTools, company_id: number, order_ids: readonly number[]): Promise<void> {
  if (order_ids.length === 0) return
  await sql`
    with taken as (
      insert into number_series (company_id, name, next) values (${company_id}, 'rma', ${order_ids.length + 1})
      on conflict (operator_id, company_id, name) do update set next = number_series.next + ${order_ids.length} returning next),
    picked as (
      select o.id as order_id, o.shop, o.currency, o.customer_name, l.id as line_id, l.product_id, l.sku, l.name,
        coalesce(l.unit_price_incl_vat, l.unit_price_excl_vat, 0) as amount, p.bin,
        row_number() over (order by coalesce(o.delivered_at, o.packed_at, o.created_at), o.id) as n, coalesce(o.delivered_at, o.packed_at, o.created_at) + interval '6 days' as at
      from orders o
      join lateral (select * from order_lines l where l.operator_id = o.operator_id and l.order_id = o.id and l.type = 'item' and l.shipped_qty > 0
        order by l.line_no limit 1) l on true
      left join products p on p.operator_id = o.operator_id and p.id = l.product_id
      where o.operator_id = current_operator_id() and o.id = any (${order_ids}::bigint[])),
    made as (
      insert into returns (company_id, rma_no, order_id, shop, source, status, method, language, requested_at, approved_at, arrived_at, decided_at,
        resolved_at, contact_name, currency, created_by)
      select ${company_id}, 'R' || lpad((taken.next - ${order_ids.length} + n - 1)::text, 7, '0'), order_id, shop, 'portal', 'resolved', 'own_label',
        'en_GB', at, at, at + interval '3 days', at + interval '4 days', at + interval '5 days', customer_name, currency, 'customer'
      from picked, taken order by n returning id, order_id),
    paid as (
      insert into refund_proposals (company_id, return_id, no, kind, lines, goods, total, currency, state, proposed_at, proposed_by, shop_ref, answered_at, answered_by)
      select ${company_id}, m.id, 1, 'refund', '[]', p.amount, p.amount, p.currency, 'confirmed', p.at + interval '4 days', ${by.name},
        'RF-' || (10000 + p.n), p.at + interval '5 days', 'Shop'
      from picked p join made m using (order_id) returning id, return_id)
    insert into return_items (company_id, return_id, order_line_id, product_id, sku, name, reason_code, custody, money, condition, inspected_at, inspected_by,
      decision, decided_at, decided_by, bin, amount, proposal_id)
    select ${company_id}, m.id, p.line_id, p.product_id, p.sku, p.name, (${[...reasons]}::text[])[1 + p.n % ${reasons.length}], 'restocked', 'confirmed', 'A',
      p.at + interval '3 days', ${by.name}, 'restock', p.at + interval '4 days', ${by.name}, p.bin, p.amount, paid.id
    from picked p join made m using (order_id) join paid on paid.return_id = m.id`.execute(db)
  await sql`update order_lines l set returned_qty = 1 from return_items i
    where i.operator_id = current_operator_id() and i.company_id = ${company_id} and i.custody = 'restocked' and l.operator_id = i.operator_id
      and l.id = i.order_line_id and l.returned_qty = 0`.execute(db)
}
