/** Exceptions of the demo: some that packers went on with themselves weeks ago, and four that wait today. */
import { sql } from 'kysely'
import { elementAt } from '#domain/objects.ts'
import { startPacking } from '#features/orders/orders/order-state.commands.ts'
import { assignException, reportException } from '#features/packing/exceptions/exceptions.commands.ts'
import type { ReportedKind } from '#features/packing/packing/packing.codes.ts'
import type { Db } from '#platform/database/database.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

interface Person {
  id: number
  name: string
}

/** Every kind, with its reason at the station or the courier's words, and how it ended. */
const past = [
  { kind: 'short', note: 'An item is missing', resolution: 'packed', line: true },
  { kind: 'damaged', note: 'An item is damaged', resolution: 'back_to_queue', line: true },
  { kind: 'wrong_item', note: 'The wrong item was picked', resolution: 'packed', line: true },
  { kind: 'address', note: 'The address or label is wrong', resolution: 'solved' },
  { kind: 'label_error', note: 'Recipient postcode is not valid', field: 'postcode', resolution: 'label_booked' },
  { kind: 'other', note: 'Something else', resolution: 'solved' },
  { kind: 'customs', note: 'The tariff number of Wool socks is missing', field: 'parcels.0.lines.0.hs_code', resolution: 'label_booked' },
  { kind: 'weight', note: 'The weight differs', resolution: 'packed' },
  { kind: 'no_crate', note: 'No box fits', resolution: 'back_to_queue' },
] as const

/** One packed order in so many was an exception first, and a few that were cancelled. A packer solved their own, or the lead did. */
async function storePast(db: Db, lead: Person): Promise<void> {
  await sql`
    with kinds as (
      select *, n - 1 as place from rows from (jsonb_to_recordset(${JSON.stringify(past)}::jsonb)
        as (kind text, note text, field text, resolution text, line boolean)) with ordinality as k(kind, note, field, resolution, line, n)
    ), chosen as (
      select s.operator_id, s.company_id, s.order_id, s.user_id, s.user_name, s.station, s.opened_at, s.ended_at,
        row_number() over (order by s.id) as nth
      from packing_sessions s where s.operator_id = current_operator_id() and s.state = 'done' and s.id % 41 = 0
    )
    insert into packing_exceptions (company_id, order_id, order_line_id, item, kind, note, field, reported_by, station, reported_at, owner_user_id,
      owner_name, due_at, state, resolution, resolved_by, resolved_at, version)
    select s.company_id, s.order_id, l.id, l.name, k.kind, k.note, k.field, s.user_name, s.station, s.opened_at,
      case when s.nth % 3 = 0 then ${lead.id} else s.user_id end, case when s.nth % 3 = 0 then ${lead.name} else s.user_name end,
      s.opened_at + case when k.kind in ('label_error', 'wrong_item') then interval '30 minutes' else interval '1 hour' end,
      'resolved', k.resolution, case when s.nth % 3 = 0 then ${lead.name} else s.user_name end, s.ended_at, 2
    from chosen s
    join kinds k on k.place = s.nth % (select count(*) from kinds)
    left join lateral (select o.id, o.name from order_lines o where k.line and o.operator_id = s.operator_id and o.order_id = s.order_id
      and o.type = 'item' order by o.line_no limit 1) l on true`.execute(db)
  await sql`
    insert into packing_exceptions (company_id, order_id, kind, note, reported_by, station, reported_at, due_at, state, resolution, resolved_by,
      resolved_at, version)
    select o.company_id, o.id, 'short', 'An item is missing', ${lead.name}, 'Packing 2', o.cancelled_at - interval '40 minutes',
      o.cancelled_at + interval '20 minutes', 'cancelled', 'order_cancelled', ${lead.name}, o.cancelled_at, 2
    from orders o where o.operator_id = current_operator_id() and o.cancelled_at is not null order by o.id limit 3`.execute(db)
}

const waiting: readonly { kind: ReportedKind; note: string; minutes_ago: number; owned?: true }[] = [
  { kind: 'damaged', note: 'The box is crushed on one side', minutes_ago: 95, owned: true },
  { kind: 'short', note: 'An item is missing', minutes_ago: 40 },
  { kind: 'address', note: 'The postcode does not belong to the city', minutes_ago: 12 },
  { kind: 'wrong_item', note: 'The wrong item was picked', minutes_ago: 3 },
]

export async function buildExceptions(
  services: Services,
  scope: TenantScope,
  { packer, lead }: { packer: Person; lead: Person },
): Promise<void> {
  const { operator_id, company_id } = scope
  const orders = await services.database.transaction(scope, async db => {
    await storePast(db, lead)
    return db
      .selectFrom('orders')
      .select('id')
      .where('company_id', '=', company_id)
      .where('phase', '=', 'ready')
      .where('pinned_at', 'is', null)
      .orderBy('id')
      .limit(waiting.length)
      .execute()
  })
  for (const [i, { id }] of orders.entries()) {
    const { kind, note, minutes_ago, owned } = elementAt(waiting, i)
    const at = new Date(services.now().getTime() - minutes_ago * 60_000)
    const system = createSystemContext({ ...services, now: () => at }, { operator_id, company_id, companies: [company_id] })
    await system.transaction(async context => {
      const opened = at.toISOString()
      await context.db
        .insertInto('packing_sessions')
        .values({
          company_id,
          order_id: id,
          user_id: packer.id,
          user_name: packer.name,
          station: 'Packing 1',
          state: 'parked',
          parked_reason: note,
          opened_at: opened,
          last_scan_at: opened,
        })
        .execute()
      await startPacking(context, [id])
      const line =
        kind === 'address'
          ? undefined
          : await context.db.selectFrom('order_lines').select('id').where('order_id', '=', id).where('type', '=', 'item').executeTakeFirst()
      await reportException(context, {
        order_id: id,
        company_id,
        kind,
        order_line_id: line?.id ?? null,
        note,
        reported_by: packer.name,
        station: 'Packing 1',
      })
      const exception = await context.db.selectFrom('packing_exceptions').select('id').where('order_id', '=', id).executeTakeFirstOrThrow()
      if (owned) await assignException(context, exception.id, { user_id: lead.id })
    })
  }
}
