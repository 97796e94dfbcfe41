/** Which facts of an order its shop does not have yet: found anew at each attempt, so that nothing depends on which event came first. */
import { sql } from 'kysely'
import * as z from 'zod'
import { leftStates } from '#domain/order/shipment-states.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { partMark } from '#features/orders/orders/bundles.rules.ts'
import { trackingUrl } from '#features/shipping/tracking/tracking-link.server.ts'
import type { PushedLine, PushedParcel, PushFact, ShopRef } from '#integrations/shops/shop-connector.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { lateCancellation } from './shop-connections.commands.ts'

export interface DueFact {
  fact: PushFact
  /** The order that the shop knows: the whole, where this one is a part. */
  order_id: number
  object_type: 'order' | 'shipment'
  object_id: number
  of_fact: string | null
  /** Kept with the fact: the number that the shop has then. */
  value: string | null
}

interface PushSettings {
  system: string
  shop: string
  /** `packed` or `handed_over`. */
  push_at: string
  notify_customer: boolean
  cancel_in_shop: boolean
}

const Made = z.array(z.object({ external_type: z.string(), external_id: z.string() })).catch([])

/** Ids of orders in all shop systems. Another id was made here or by an import: it must not become part of an address of the shop. */
const shopId = /^[\w-]{1,100}$/

const bookedStates: readonly string[] = ['booked', ...leftStates]

