/** Parcel shops: the nearest of 50,000 to a postcode, beside a read by primary key. */
import { nearShops } from '../../src/features/shipping/parcel-shops/parcel-shops.queries.ts'
import type { BenchApp, Tenant } from '../bench-app.ts'
import { ms, percentiles, type Row } from '../measure.ts'

const shops = 50_000
const searches = 400

/** Of one courier in one country: 5,000 postcodes from south to north, ten shops side by side in each. */
async function fill({ plain }: BenchApp, { scope }: Tenant): Promise<void> {
  await plain.query(
    `insert into parcel_shops (operator_id, agent_code, country, shop_id, name, address1, postcode, city, lat, lng, opening_hours)
     select $1, 'bring', 'NO', n::text, 'Shop ' || n, 'Street ' || n % 90, lpad((n / 10)::text, 5, '0'), 'City ' || n / 100,
       58 + n * 12.0 / $2::integer, 6 + (n / 10 % 37) * 0.2 + (n % 10) * 0.001, array['Mon–Sat 08:00–22:00']
     from generate_series(0, $2::integer - 1) n`,
    [scope.operator_id, shops],
  )
  await plain.query('analyze parcel_shops')
}

export async function parcelShops(testApp: BenchApp): Promise<Row[]> {
  const tenant = testApp.tenants[8] as Tenant
  await fill(testApp, tenant)
  const took: number[] = []
  const limits: number[] = []
  let found = 0
  for (let n = 0; n < searches; n++) {
    const postcode = String((n * 2_477) % 5_000).padStart(5, '0')
    await testApp.database.transaction(tenant.scope, async db => {
      const from = performance.now()
      const near = await nearShops(db, { agent_code: 'bring', country: 'NO', postcode })
      took.push(performance.now() - from)
      if (near.length === 20 && near[0]?.postcode === postcode) found++
      const read = performance.now()
      await db
        .selectFrom('parcel_shops')
        .selectAll()
        .where('agent_code', '=', 'bring')
        .where('country', '=', 'NO')
        .where('shop_id', '=', `${n}`)
        .execute()
      limits.push(performance.now() - read)
    })
  }
  const ours = percentiles(took).p95
  const limit = percentiles(limits).p95
  return [
    {
      name: 'parcel-shops',
      what: `the nearest of ${shops.toLocaleString('en')} parcel shops, p95`,
      ours: ms(ours),
      limit: `${ms(limit)} one shop by its number`,
      ratio: `${found} of ${searches} searches found 20`,
      goal: '≤ 15 ms',
      ok: ours <= 15 && found === searches,
    },
  ]
}
