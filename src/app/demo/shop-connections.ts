/** A connected shop of the demo with a month of log – all invented. It is paused: no server stands behind its address. */
import { addConnection, stopConnection } from '#features/deliveries/shop-connections/shop-connections.commands.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Services } from '#platform/http/feature-module.ts'

const day = 86_400_000
const days = 30

export async function buildShopConnections({ database, now }: Services, scope: TenantScope): Promise<void> {
  const ago = (back: number, minutes = 0) => new Date(now().getTime() - back * day + minutes * 60_000).toISOString()
  await database.transaction(scope, async db => {
    const id = await addConnection(
      db,
      {
        client_id: '6f0d3c1e-8f3a-4a55-9a53-5b7c1f0e4d21',
        system: 'woocommerce',
        shop: 'keramik',
        name: 'Nordlys Keramik',
        base_url: 'https://shop.example.com',
        settings: { push_at: 'packed', notify_customer: 'true', cancel_in_shop: 'false' },
        pull_from: ago(days),
      },
      now(),
    )
    const rows: {
      at: string
      kind: 'pull' | 'push' | 'sweep'
      outcome: 'created' | 'updated' | 'done' | 'failed' | 'refused'
      shop_words: string | null
      ref: string | null
    }[] = []
    for (let back = 1; back < days; back++) {
      for (let nth = 0; nth < 6; nth++) {
        const ref = String(30_000 + (days - back) * 6 + nth)
        rows.push({ at: ago(back, nth * 35), kind: 'pull', outcome: nth === 5 ? 'updated' : 'created', shop_words: null, ref })
        rows.push({ at: ago(back, 120 + nth * 35), kind: 'push', outcome: 'done', shop_words: `Reported: parcel 3735${ref}`, ref })
      }
      if (back % 9 === 0)
        rows.push({
          at: ago(back, 20),
          kind: 'pull',
          outcome: 'failed',
          shop_words: '503 Briefly unavailable for scheduled maintenance.',
          ref: null,
        })
      if (back % 11 === 0)
        rows.push({ at: ago(back, 40), kind: 'push', outcome: 'refused', shop_words: '404 Invalid ID.', ref: String(30_000 + back) })
      if (back % 13 === 0)
        rows.push({ at: ago(back, 200), kind: 'sweep', outcome: 'created', shop_words: null, ref: String(31_000 + back) })
    }
    await db
      .insertInto('connection_log')
      .values(rows.map(row => ({ connection_id: id, ...row })))
      .execute()
    await db
      .updateTable('shop_connections')
      .set({ last_order_at: ago(1), last_ok_at: ago(1), caught_up: true })
      .where('id', '=', id)
      .execute()
    await stopConnection(db, id, 'paused')
  })
}
