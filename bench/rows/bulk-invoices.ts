/** Bulk invoices: what waits beside a million shipments, and one invoice of 5,000 parcels with 12,500 items. */
import { type BenchApp, memory, type Server, type Tenant } from '../bench-app.ts'
import { largeCompany } from '../large-company.ts'
import { load, median, ms, once, type Row } from '../measure.ts'
import { anyIds, api, asAdmin, ask, lookupServer } from '../requests.ts'

/** Parcels that wait: those of the invoice, and to two more countries. */
const waiting = 20_000
const invoiced = 5_000
/** Kilobytes. */
const mostMemory = 60 * 1_024

/** To Norway, Switzerland and the United Kingdom; one parcel of twenty to the last two lacks a tariff code. Two and three items in turn. */
async function fill({ plain }: BenchApp, { scope }: Tenant): Promise<number> {
  const given = [scope.operator_id, scope.company_id]
  await plain.query(
    `insert into bulk_invoice_configs (operator_id, company_id, agent_code, country, active, currency, hs_digits, max_lines, importer, exporter)
     select $1, $2, 'own', country, true, 'DKK', 8, 5000,
       jsonb_build_object('name', 'Fjord', 'address1', 'Kaia 1', 'postcode', '0150', 'city', 'Oslo', 'country', 'NO', 'vat_no', '974760673'),
       jsonb_build_object('name', 'Bench', 'address1', 'Bench Street 1', 'postcode', '5000', 'city', 'Odense', 'country', 'DK', 'vat_no', 'DK12345678')
     from unnest(array['NO', 'CH', 'GB']) country`,
    given,
  )
  await plain.query(
    `create table bench_waiting as
     select *, case when n < ${invoiced} then 'NO' when n % 2 = 0 then 'CH' else 'GB' end country from (
       select id, order_id, row_number() over (order by id desc) - 1 n from shipments where operator_id = $1 and agent_code = 'own'
       order by id desc limit ${waiting}) s`,
    given.slice(0, 1),
  )
  await plain.query(
    `insert into shipment_parties (operator_id, company_id, shipment_id, role, party)
     select $1, $2, id, 'recipient', jsonb_build_object('name', 'Kari', 'postcode', '0155', 'country', country) from bench_waiting`,
    given,
  )
  await plain.query(
    `insert into shipment_lines (operator_id, company_id, shipment_id, line_no, sku, description, quantity, hs_code, origin, value, currency, net_weight_g)
     select $1, $2, w.id, k, 'SKU-' || (n * 3 + k) % 300, 'Product ' || (n * 3 + k) % 300, 1 + n % 2,
       case when n >= ${invoiced} and n % 20 = 0 and k = 1 then null else (61091000 + (n * 3 + k) % 300)::text end, 'PT', 9900 + n % 100, 'DKK', 300
     from bench_waiting w cross join lateral generate_series(1, 2 + n % 2) k`,
    given,
  )
  const { rowCount } = await plain.query(
    `insert into invoice_queue (operator_id, company_id, shipment_id, order_id, agent_code, country, complete, queued_at)
     select $1, $2, id, order_id, 'own', country, not (n >= ${invoiced} and n % 20 = 0), now() - n * interval '1 second' from bench_waiting`,
    given,
  )
  await plain.query('drop table bench_waiting')
  await plain.query('vacuum (analyze) shipment_parties, shipment_lines, invoice_queue, bulk_invoice_configs')
  return rowCount ?? 0
}

export async function bulkInvoices(testApp: BenchApp): Promise<Row[]> {
  const { tenant, shipments } = await largeCompany(testApp)
  const queued = await fill(testApp, tenant)
  const server = await testApp.server()
  return [await counts(testApp, server, tenant, { shipments, queued }), ...(await invoice(server, tenant))]
}

async function counts(
  testApp: BenchApp,
  server: Server,
  tenant: Tenant,
  { shipments, queued }: { shipments: number; queued: number },
): Promise<Row> {
  const ids = await anyIds(testApp, tenant)
  const lookup = await lookupServer(testApp, tenant)
  const tabs = await ask<{ ready: number; incomplete: number }[]>(server.port, tenant, 'GET', 'invoicing/parcel_tabs')
  const counted = tabs.reduce((sum, tab) => sum + tab.ready + tab.incomplete, 0)
  const limits: number[] = []
  const ours: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    limits.push((await load(lookup.url, 1, 2, n => ({ path: `/orders/${ids[n % ids.length]}` }))).p95)
    ours.push((await load(server.url, 1, 3, () => ({ path: api(tenant, 'invoicing/parcel_tabs'), headers: asAdmin(tenant) }))).p95)
  }
  await lookup.close()
  const [limit, took] = [median(limits), median(ours)]
  return {
    name: 'bulk-invoices',
    what: `counts of ${counted.toLocaleString('en')} waiting among ${shipments.toLocaleString('en')} shipments, p95`,
    ours: ms(took),
    limit: `${ms(limit)} Fastify and one look-up`,
    ratio: `${(took / limit).toFixed(1)}×`,
    goal: '≤ 5 ms',
    ok: took <= 5 && counted === queued,
  }
}

interface Invoice {
  id: number
  parcels: number
  lines: number
}

async function invoice(server: Server, tenant: Tenant): Promise<Row[]> {
  const create = (body: object) => ask<Invoice>(server.port, tenant, 'POST', 'invoicing/parcel/own/NO/new', { all: true, ...body })
  const previews: number[] = []
  for (let turn = 0; turn < 3; turn++) {
    const from = performance.now()
    await create({ preview: true })
    previews.push(performance.now() - from)
  }
  const preview = median(previews)
  const from = performance.now()
  const frozen = await create({ freeze: true })
  const froze = performance.now() - from
  const before = await memory(server)
  let most = before
  const watch = setInterval(() => void memory(server).then(now => (most = Math.max(most, now))), 50)
  const papers: number[] = []
  let bytes = 0
  for (let turn = 0; turn < 3; turn++) {
    const begun = performance.now()
    const { status, text } = await once(undefined, '127.0.0.1', server.port, {
      path: api(tenant, `invoicing/download/${frozen.id}`),
      headers: asAdmin(tenant),
    })
    if (status !== 200) throw new Error(`The invoice was answered with ${status}: ${text.slice(0, 300)}`)
    papers.push(performance.now() - begun)
    bytes = text.length
  }
  clearInterval(watch)
  const paper = median(papers)
  const of = `${frozen.parcels.toLocaleString('en')} parcels`
  return [
    {
      name: 'bulk-invoices',
      what: `preview of an invoice of ${of}, ${frozen.lines} lines`,
      ours: ms(preview),
      limit: `${ms(froze)} to issue it`,
      ratio: '',
      goal: '≤ 2 s',
      ok: preview <= 2_000 && frozen.parcels === invoiced,
    },
    {
      name: 'bulk-invoices',
      what: `PDF of it, ${Math.round(bytes / 1_024).toLocaleString('en')} kB`,
      ours: ms(paper),
      limit: '',
      ratio: `+${Math.round((most - before) / 1_024)} MB`,
      goal: '≤ 5 s, ≤ 60 MB',
      ok: paper <= 5_000 && most - before <= mostMemory,
    },
  ]
}
