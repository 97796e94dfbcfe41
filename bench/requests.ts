/** Requests of a tenant, and the server that does nothing but look a row up. */
import Fastify from 'fastify'
import type { BenchApp, Tenant } from './bench-app.ts'
import { once } from './measure.ts'

export const asShop = (tenant: Tenant) => ({ host: `${tenant.main.code}.localhost`, authorization: tenant.cms_key })
export const asAdmin = (tenant: Tenant) => ({ host: `${tenant.main.code}.localhost`, authorization: tenant.token })
export const api = (tenant: Tenant, path: string) => `/api/${tenant.main.code}/${path}`

/** Where the orders and parcels of the bench go. */
export const recipient = {
  name: 'Lene Hansen',
  address1: 'Skibhusvej 52',
  postcode: '5000',
  city: 'Odense C',
  country: 'DK',
  phone: '+4520123456',
  email: 'lene@example.test',
}

/** An order as a shop sends it: three lines, paid. */
export const newOrder = (id: string) => ({
  external_id: id,
  order_no: id,
  currency: 'DKK',
  payment_status: 'paid',
  customer: { name: 'Lene Hansen', email: 'lene@example.test' },
  ship_to: recipient,
  lines: [1, 2, 3].map(n => ({
    external_id: `${n}`,
    sku: `SKU-000${n}`,
    name: `Product ${n}`,
    qty: '1',
    unit_price_excl_vat: '79.20',
    vat_percent: '25',
    weight_g: 300,
  })),
})

/** One call of the admin, its answer read as JSON; a refusal is thrown. */
export async function ask<T>(port: number, tenant: Tenant, method: string, path: string, body?: unknown): Promise<T> {
  const { status, text } = await once(undefined, '127.0.0.1', port, {
    method,
    path: api(tenant, path),
    headers: asAdmin(tenant),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text.slice(0, 300)}`)
  return JSON.parse(text) as T
}

/** A web server that does nothing but look one row up: what reading an order is held against. */
export async function lookupServer(testApp: BenchApp, tenant: Tenant): Promise<{ url: string; close(): Promise<void> }> {
  const app = Fastify()
  app.get('/orders/:id', async request => {
    const { rows } = await testApp.plain.query({
      name: 'lookup',
      text: 'select * from orders where operator_id = $1 and id = $2',
      values: [tenant.scope.operator_id, (request.params as { id: string }).id],
    })
    return rows[0]
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  return { url, close: () => app.close() }
}

/** Ids of up to 2,000 orders, spread over all of them. */
export const anyIds = async (testApp: BenchApp, tenant: Tenant, where = 'true'): Promise<number[]> =>
  (
    await testApp.plain.query<{ id: number }>(
      `select id from orders where operator_id = $1 and ${where} order by hashint8(id) limit 2000`,
      [tenant.scope.operator_id],
    )
  ).rows.map(row => row.id)
