/** Medusa 2.12.3 on a scratch database of the embedded PostgreSQL. Its licence is MIT; newer releases name another one, so the version is fixed. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { medusa } from '#integrations/shops/medusa/medusa.ts'
import { startPostgres } from '#platform/postgres/embedded-postgres.ts'
import { askShop, freePort, Scratch, type ScratchShop } from './scratch-shop.ts'

const version = '2.12.3'
const config = `
const { defineConfig } = require('@medusajs/framework/utils')
module.exports = defineConfig({ admin: { disable: true }, projectConfig: { databaseUrl: process.env.DATABASE_URL,
  http: { storeCors: '*', adminCors: '*', authCors: '*', jwtSecret: 'x', cookieSecret: 'x' } } })
`

type Json = Record<string, unknown>
const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], value)

export async function openMedusa(): Promise<ScratchShop> {
  const scratch = new Scratch('medusa')
  let database: Awaited<ReturnType<typeof startPostgres>> | undefined
  const close = async () => {
    await database?.stop()
    await scratch.close()
  }
  try {
    await scratch.install({ '@medusajs/medusa': version, '@medusajs/framework': version, '@medusajs/cli': version })
    scratch.write('medusa-config.js', config)
    mkdirSync(join(scratch.folder, 'src'))
    database = await startPostgres({ dataDir: join(scratch.folder, 'database'), log: () => {}, settings: { fsync: 'off' } })
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const env = { DATABASE_URL: database.url, MEDUSA_DISABLE_TELEMETRY: '1', NODE_ENV: 'development' }
    const cli = join('node_modules', '@medusajs', 'cli', 'cli.js')
    await scratch.run([cli, 'db:migrate', '--skip-links'], env)
    await scratch.run([cli, 'db:sync-links', '--execute-all'], env)
    await scratch.run([cli, 'user', '-e', 'admin@example.test', '-p', 'secret'], env)
    const server = await scratch.serve([cli, 'start', '--port', String(port)], `${url}/health`, env)

    const { body: login } = await askShop(`${url}/auth/user/emailpass`, { body: { email: 'admin@example.test', password: 'secret' } })
    const headers = { authorization: `Bearer ${String(login.token)}` }
    const admin = async (path: string, body?: Json): Promise<Json> => (await askShop(`${url}/admin/${path}`, { headers, body })).body
    const idOf = (answer: Json, name: string) => String(at(answer, name, 'id'))

    const store = String(at(await admin('stores'), 'stores', 0, 'id'))
    const channel = String(at(await admin('sales-channels'), 'sales_channels', 0, 'id'))
    await admin(`stores/${store}`, {
      supported_currencies: [{ currency_code: 'dkk', is_default: true }],
      default_sales_channel_id: channel,
    })
    const region = idOf(
      await admin('regions', { name: 'DK', currency_code: 'dkk', countries: ['dk'], payment_providers: ['pp_system_default'] }),
      'region',
    )
    const location = idOf(
      await admin('stock-locations', { name: 'Odense', address: { address_1: 'Vestergade 1', country_code: 'dk' } }),
      'stock_location',
    )
    await admin(`stock-locations/${location}/sales-channels`, { add: [channel] })
    await admin(`stock-locations/${location}/fulfillment-providers`, { add: ['manual_manual'] })
    const sets = await admin(`stock-locations/${location}/fulfillment-sets?fields=*fulfillment_sets`, { name: 'parcels', type: 'shipping' })
    const set = String(at(sets, 'stock_location', 'fulfillment_sets', 0, 'id'))
    const zones = await admin(`fulfillment-sets/${set}/service-zones`, { name: 'DK', geo_zones: [{ type: 'country', country_code: 'dk' }] })
    const zone = String(at(zones, 'fulfillment_set', 'service_zones', 0, 'id'))
    const profile = String(
      at(await admin('shipping-profiles'), 'shipping_profiles', 0, 'id') ??
        idOf(await admin('shipping-profiles', { name: 'Default', type: 'default' }), 'shipping_profile'),
    )
    const option = idOf(
      await admin('shipping-options', {
        name: 'GLS',
        service_zone_id: zone,
        shipping_profile_id: profile,
        provider_id: 'manual_manual',
        price_type: 'flat',
        type: { label: 'GLS', description: 'GLS', code: 'gls' },
        prices: [{ currency_code: 'dkk', amount: 39 }],
        rules: [{ attribute: 'enabled_in_store', value: 'true', operator: 'eq' }],
      }),
      'shipping_option',
    )
    const product = async (title: string, sku: string, amount: number) =>
      String(
        at(
          await admin('products', {
            title,
            status: 'published',
            shipping_profile_id: profile,
            sales_channels: [{ id: channel }],
            options: [{ title: 'Size', values: ['one'] }],
            variants: [
              { title: 'one', sku, manage_inventory: false, options: { Size: 'one' }, prices: [{ currency_code: 'dkk', amount }] },
            ],
          }),
          'product',
          'variants',
          0,
          'id',
        ),
      )
    const variants = [
      [await product('Towel', 'TOWEL-1', 100), 2],
      [await product('Cup', 'CUP-1', 50), 1],
    ] as const
    const publishable = at(await admin('api-keys', { title: 'store', type: 'publishable' }), 'api_key') as Json
    await admin(`api-keys/${String(publishable.id)}/sales-channels`, { add: [channel] })
    const secret = String(at(await admin('api-keys', { title: 'Pakhus', type: 'secret' }), 'api_key', 'token'))
    const shop = async (path: string, body: Json): Promise<Json> =>
      (await askShop(`${url}/store/${path}`, { headers: { 'x-publishable-api-key': String(publishable.token) }, body })).body

    /** While a step of the order is tried again, Medusa answers a conflict, and may be asked again. */
    const completed = async (path: string): Promise<Json> => {
      for (let tries = 0; ; tries++) {
        try {
          return await shop(path, {})
        } catch (error) {
          if (tries >= 20 || !String(error).includes(': 409 ')) throw error
          await sleep(1_000)
        }
      }
    }

    return {
      connector: medusa,
      url,
      credentials: { api_key: secret },
      wrongCredentials: { api_key: `sk_${'0'.repeat(64)}` },
      async order() {
        const shipping_address = {
          first_name: 'Lene',
          last_name: 'Hansen',
          address_1: 'Skibhusvej 52',
          city: 'Odense',
          postal_code: '5000',
          country_code: 'dk',
        }
        const cart = idOf(await shop('carts', { region_id: region, email: 'lene@example.test', shipping_address }), 'cart')
        for (const [variant_id, quantity] of variants) await shop(`carts/${cart}/line-items`, { variant_id, quantity })
        await shop(`carts/${cart}/shipping-methods`, { option_id: option })
        const payment = idOf(await shop('payment-collections', { cart_id: cart }), 'payment_collection')
        await shop(`payment-collections/${payment}/payment-sessions`, { provider_id: 'pp_system_default' })
        const { order } = await completed(`carts/${cart}/complete`)
        const items = (at(order, 'items') as Json[])
          .toSorted((one, other) => Number(other.quantity) - Number(one.quantity))
          .map(item => String(item.id))
        return { id: String(at(order, 'id')), lines: [items[0] ?? '', items[1] ?? ''] }
      },
      async move(id, street) {
        const read = at(await admin(`orders/${id}`), 'order', 'shipping_address') as Json
        const { first_name, last_name, city, postal_code, country_code } = read
        await admin(`orders/${id}`, { shipping_address: { first_name, last_name, city, postal_code, country_code, address_1: street } })
      },
      async cancel(id) {
        await admin(`orders/${id}/cancel`, {})
      },
      async parcels(id) {
        const fields = 'id,*fulfillments,*fulfillments.items,*fulfillments.labels'
        const fulfilments = at(await admin(`orders/${id}?fields=${fields}`), 'order', 'fulfillments') as Json[]
        return fulfilments
          .filter(one => one.shipped_at !== null)
          .map(one =>
            [
              at(one, 'labels', 0, 'tracking_number'),
              ...(one.items as Json[]).map(item => `${String(item.line_item_id)}×${String(item.quantity)}`),
            ].join(' '),
          )
          .toSorted()
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