/** What is due, in the order in which the shop gets it. `history_id`: a line of the status history that the delivery is about. */
export async function dueFacts(
  db: Db,
  services: Services,
  company: { id: number; code: string },
  connection: { id: number } & PushSettings,
  order_id: number,
  history_id: number | null,
): Promise<DueFact[]> {
  const own = await db.selectFrom('orders').select(['id', 'split_of']).where('id', '=', order_id).executeTakeFirst()
  const root =
    own &&
    (await db
      .selectFrom('orders')
      .select(['id', 'shop', 'source', 'external_id', 'order_no', 'cancelled_at', 'combined_into'])
      .where('id', '=', own.split_of ?? own.id)
      .executeTakeFirst())
  if (!root || root.shop !== connection.shop || !shopId.test(root.external_id)) return []
  const refs = await db
    .selectFrom('shop_refs')
    .select(['fact', 'of_fact', 'object_type', 'object_id', 'state', 'value', 'made'])
    .where('connection_id', '=', connection.id)
    .where('order_id', '=', root.id)
    .orderBy('id')
    .execute()
  // An order that was made here under the shop's code is unknown there.
  if (root.source !== connection.system && !refs.some(ref => ref.fact === 'content')) return []

  // A line of a part of the order stands for the line of the whole from which it was taken.
  const ofShop = (column: string) => sql.raw(`case when whole.id is null then l.${column} else whole.${column} end`)
  // In one parcel with others: the lines of an order say whose they are, wherever they stand.
  const whose = sql`coalesce(l.combined_order_id, l.order_id)`
  const mine = sql`in (select w.id from orders w where w.operator_id = l.operator_id and (w.id = ${root.id} or w.split_of = ${root.id}))`
  const contents = sql`from shipment_lines c join order_lines l on l.operator_id = c.operator_id and l.id = c.order_line_id
    where c.operator_id = s.operator_id and c.shipment_id = s.id`
  const { rows: parcels } = await sql<{
    id: number
    order_id: number
    parcel_no: number
    state: string
    tracking_no: string | null
    agent_code: string
    agent_name: string | null
    due: boolean
    lines: PackedLine[]
  }>`
    select s.id, s.order_id, s.parcel_no, s.state, s.tracking_no, s.agent_code,
      (select m.name from shipping_methods m where m.operator_id = s.operator_id and m.company_id = s.company_id and m.agent_code = s.agent_code and m.shipping_method = s.shipping_method) as agent_name,
      case when ${connection.push_at} = 'handed_over' then s.state = any (${[...leftStates]}) or o.work_state in ('handed_over', 'closed')
        else o.work_state in ('packed', 'handed_over', 'closed')
          or exists (select from packing_sessions p where p.operator_id = s.operator_id and p.id = s.session_id and p.state in ('done', 'label_check')) end as due,
      coalesce((select jsonb_agg(jsonb_build_object('external_id', coalesce(whole.external_id, l.external_id), 'sku', l.sku, 'qty', c.quantity,
          'bundle', case when b.id is not null then jsonb_build_object('external_id', b.external_id, 'sku', b.sku,
            'each', coalesce(nullif(coalesce(whole.shop_qty, l.shop_qty), 0), whole.qty, l.qty)::numeric / greatest(b.qty, 1)) end) order by c.line_no)
        from shipment_lines c
          join order_lines l on l.operator_id = c.operator_id and l.id = c.order_line_id
          left join order_lines whole on whole.operator_id = l.operator_id and whole.id = l.split_from_line_id
          left join order_lines b on b.operator_id = l.operator_id and b.order_id = ${ofShop('order_id')}
            and b.external_id = ${ofShop('bundle_of')} and b.combined_order_id is not distinct from ${ofShop('combined_order_id')}
            and starts_with(${ofShop('external_id')}, b.external_id || ${partMark})
        where c.operator_id = s.operator_id and c.shipment_id = s.id and l.type = 'item' and ${whose} ${mine}), '[]') as lines
    from shipments s join orders o on o.operator_id = s.operator_id and o.id = s.order_id
    where s.operator_id = current_operator_id() and s.company_id = current_company_id() and (o.id = ${root.id} or o.split_of = ${root.id} or o.id = ${root.combined_into})
      and (exists (select ${contents} and ${whose} ${mine}) or not exists (select ${contents}))
      and s.operation_code = 'outbound' and s.booked_at is not null and s.state <> 'draft'
    order by s.booked_at, s.id limit 500`.execute(db)
  const { rows: toSend } = await sql<{ external_id: string | null; qty: number }>`
    select coalesce(whole.external_id, l.external_id) as external_id, sum(l.qty - l.cancelled_qty)::integer as qty
    from order_lines l join orders o on o.operator_id = l.operator_id and o.id = l.order_id
      left join order_lines whole on whole.operator_id = l.operator_id and whole.id = l.split_from_line_id
    where l.operator_id = current_operator_id() and (o.id = ${root.id} or o.split_of = ${root.id} or o.id = ${root.combined_into}) and o.cancelled_at is null
      and ${whose} ${mine} and l.type = 'item' and l.requires_shipping
    group by 1`.execute(db)

  const written: ShopRef[] = refs.flatMap(ref => Made.parse(ref.made).map(made => ({ ...made, key: ref.of_fact ?? ref.fact })))
  const isDone = (fact: string) => refs.some(ref => ref.fact === fact && (ref.state === 'done' || ref.state === 'refused'))
  const head = (key: string) => ({ key, external_id: root.external_id, order_no: root.order_no, refs: written })
  // Each fact names all parcels before it.
  const pushedParcels = new Map<number, PushedParcel>()
  const parcelOf = (one: (typeof parcels)[number]): PushedParcel => {
    const parcel = pushedParcels.get(one.id) ?? {
      tracking_no: one.tracking_no ?? '',
      tracking_url: trackingUrl(services, company, { order_id: one.order_id, shipment_id: one.id }),
      courier_code: one.agent_code,
      courier_name: one.agent_name ?? one.agent_code,
      lines: linesForShop(
        one.lines,
        live.slice(0, live.indexOf(one)).flatMap(other => other.lines),
      ),
    }
    pushedParcels.set(one.id, parcel)
    return parcel
  }

  const facts: DueFact[] = []
  const add = (due: Omit<DueFact, 'order_id'>) => facts.push({ ...due, order_id: root.id })
  const live = parcels.filter(one => bookedStates.includes(one.state) && one.tracking_no !== null)
  const isPushed = (id: number) => refs.some(ref => ref.object_type === 'shipment' && ref.object_id === id && ref.state === 'done')
  const sent = live.filter(one => isPushed(one.id))
  /** Parcels of the shop whose label is gone, with the fact that wrote them. */
  const lost = refs.filter(
    ref =>
      ref.object_type === 'shipment' &&
      ref.state === 'done' &&
      parcels.some(one => one.id === ref.object_id && (one.state === 'cancelled' || one.state === 'blocked')) &&
      !refs.some(
        later =>
          later.state === 'done' &&
          later.fact !== ref.fact &&
          later.of_fact === (ref.of_fact ?? ref.fact) &&
          later.object_id > ref.object_id,
      ),
  )
  for (const one of live) {
    if (!one.due || isPushed(one.id)) continue
    const parcel = parcelOf(one)
    const replaces = lost.findIndex(ref => {
      const gone = parcels.find(other => other.id === ref.object_id)
      return gone?.order_id === one.order_id && gone.parcel_no === one.parcel_no
    })
    if (replaces >= 0) {
      const [ref] = lost.splice(replaces, 1)
      const fulfilment_key = ref?.of_fact ?? ref?.fact ?? ''
      add({
        fact: {
          kind: 'tracking',
          ...head(`tracking-${one.id}`),
          fulfilment_key,
          old_tracking_no: ref?.value ?? null,
          parcel,
          parcels: [...sent, one].map(parcelOf),
          notify_customer: connection.notify_customer,
        },
        object_type: 'shipment',
        object_id: one.id,
        of_fact: fulfilment_key,
        value: parcel.tracking_no,
      })
      sent.push(one)
      continue
    }
    if (isDone(`parcel-${one.id}`)) continue
    sent.push(one)
    add({
      fact: {
        kind: 'fulfilment',
        ...head(`parcel-${one.id}`),
        parcel,
        parcels: sent.map(parcelOf),
        is_last: isAllOf(toSend, sent),
        notify_customer: connection.notify_customer,
      },
      object_type: 'shipment',
      object_id: one.id,
      of_fact: null,
      value: parcel.tracking_no,
    })
  }

  const ofOrder = { object_type: 'order' as const, object_id: root.id, of_fact: null, value: null }
  if (root.cancelled_at !== null && connection.cancel_in_shop && !isDone('cancellation')) {
    // The shop cancelled it itself.
    const isTheirs = refs.some(ref => ref.fact === 'content' && ref.value === 'cancelled')
    if (!isTheirs) add({ fact: { kind: 'cancellation', ...head('cancellation') }, ...ofOrder })
  }
  if (history_id !== null && !isDone(`history-${history_id}`)) {
    const line = await db
      .selectFrom('order_status_histories')
      .select(['status', 'comment', 'visible_to_customer', 'notify_customer'])
      .where('id', '=', history_id)
      .where('order_id', '=', order_id)
      .executeTakeFirst()
    if (line) {
      const { comment, ...rest } = line
      add({ fact: { kind: 'status_history', ...head(`history-${history_id}`), ...rest, text: comment }, ...ofOrder })
    }
  }
  if (refs.some(ref => ref.fact === lateCancellation && (ref.state === 'waiting' || ref.state === 'sending'))) {
    const t = await translatorFor((await companySettings(db, company.id)).locale)
    const text = t('The parcel was on its way already: the cancellation came too late.')
    add({ fact: { kind: 'note', ...head(lateCancellation), text }, ...ofOrder })
  }
  return facts
}

