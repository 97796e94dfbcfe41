/**
 * Medusa 2.12.3 on a PostgreSQL of its own in the scratch folder, without Redis: its modules keep events, locks and caches in memory.
 * Source: docs.medusajs.com (installation, admin and store API), and runs of that version.
 */
import { join } from 'node:path'
import { medusa } from '#integrations/shops/medusa/medusa.ts'
import { startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { askShop, freePort, Scratch, type ScratchShop } from './scratch-shop.ts'

const version = '2.12.3'
const config = `
const { defineConfig } = require('@medusajs/framework/utils')
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: { storeCors: '*', adminCors: '*', authCors: '*', jwtSecret: 'x', cookieSecret: 'x' },
  },
})
`
const login = { email: 'admin@example.test', password: 'a-long-password' }

type Json = Record<string, unknown>
/** A value inside an answer, by names and numbers. */
const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], value)
const idOf = (value: unknown, ...path: (string | number)[]): string => {
  const id = at(value, ...path, 'id')
  if (typeof id !== 'string') throw new Error(`no id at ${path.join('.')}: ${JSON.stringify(value).slice(0, 300)}`)
  return id
}

type Ask = (path: string, body?: object) => Promise<Json>

/** What a shop has before its first order: region, channel, stock, delivery, two products and the keys. */
async function furnish(admin: Ask): Promise<{ secret: string; publishable: string; region: string; option: string }> {
  const store = idOf(await admin('/admin/stores'), 'stores', 0)
  await admin(`/admin/stores/${store}`, { supported_currencies: [{ currency_code: 'dkk', is_default: true, is_tax_inclusive: true }] })
  const region = idOf(
    await admin('/admin/regions', {
      ...{ name: 'Denmark', currency_code: 'dkk', countries: ['dk'], payment_providers: ['pp_system_default'] },
      ...{ automatic_taxes: true, is_tax_inclusive: true },
    }),
    'region',
  )
  await admin('/admin/tax-regions', {
    ...{ country_code: 'dk', provider_id: 'tp_system' },
    default_tax_rate: { rate: 25, code: 'moms', name: 'Moms' },
  })
  const channel = idOf(await admin('/admin/sales-channels', { name: 'Web' }), 'sales_channel')
  const location = idOf(await admin('/admin/stock-locations', { name: 'Warehouse' }), 'stock_location')
  await admin(`/admin/stock-locations/${location}/sales-channels`, { add: [channel] })
  await admin(`/admin/stock-locations/${location}/fulfillment-providers`, { add: ['manual_manual'] })
  const stocked = await admin(`/admin/stock-locations/${location}/fulfillment-sets?fields=id,*fulfillment_sets`, {
    ...{ name: 'Delivery', type: 'shipping' },
  })
  const set = idOf(stocked, 'stock_location', 'fulfillment_sets', 0)
  const zoned = await admin(`/admin/fulfillment-sets/${set}/service-zones`, {
    ...{ name: 'Denmark', geo_zones: [{ type: 'country', country_code: 'dk' }] },
  })
  const profile = idOf(await admin('/admin/shipping-profiles', { name: 'Parcels', type: 'default' }), 'shipping_profile')
  const option = idOf(
    await admin('/admin/shipping-options', {
      ...{ name: 'GLS', service_zone_id: idOf(zoned, 'fulfillment_set', 'service_zones', 0), shipping_profile_id: profile },
      ...{ provider_id: 'manual_manual', price_type: 'flat', type: { label: 'GLS', description: 'To the door', code: 'gls' } },
      prices: [{ currency_code: 'dkk', amount: 39 }],
      rules: [{ attribute: 'enabled_in_store', operator: 'eq', value: 'true' }],
    }),
    'shipping_option',
  )
  await admin('/admin/price-preferences', { attribute: 'currency_code', value: 'dkk', is_tax_inclusive: true }).catch(() => undefined)
  for (const [title, sku, amount] of [
    ['Towel', 'TOWEL-1', 100],
    ['Cup', 'CUP-1', 50],
  ] as const)
    await admin('/admin/products', {
      ...{ title, status: 'published', shipping_profile_id: profile, sales_channels: [{ id: channel }] },
      options: [{ title: 'Size', values: ['One'] }],
      variants: [{ title: 'One', sku, manage_inventory: false, options: { Size: 'One' }, prices: [{ currency_code: 'dkk', amount }] }],
    })
  const secret = at(await admin('/admin/api-keys', { title: 'Warehouse', type: 'secret' }), 'api_key', 'token')
  const key = await admin('/admin/api-keys', { title: 'Web', type: 'publishable' })
  await admin(`/admin/api-keys/${idOf(key, 'api_key')}/sales-channels`, { add: [channel] })
  return { secret: String(secret), publishable: String(at(key, 'api_key', 'token')), region, option }
}

