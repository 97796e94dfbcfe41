/** Exceptions of the demo: some that packers went on with themselves weeks ago, and four that wait today. */
import { sql } from 'kysely'
import { elementAt } from '#domain/objects.ts'
import { startPacking } from '#features/orders/orders/order-state.commands.ts'
import { assignException, reportException } from '#features/packing/exceptions/exceptions.commands.ts'
import type { ReportedKind } from '#features/packing/packing/packing.codes.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

interface Person {
  id: number
  name: string
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
    await sql`insert into packing_exceptions (company_id, order_id, kind, note, reported_by, station, reported_at, owner_user_id, owner_name, due_at,
        state, resolution, resolved_by, resolved_at, version)
      select s.company_id, s.order_id, 'short', 'An item is missing', s.user_name, s.station, s.opened_at, s.user_id, s.user_name, s.opened_at + interval '1 hour',
        'resolved', 'packed', s.user_name, s.ended_at, 2
      from packing_sessions s where s.operator_id = current_operator_id() and s.state = 'done' and s.id % 41 = 0`.execute(db)
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
