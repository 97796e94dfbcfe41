/** Vendure 3.5.2 with a database in memory. Its licence is GPL-3.0: it is used for tests and never shipped. */
import { vendure } from '#integrations/shops/vendure/vendure.ts'
import { askShop, freePort, Scratch, type ScratchShop } from './scratch-shop.ts'

const start = `
import { createRequire } from 'node:module'
const require = createRequire(import.meta.url)
const { bootstrap, DefaultLogger, dummyPaymentHandler, LogLevel } = require('@vendure/core')
const { populate } = require('@vendure/core/cli')
// Instead of bcrypt, which is built for each platform.
const passwordHashingStrategy = { hash: async text => 'plain' + text, check: async (text, hash) => hash === 'plain' + text }
const config = {
  apiOptions: { port: Number(process.env.PORT), hostname: '127.0.0.1', adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  logger: new DefaultLogger({ level: LogLevel.Warn }),
  authOptions: { tokenMethod: ['bearer', 'cookie'], superadminCredentials: { identifier: 'superadmin', password: 'superadmin' }, cookieOptions: { secret: 'x' }, passwordHashingStrategy },
  dbConnectionOptions: { synchronize: true, ...JSON.parse(process.env.DATABASE) },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
}
const initialData = {
  defaultLanguage: 'en', defaultZone: 'Europe', collections: [],
  countries: [{ name: 'Denmark', code: 'DK', zone: 'Europe' }],
  taxRates: [{ name: 'Standard Tax', percentage: 25 }],
  shippingMethods: [{ name: 'GLS', price: 3900 }],
  paymentMethods: [{ name: 'Card', handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] } }],
}
await populate(() => bootstrap(config), initialData, './products.csv')
`
const products = `name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets
Towel,towel,Towel,,,,,TOWEL-1,80.00,standard,100,false,,
Cup,cup,Cup,,,,,CUP-1,40.00,standard,100,false,,
`

type Json = Record<string, unknown>
/** A value inside an answer, by names and numbers. */
const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((inner, name) => (inner as Json | undefined)?.[name], value)

type Session = (query: string, variables?: Json) => Promise<Json>

/** Vendure in a scratch folder, with two products, on the database that TypeORM's options name. */
export async function startVendure(scratch: Scratch, packages: Record<string, string>, database: object) {
  await scratch.install({ '@vendure/core': '3.5.2', ...packages })
  scratch.write('start.mjs', start)
  scratch.write('products.csv', products)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const server = await scratch.serve(['start.mjs'], `${url}/health`, { PORT: String(port), DATABASE: JSON.stringify(database) })
  /** One session of an API; the token travels in a header of each answer. */
  const session = (path: string): Session & { token(): string | undefined } => {
    let token: string | undefined
    const ask: Session = async (query, variables = {}) => {
      const { body, headers } = await askShop(`${url}/${path}`, {
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        body: { query, variables },
      })
      token = headers.get('vendure-auth-token') ?? token
      if (body.errors) throw new Error(JSON.stringify(body.errors).slice(0, 500))
      return body.data as Json
    }
    return Object.assign(ask, { token: () => token })
  }
  return { url, server, session }
}

export const signInToVendure = (admin: Session): Promise<Json> =>
  admin('mutation{login(username:"superadmin",password:"superadmin"){...on CurrentUser{id}}}')

const result = '{__typename ...on Order{id state} ...on ErrorResult{errorCode message}}'
/** A mutation of an order: what is no order is a refusal. */
const change = async (name: string, answer: Json) => {
  const said = answer[name] as Json
  if (said.__typename !== 'Order') throw new Error(`${name}: ${String(said.message)}`)
  return said
}

/** The ids of its products, by their number. */
export async function vendureVariants(shop: Session): Promise<Map<string, string>> {
  const found = await shop('{products{items{variants{id sku}}}}')
  const variants = (at(found, 'products', 'items') as Json[]).map(product => at(product, 'variants', 0) as Json)
  return new Map(variants.map(variant => [String(variant.sku), String(variant.id)]))
}