export async function openMedusa(): Promise<ScratchShop> {
  const scratch = new Scratch('medusa')
  let postgres: Awaited<ReturnType<typeof startPostgres>> | undefined
  const close = async () => {
    await scratch.end()
    await postgres?.stop()
    await scratch.close()
  }
  try {
    await scratch.install({ '@medusajs/medusa': version, '@medusajs/framework': version, '@medusajs/cli': version })
    postgres = await startPostgres({ dataDir: join(scratch.folder, 'postgres'), log: () => undefined, settings: { fsync: 'off' } })
    scratch.write('medusa-config.js', config)
    scratch.makeFolder('src/api')
    const env = { DATABASE_URL: postgres.url, NODE_ENV: 'production', MEDUSA_DISABLE_TELEMETRY: 'true' }
    const cli = 'node_modules/@medusajs/cli/cli.js'
    await scratch.run([cli, 'db:migrate', '--skip-links'], env)
    await scratch.run([cli, 'db:sync-links', '--execute-all'], env)
    await scratch.run([cli, 'user', '-e', login.email, '-p', login.password], env)
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const server = await scratch.serve([cli, 'start', '--port', String(port)], `${url}/health`, env)
    const { token } = (await askShop(`${url}/auth/user/emailpass`, { body: login })).body
    const asking =
      (headers: Record<string, string>): Ask =>
      async (path, body) =>
        (await askShop(url + path, { headers, ...(body && { body }) })).body
    const admin = asking({ authorization: `Bearer ${String(token)}` })
    const { secret, publishable, region, option } = await furnish(admin)
    const customer = asking({ 'x-publishable-api-key': publishable })
    const { products } = await customer(`/store/products?region_id=${region}&fields=id,*variants`)
    const variants = new Map((products as Json[]).map(product => [String(at(product, 'variants', 0, 'sku')), idOf(product, 'variants', 0)]))
    return {
      connector: medusa,
      url,
      credentials: { api_key: secret },
      wrongCredentials: { api_key: `${secret.slice(0, -4)}0000` },
      async order() {
        const shipping_address = {
          ...{
            first_name: 'Lene',
            last_name: 'Hansen',
            address_1: 'Skibhusvej 52',
            city: 'Odense',
            postal_code: '5000',
            country_code: 'dk',
          },
        }
        const items = [
          { variant_id: variants.get('TOWEL-1'), quantity: 2 },
          { variant_id: variants.get('CUP-1'), quantity: 1 },
        ]
        const cart = idOf(
          await customer('/store/carts', {
            region_id: region,
            email: 'lene@example.test',
            shipping_address,
            billing_address: shipping_address,
            items,
          }),
          'cart',
        )
        await customer(`/store/carts/${cart}/shipping-methods`, { option_id: option })
        const payment = idOf(await customer('/store/payment-collections', { cart_id: cart }), 'payment_collection')
        await customer(`/store/payment-collections/${payment}/payment-sessions`, { provider_id: 'pp_system_default' })
        const id = idOf(await customer(`/store/carts/${cart}/complete`, {}), 'order')
        const read = await admin(`/admin/orders/${id}?fields=id,*items,*items.variant,*payment_collections,*payment_collections.payments`)
        await admin(`/admin/payments/${idOf(read, 'order', 'payment_collections', 0, 'payments', 0)}/capture`, {})
        const line = (sku: string) => idOf((at(read, 'order', 'items') as Json[]).find(item => item.variant_sku === sku) ?? {})
        return { id, lines: [line('TOWEL-1'), line('CUP-1')] }
      },
      async move(id, street) {
        await admin(`/admin/orders/${id}`, { shipping_address: { address_1: street } })
      },
      async cancel(id) {
        await admin(`/admin/orders/${id}/cancel`, {})
      },
      async parcels(id) {
        const { order } = await admin(`/admin/orders/${id}?fields=id,*fulfillments,*fulfillments.items,*fulfillments.labels`)
        return (at(order, 'fulfillments') as Json[])
          .filter(one => one.shipped_at !== null && one.canceled_at === null)
          .map(one =>
            [
              String(at(one, 'labels', 0, 'tracking_number')),
              ...(one.items as Json[]).map(item => `${String(item.line_item_id)}×${String(item.quantity)}`),
            ].join(' '),
          )
      },
      pause: () => void process.kill(-(server.pid ?? 0), 'SIGSTOP'),
      resume: () => void process.kill(-(server.pid ?? 0), 'SIGCONT'),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
