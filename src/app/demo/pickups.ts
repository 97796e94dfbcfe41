/** Three parcels that GLS took in one booking, and a pickup that is ordered – all invented. */
import { sql } from 'kysely'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Services } from '#platform/http/feature-module.ts'

const recipient = { name: 'Fix Demo A/S', address1: 'Sydhavnsgade 16', postcode: '2450', city: 'København SV', country: 'DK' }

export async function buildPickups(services: Services, scope: TenantScope, clerk: string): Promise<void> {
  const now = services.now()
  const yesterday = new Date(now.getTime() - 26 * 3_600_000).toISOString()
  const tomorrow = new Date(now.getTime() + 86_400_000).toISOString().slice(0, 10)
  await services.database.transaction(scope, async db => {
    const parcels = [6_400, 5_900, 3_200].map((weight_g, i) => ({
      kind: 'free' as const,
      agent_code: 'gls',
      shipping_method: 'business',
      state: 'in_transit' as const,
      parcel_no: i + 1,
      idempotency_key: `demo-together-${i + 1}`,
      reference: `demo-together-${i + 1}`,
      request: JSON.stringify({ order_no: 'Machines to repair' }),
      tracking_no: `ZDEMO0${i + 1}K`,
      barcode: `20280000009${i + 1}`,
      weight_g,
      booked_at: yesterday,
      handed_over_at: yesterday,
      created_at: yesterday,
    }))
    const ids = (await db.insertInto('shipments').values(parcels).returning('id').execute()).map(row => row.id)
    const [first = 0] = ids
    await db.updateTable('shipments').set({ consignment_id: first }).where('id', '=', sql<number>`any(${ids})`).execute()
    await db
      .insertInto('shipment_parties')
      .values(ids.map(shipment_id => ({ shipment_id, role: 'recipient', party: JSON.stringify(recipient) })))
      .execute()
    await db
      .insertInto('shipment_events')
      .values(
        ids.map(shipment_id => ({ shipment_id, state: 'in_transit', at: yesterday, source: 'gls', text: 'The parcel is on its way' })),
      )
      .execute()
    await db
      .insertInto('pickups')
      .values({
        ...{ client_id: crypto.randomUUID(), agent_code: 'gls', day: tomorrow, from_time: '14:00', to_time: '16:00', parcels: 12 },
        ...{ weight_g: 31_500, note: 'Gate 2, ring the bell', state: 'ordered', comes_on: tomorrow, created_by: clerk },
      })
      .execute()
  })
}
