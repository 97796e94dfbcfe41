/** The demo's pick lists of today: one that waits for a picker, and one whose wagon is half picked. */
import { randomUUID } from 'node:crypto'
import { takeWave, writeList } from '#features/warehouse/pick-lists/create-pick-list.commands.ts'
import { NewPickList } from '#features/warehouse/pick-lists/pick-lists.schemas.ts'
import { claimWagon, join } from '#features/warehouse/pick-lists/wagon-pickers.commands.ts'
import { takeEvent } from '#features/warehouse/picking/apply-event.server.ts'
import { PickEvent } from '#features/warehouse/picking/picking.schemas.ts'
import { anonymous } from '#platform/auth/identity.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { createContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'

/** Of the orders of one company; `lead` picks one of the wagons, so that other pickers are free. */
export async function buildPickLists(
  services: Services,
  scope: TenantScope,
  company_id: number,
  lead: { id: number; name: string },
): Promise<void> {
  const company = { operator_id: scope.operator_id, id: scope.company_id, code: '', name: '', is_main: true, packing_ip_pattern: '' }
  const person = { ...anonymous(company), ...lead, kind: 'user' as const, permissions: ['list_admin', 'pick_admin'] as const }
  const outside = createContext(services, person, scope, { ip: '', station: '', headers: {}, signal: services.closing })
  const wave = NewPickList.parse({ companies: [company_id], most_wagons: 1, max_orders: 12, seed: 1 })
  const create = () => outside.transaction(async context => writeList(context, await takeWave(context, wave), wave))
  const pick_list_id = await create()
  await create()
  const key = { pick_list_id, wagon_no: 1 }
  const lines = await outside.transaction(async context => {
    await join(context, key, lead)
    await claimWagon(context.db, key, { user: lead, begun: false, now: context.now() })
    return context.db.selectFrom('pick_lines').select(['id', 'asked']).where('pick_list_id', '=', pick_list_id).orderBy('walk_no').execute()
  })
  const half = Math.ceil(lines.length / 2)
  const take = async (line: number, event: object) => {
    const { ok } = await takeEvent(
      outside,
      key,
      PickEvent.parse({ id: randomUUID(), line, by: 'button', at: services.now().toISOString(), ...event }),
    )
    if (!ok) throw new Error(`The demo's event of line ${line} was refused`)
  }
  for (const { id, asked } of lines.slice(0, half)) await take(id, { kind: 'pick', quantity: asked })
  // What is missing waits for a decision.
  for (const { id } of lines.slice(half, half + 1)) await take(id, { kind: 'short', reason: 'not_there', note: 'The bin is empty' })
  for (const { id } of lines.slice(half + 1, half + 2)) await take(id, { kind: 'short', reason: 'damaged', note: 'The package is torn' })
}