/** A paid order in a session of its own, as a customer places it; its id. */
export async function placeVendureOrder(shop: Session, lines: readonly (readonly [id: string, quantity: number])[]): Promise<string> {
  const add = `mutation($id:ID!,$quantity:Int!){addItemToOrder(productVariantId:$id,quantity:$quantity)${result}}`
  for (const [id, quantity] of lines) await change('addItemToOrder', await shop(add, { id, quantity }))
  const customer = { firstName: 'Lene', lastName: 'Hansen', emailAddress: 'lene@example.test' }
  await change(
    'setCustomerForOrder',
    await shop(`mutation($input:CreateCustomerInput!){setCustomerForOrder(input:$input)${result}}`, { input: customer }),
  )
  const address = { fullName: 'Lene Hansen', streetLine1: 'Skibhusvej 52', city: 'Odense', postalCode: '5000', countryCode: 'DK' }
  await change(
    'setOrderShippingAddress',
    await shop(`mutation($input:CreateAddressInput!){setOrderShippingAddress(input:$input)${result}}`, { input: address }),
  )
  const methods = await shop('{eligibleShippingMethods{id} eligiblePaymentMethods{code}}')
  const method = String(at(methods, 'eligibleShippingMethods', 0, 'id'))
  await change(
    'setOrderShippingMethod',
    await shop(`mutation($id:[ID!]!){setOrderShippingMethod(shippingMethodId:$id)${result}}`, { id: [method] }),
  )
  await change('transitionOrderToState', await shop(`mutation{transitionOrderToState(state:"ArrangingPayment")${result}}`))
  const code = String(at(methods, 'eligiblePaymentMethods', 0, 'code'))
  const input = { method: code, metadata: {} }
  const paid = await change(
    'addPaymentToOrder',
    await shop(`mutation($input:PaymentInput!){addPaymentToOrder(input:$input)${result}}`, { input }),
  )
  return String(paid.id)
}

export async function openVendure(): Promise<ScratchShop> {
  const scratch = new Scratch('vendure')
  try {
    const { url, server, session } = await startVendure(scratch, { 'sql.js': '^1' }, { type: 'sqljs', autoSave: false })
    const admin = session('admin-api')
    await signInToVendure(admin)

    return {
      connector: vendure,
      url,
      credentials: { user: 'superadmin', password: 'superadmin' },
      wrongCredentials: { user: 'superadmin', password: 'wrong-password' },
      async order() {
        const shop = session('shop-api')
        const variants = await vendureVariants(shop)
        const id = await placeVendureOrder(shop, [
          [variants.get('TOWEL-1') ?? '', 2],
          [variants.get('CUP-1') ?? '', 1],
        ])
        const read = await admin('query($id:ID!){order(id:$id){lines{id quantity}}}', { id })
        const lines = (at(read, 'order', 'lines') as Json[])
          .toSorted((one, other) => Number(other.quantity) - Number(one.quantity))
          .map(line => String(line.id))
        return { id, lines: [lines[0] ?? '', lines[1] ?? ''] }
      },
      async move(id, street) {
        const step = `mutation($id:ID!,$state:String!){transitionOrderToState(id:$id,state:$state)${result}}`
        await change('transitionOrderToState', await admin(step, { id, state: 'Modifying' }))
        const input = { orderId: id, dryRun: false, updateShippingAddress: { streetLine1: street } }
        await change('modifyOrder', await admin(`mutation($input:ModifyOrderInput!){modifyOrder(input:$input)${result}}`, { input }))
        await change('transitionOrderToState', await admin(step, { id, state: 'PaymentSettled' }))
      },
      async cancel(id) {
        await change('cancelOrder', await admin(`mutation($id:ID!){cancelOrder(input:{orderId:$id,reason:"test"})${result}}`, { id }))
      },
      async parcels(id) {
        const read = await admin('query($id:ID!){order(id:$id){fulfillments{state trackingCode lines{orderLineId quantity}}}}', { id })
        return (at(read, 'order', 'fulfillments') as Json[])
          .filter(one => one.state === 'Shipped')
          .map(one =>
            [one.trackingCode, ...(one.lines as Json[]).map(line => `${String(line.orderLineId)}×${String(line.quantity)}`)].join(' '),
          )
      },
      pause: () => void process.kill(-(server.pid ?? 0), 'SIGSTOP'),
      resume: () => void process.kill(-(server.pid ?? 0), 'SIGCONT'),
      close: () => scratch.close(),
    }
  } catch (error) {
    await scratch.close()
    throw error
  }
}
