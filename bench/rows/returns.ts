/** Returns: one of 50,000 is found at the desk by its label or its number, beside a read by primary key. */
import { readScan } from '../../src/features/returns/returns/desk.queries.ts'
import type { BenchApp, Tenant } from '../bench-app.ts'
import { ms, percentiles, type Row } from '../measure.ts'

const returns = 50_000
const scans = 400

async function fill({ plain }: BenchApp, { scope }: Tenant): Promise<void> {
  await plain.query(
    `with made as (
       insert into returns (operator_id, company_id, rma_no, source, status, method, currency)
       select $1, $2, 'R' || lpad(n::text, 7, '0'), 'desk', 'approved', 'label', 'DKK' from generate_series(1, $3::integer) n
       returning operator_id, company_id, id, rma_no)
     insert into return_parcels (operator_id, company_id, return_id, tracking_key, agent_code)
     select operator_id, company_id, id, 'RET' || substr(rma_no, 2), 'bring' from made`,
    [scope.operator_id, scope.company_id, returns],
  )
  await plain.query('analyze returns')
  await plain.query('analyze return_parcels')
}

export async function returnScans(testApp: BenchApp): Promise<Row[]> {
  const tenant = testApp.tenants[8] as Tenant
  await fill(testApp, tenant)
  const took: number[] = []
  const limits: number[] = []
  let found = 0
  for (let n = 0; n < scans; n++) {
    const number = String(((n * 7_919) % returns) + 1).padStart(7, '0')
    await testApp.database.transaction(tenant.scope, async db => {
      const from = performance.now()
      const { return_id } = await readScan(db, n % 2 === 0 ? `RET${number}` : `R${number}`, { scope: tenant.scope })
      took.push(performance.now() - from)
      if (return_id !== null) found++
      const read = performance.now()
      await db
        .selectFrom('returns')
        .selectAll()
        .where('id', '=', return_id ?? 0)
        .execute()
      limits.push(performance.now() - read)
    })
  }
  const ours = percentiles(took).p95
  const limit = percentiles(limits).p95
  return [
    {
      name: 'return-scans',
      what: `a return of ${returns.toLocaleString('en')} by its label or number, p95`,
      ours: ms(ours),
      limit: `${ms(limit)} one return by its id`,
      ratio: `${found} of ${scans} scans found one`,
      goal: '≤ 15 ms',
      ok: ours <= 15 && found === scans,
    },
  ]
}
