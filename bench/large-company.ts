/** One company with as many orders as all others together, and its customers and shipments. */
import { type BenchApp, fillTenant, type Tenant } from './bench-app.ts'

interface LargeCompany {
  tenant: Tenant
  customers: number
  shipments: number
}

const made = new WeakMap<BenchApp, Promise<LargeCompany>>()

/** Filled at first use; the rows of a run share it. */
export function largeCompany(testApp: BenchApp): Promise<LargeCompany> {
  const company = made.get(testApp) ?? make(testApp)
  made.set(testApp, company)
  return company
}

async function make(testApp: BenchApp): Promise<LargeCompany> {
  const tenant = await testApp.newTenant()
  return { tenant, ...(await fill(testApp, tenant, testApp.orders)) }
}

/** Customers are two in five of the orders, shipments thirteen in ten: nine in ten orders have one, two in five have two. */
async function fill({ plain }: BenchApp, { scope }: Tenant, orders: number): Promise<Omit<LargeCompany, 'tenant'>> {
  const { operator_id, company_id } = scope
  const given = [operator_id, company_id]
  const customers = Math.floor(orders * 0.4)
  await plain.query('alter system set synchronous_commit = off')
  await plain.query('select pg_reload_conf()')
  await fillTenant(plain, scope, 0, orders)
  for (let at = 0; at < customers; at += 50_000)
    await plain.query(
      `with n as (
         select i, 'First' || i % 2000 as first, 'Last' || (i::bigint * 7919) % 5000 as last, (1000 + i % 8000)::text as postcode
         from generate_series($3::integer, $4::integer - 1) i),
       made as (
         insert into customers (operator_id, id, root_id, order_count) overriding system value
         select $1, i + 1, i + 1, 1 + i % 9 from n),
       known as (
         insert into customer_companies (operator_id, company_id, customer_id, name, name_key, order_count, first_order_at, last_order_at, sorted_at, listed)
         select $1, $2, i + 1, first || ' ' || last, lower(first || ' ' || last), 1 + i % 9, at, at, at, true
         from n cross join lateral (select timestamptz '2026-01-01' + i * interval '1 minute' as at) t),
       looked as (
         insert into customer_lookups (operator_id, customer_id, seen_by, check_type, check_value)
         select $1, i + 1, array[$2::bigint], 'phone', '+45' || (20000000 + i) from n)
       insert into customer_words (operator_id, company_id, customer_id, words)
       select $1, $2, i + 1, array_to_tsvector(array(select distinct $2::text || '/' || w from unnest(array[
         lower(first), lower(last), postcode, (20000000 + i)::text, '45' || (20000000 + i)]) w)) from n`,
      [...given, at, Math.min(at + 50_000, customers)],
    )
  // A company that was never counted seems to have one order, whatever it has.
  await plain.query('analyze orders, order_lines, customers, products')
  await plain.query('update orders set customer_id = 1 + id % $3::bigint where operator_id = $1 and company_id = $2', [...given, customers])
  // Of the orders that wait one in ten goes with another one.
  await plain.query(
    `update orders set customer_email = null, customer_phone = null, ship_to = ship_to || jsonb_build_object('name', 'First Last', 'address1', 'Street ' || id / 400,
       'postcode', '5000', 'city', 'Odense') where operator_id = $1 and company_id = $2 and phase = 'ready' and id % 200 < 20`,
    given,
  )
  const { rowCount } = await plain.query(
    `insert into shipments (operator_id, company_id, order_id, parcel_no, agent_code, shipping_method, state, idempotency_key, reference, tracking_no, barcode,
       booked_at, handed_over_at)
     select $1, $2, o.id, k, 'own', 'van', case when o.id % 50 = 0 then 'in_transit' else 'delivered' end, gen_random_uuid()::text, o.order_no,
       'T' || o.id || '-' || k, 'B' || o.id || '-' || k, o.ordered_at, o.ordered_at + interval '1 day'
     from orders o cross join generate_series(1, 2) k
     where o.operator_id = $1 and o.company_id = $2 and o.phase = 'handed_over' and (k = 1 or o.id % 9 < 4)`,
    given,
  )
  await plain.query(
    `insert into shipment_exceptions (operator_id, company_id, shipment_id, order_id, kind, opened_at)
     select operator_id, company_id, id, order_id, 'no_movement', handed_over_at from shipments
     where operator_id = $1 and state = 'in_transit' order by id desc limit 2000`,
    [operator_id],
  )
  await countAnew(plain, operator_id)
  await plain.query(
    `insert into order_count_checks (operator_id, company_id, checked_at, by_deadline) values ($1, $2, now(), true)
     on conflict (operator_id, company_id) do update set checked_at = now(), by_deadline = true`,
    given,
  )
  await plain.query(
    'vacuum (analyze) products, product_barcodes, orders, order_lines, order_words, customers, customer_companies, customer_lookups, customer_words, shipments',
  )
  await plain.query('alter system reset synchronous_commit')
  await plain.query('select pg_reload_conf()')
  return { customers, shipments: rowCount ?? 0 }
}

/** A server that runs beside it folds the changes of counts: both tables are written while it waits. */
async function countAnew(plain: BenchApp['plain'], operator_id: number): Promise<void> {
  const client = await plain.connect()
  try {
    await client.query('begin')
    await client.query('lock table order_counts, order_count_changes in exclusive mode')
    for (const table of ['order_counts', 'order_count_changes'])
      await client.query(`delete from ${table} where operator_id = $1`, [operator_id])
    await client.query(
      `insert into order_counts (operator_id, company_id, phase, ship_country, n)
       select operator_id, company_id, phase, case when phase in ('handed_over', 'closed', 'delivered', 'cancelled') then '' else ship_country end, count(*)
       from orders where operator_id = $1 group by 1, 2, 3, 4`,
      [operator_id],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
}