interface PackedLine {
  external_id: string | null
  sku: string | null
  qty: number
  /** The shop's line, where the company made this one of it; `each` is how many of it one bundle holds. */
  bundle: { external_id: string; sku: string | null; each: number } | null
}

/**
 * What of a parcel the shop knows. The parts of a bundle that the company made stand for the shop's own line: as many bundles as begin
 * with this parcel.
 */
export function linesForShop(lines: readonly PackedLine[], before: readonly PackedLine[]): PushedLine[] {
  const known = lines.flatMap(({ external_id, sku, qty, bundle }) => (external_id === null || bundle ? [] : [{ external_id, sku, qty }]))
  const all = begunBundles([...before, ...lines])
  const earlier = begunBundles(before)
  return [
    ...known,
    ...[...all.values()].flatMap(({ external_id, sku, qty }) => {
      const begun = qty - (earlier.get(external_id)?.qty ?? 0)
      return begun > 0 ? [{ external_id, sku, qty: begun }] : []
    }),
  ]
}

function begunBundles(lines: readonly PackedLine[]): Map<string, PushedLine> {
  const parts = new Map<string | null, number>()
  const begun = new Map<string, PushedLine>()
  for (const { external_id, qty, bundle } of lines) {
    if (!bundle) continue
    const pieces = (parts.get(external_id) ?? 0) + qty
    parts.set(external_id, pieces)
    const sets = Math.ceil(pieces / (bundle.each > 0 ? bundle.each : 1))
    const { external_id: id, sku } = bundle
    begun.set(id, { external_id: id, sku, qty: Math.max(sets, begun.get(id)?.qty ?? 0) })
  }
  return begun
}

/** Whether these parcels hold all that is to be sent. */
function isAllOf(
  toSend: readonly { external_id: string | null; qty: number }[],
  parcels: readonly { lines: readonly { external_id: string | null; qty: number }[] }[],
): boolean {
  const held = new Map<string | null, number>()
  for (const { lines } of parcels) for (const { external_id, qty } of lines) held.set(external_id, (held.get(external_id) ?? 0) + qty)
  return toSend.every(({ external_id, qty }) => (held.get(external_id) ?? 0) >= qty)
}
