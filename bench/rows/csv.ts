/** The CSV import: file to job to orders, as the import screen does it. */
import { request } from 'node:http'
import type { ImportPreview, OrderImport } from '../../src/features/orders/order-imports/order-imports.schemas.ts'
import type { BenchApp, Tenant } from '../bench-app.ts'
import { per, type Row, rate, share } from '../measure.ts'
import { asAdmin, ask } from '../requests.ts'

const count = 10_000

function file(): string {
  const header =
    'order_no;ordered_at;ship_name;ship_address1;ship_postcode;ship_city;ship_country;ship_phone;ship_email;sku;name;qty;unit_price_incl_vat;vat_percent;weight_g;currency'
  const rows = [header]
  for (let n = 0; n < count; n++)
    for (let k = 0; k < 3; k++)
      rows.push(
        `C${n};2026-11-10 10:30;Lene Hansen;Skibhusvej ${n % 90};5000;Odense C;DK;20123456;lene@example.test;SKU-000${k};Product ${k};1;99,00;25;300;DKK`,
      )
  return `${rows.join('\r\n')}\r\n`
}

export async function importCsv(testApp: BenchApp): Promise<Row[]> {
  const server = await testApp.server()
  const tenant = testApp.tenants[9] as Tenant
  const headers = asAdmin(tenant)
  const { file_id } = await upload(server.port, tenant, headers)
  const preview = await ask<ImportPreview>(server.port, tenant, 'POST', 'order_imports/preview', { file_id })
  const limit =
    100 *
    (await rate(2, 3, n =>
      testApp.plain.query({
        name: 'limit-csv',
        text: `with o as (insert into orders (operator_id, company_id, external_id, order_no, currency, ordered_at, ship_country, ship_to, fingerprint)
                 select $1, $2, $3 || n, $3 || n, 'DKK', now(), 'DK', '{}', sha256(($3 || n)::bytea) from generate_series(1, 100) n returning id)
               insert into order_lines (operator_id, company_id, order_id, line_no, sku, name, qty) select $1, $2, o.id, n, 'SKU-000' || n, 'Product', 1 from o cross join generate_series(1, 3) n`,
        values: [tenant.scope.operator_id, tenant.scope.company_id, `limit-${n}-${Math.random()}-`],
      }),
    ))
  const began = performance.now()
  const { form, mapping } = preview
  const started = await ask<OrderImport>(server.port, tenant, 'POST', 'order_imports', { file_id, form, mapping, keep: false })
  let done = started
  while (!['done', 'failed', 'cancelled'].includes(done.state)) {
    await new Promise(resolve => setTimeout(resolve, 50))
    done = await ask<OrderImport>(server.port, tenant, 'GET', `order_imports/${started.id}`)
  }
  const seconds = (performance.now() - began) / 1_000
  if (done.created !== count) throw new Error(`The import created ${done.created} of ${count} orders`)
  const ours = count / seconds
  return [
    {
      name: 'import-csv',
      what: `import ${count.toLocaleString('en')} orders from CSV, start to end`,
      ours: per(ours),
      limit: `${per(limit)} in 100-order statements`,
      ratio: share(ours / limit),
      goal: '≥ 30 %, aim 60 %',
      ok: ours / limit >= 0.3,
    },
  ]
}

async function upload(port: number, tenant: Tenant, headers: Record<string, string>): Promise<{ file_id: number }> {
  const body = Buffer.from(file())
  return new Promise((resolve, reject) => {
    const post = request(
      {
        hostname: '127.0.0.1',
        port,
        method: 'POST',
        path: `/api/${tenant.main.code}/order_imports/file`,
        headers: { ...headers, 'content-type': 'text/csv', 'content-length': body.length },
      },
      answer => {
        let text = ''
        answer.on('data', part => {
          text += part
        })
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(`The upload answered ${answer.statusCode}: ${text}`)),
        )
      },
    )
    post.on('error', reject)
    post.end(body)
  })
}
