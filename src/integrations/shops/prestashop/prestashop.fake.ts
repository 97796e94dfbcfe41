/** PrestaShop on the loopback, as its documents describe the web service. It keeps its own books; times are those of a clock in Copenhagen. */
import { type FakeReply, type FakeRequest, openFakeCourier } from '../../couriers/courier-server.fake.ts'
import type { Json } from '../shop-order.ts'
import { type FakeShop, fakeClock, faultsMeet } from '../shop-server.fake.ts'
import { localTime, prestashop } from './prestashop.ts'

type Row = Record<string, unknown> & { id: string }
const zone = 'Europe/Copenhagen'

export const prestashopStates: Row[] = [
  { id: '1', name: 'Awaiting check payment', shipped: '0', paid: '0', deleted: '0' },
  { id: '2', name: 'Payment accepted', shipped: '0', paid: '1', deleted: '0' },
  { id: '3', name: 'Processing in progress', shipped: '0', paid: '1', deleted: '0' },
  { id: '4', name: [{ id: '1', value: 'Shipped' }], shipped: '1', paid: '1', deleted: '0' },
  { id: '5', name: 'Delivered', shipped: '1', paid: '1', deleted: '0' },
  { id: '6', name: 'Canceled', shipped: '0', paid: '0', deleted: '0' },
  { id: '7', name: 'Refunded', shipped: '0', paid: '0', deleted: '0' },
  { id: '15', name: 'Old', shipped: '0', paid: '0', deleted: '1' },
]

export const prestashopAddress: Row = {
  id: '21',
  id_customer: '9',
  id_country: '20',
  company: '',
  firstname: 'Lene',
  lastname: 'Hansen',
  vat_number: '',
  address1: 'Skibhusvej 52',
  address2: '2. tv',
  postcode: '5000',
  city: 'Odense C',
  other: '',
  phone: '66 12 34 56',
  phone_mobile: '12 34 56 78',
}

export function prestashopRow(over: Json & { id: string }): Json {
  return {
    product_id: '93',
    product_attribute_id: '0',
    product_quantity: '2',
    product_name: 'Linen tea towel',
    product_reference: `SKU-${over.id}`,
    product_ean13: '',
    product_upc: '',
    product_price: '40.000000',
    unit_price_tax_incl: '50.000000',
    unit_price_tax_excl: '40.000000',
    ...over,
  }
}

export function prestashopOrder(over: Json = {}): Row {
  return {
    id: '7',
    reference: 'XKBKNABJK',
    id_address_delivery: '21',
    id_address_invoice: '21',
    id_currency: '1',
    id_customer: '9',
    id_carrier: '3',
    id_shop: '1',
    current_state: '2',
    module: 'quickpay',
    payment: 'Kort',
    date_add: '2026-11-10 11:30:00',
    date_upd: '2026-11-10 11:31:12',
    gift: '0',
    gift_message: '',
    total_paid_real: '139.000000',
    total_paid_tax_incl: '139.000000',
    total_paid_tax_excl: '111.200000',
    total_shipping_tax_incl: '39.000000',
    total_shipping_tax_excl: '31.200000',
    total_discounts_tax_incl: '0.000000',
    total_discounts_tax_excl: '0.000000',
    total_wrapping_tax_incl: '0.000000',
    total_wrapping_tax_excl: '0.000000',
    carrier_tax_rate: '25.000',
    associations: { order_rows: [prestashopRow({ id: '70' })] },
    ...over,
  }
}

export const prestashopCustomer: Row = { id: '9', firstname: 'Lene', lastname: 'Hansen', email: 'lene@example.test' }
export const prestashopCarrier: Row = { id: '3', id_reference: '2', name: 'GLS Pakkeshop' }

const refused = (status: number, message: string): FakeReply => ({ status, body: { errors: [{ code: status, message }] } })
const inner = (xml: string, name: string): string | undefined => new RegExp(`<${name}>(?:<!\\[CDATA\\[)?([^<\\]]*)`).exec(xml)?.[1]

export type FakePrestashop = FakeShop & {
  resources: Record<string, Row[]>
  /** Mails to customers, with the number that stood in the order at that moment. */
  mails: string[]
  clock: ReturnType<typeof fakeClock>
}

export async function openFakePrestashop(): Promise<FakePrestashop> {
  const clock = fakeClock()
  const key = 'PRESTASHOPKEYOFTHEWEBSERVICE0001'
  const mails: string[] = []
  const now = () => localTime(Date.parse(clock.tick()), zone)
  const resources: Record<string, Row[]> = {
    orders: [],
    addresses: [],
    customers: [{ ...prestashopCustomer }],
    currencies: [{ id: '1', iso_code: 'DKK' }],
    countries: [{ id: '20', iso_code: 'DK' }],
    carriers: [{ ...prestashopCarrier }],
    order_states: prestashopStates,
    order_carriers: [],
    order_histories: [],
  }
  const find = (resource: string, id: string | undefined) => resources[resource]?.find(row => row.id === id)

  function list(resource: string, query: URLSearchParams): FakeReply {
    let rows = [...resources[resource]!]
    for (const [name, value] of query) {
      const field = /^filter\[(\w+)\]$/.exec(name)?.[1]
      if (field === undefined) continue
      if (field.startsWith('date_') && query.get('date') !== '1')
        return refused(400, `This filter does not exist. Did you mean: "date"? The parameter date is missing for ${field}`)
      const [, after, words = ''] = /^(>?)\[(.*)\]$/.exec(value) ?? []
      if (after === '>') rows = rows.filter(row => String(row[field]) > words)
      else if (words.includes(','))
        rows = rows.filter(row => String(row[field]) >= words.split(',')[0]! && String(row[field]) <= words.split(',')[1]!)
      else rows = rows.filter(row => words.split('|').includes(String(row[field])))
    }
    const sort = /^\[(\w+)_ASC,id_ASC\]$/.exec(query.get('sort') ?? '')?.[1]
    if (sort !== undefined)
      rows.sort((one, other) =>
        String(one[sort]) < String(other[sort]) ? -1 : String(one[sort]) > String(other[sort]) ? 1 : Number(one.id) - Number(other.id),
      )
    const [first = '0', second] = (query.get('limit') ?? '').split(',')
    if (query.has('limit'))
      rows = second === undefined ? rows.slice(0, Number(first)) : rows.slice(Number(first), Number(first) + Number(second))
    if (rows.length === 0) return { body: '[]' }
    return { body: { [resource]: query.get('display') === 'full' ? rows : rows.map(({ id }) => ({ id })) } }
  }

  function answer({ method, path, query, headers, text }: FakeRequest): FakeReply {
    if (headers.authorization !== `Basic ${Buffer.from(`${key}:`).toString('base64')}`)
      return { status: 401, body: { errors: [{ code: 401, message: 'Invalid authentication key format' }] } }
    const [, resource = '', id] = /^\/api\/(\w+)(?:\/(\d+))?$/.exec(path) ?? []
    if (!resources[resource]) return refused(400, 'Resource of type "%s" does not exist'.replace('%s', resource))
    if (method === 'GET') {
      if (headers['output-format'] !== 'JSON') return { body: '<prestashop/>' }
      if (id === undefined) return list(resource, query)
      const row = find(resource, id)
      return row ? { body: { order: row } } : refused(404, 'This order does not exist')
    }
    if (!/^<\?xml/.test(text)) return refused(400, 'XML error : Start tag expected')
    if (method === 'PUT' && resource === 'order_carriers') {
      const row = find(resource, id)
      if (!row || inner(text, 'id') !== id) return refused(404, 'id is invalid')
      if (!inner(text, 'id_order') || !inner(text, 'id_carrier')) return refused(400, 'Validation error: "id_order" property is required')
      const number = inner(text, 'tracking_number') ?? ''
      if (number.length > 64) return refused(400, 'Validation error: "tracking_number" property is too long')
      // What is left out of a change is emptied.
      for (const name of Object.keys(row)) row[name] = inner(text, name) ?? ''
      const order = find('orders', String(row.id_order))
      if (order) order.date_upd = now()
      return { body: `<?xml version="1.0"?><prestashop><order_carrier><id><![CDATA[${id}]]></id></order_carrier></prestashop>` }
    }
    if (method === 'POST' && resource === 'order_histories') {
      const order = find('orders', inner(text, 'id_order'))
      const state = inner(text, 'id_order_state') ?? ''
      if (!order || !find('order_states', state)) return refused(400, 'Validation error: "id_order_state" property is not valid')
      const history = { id: String(resources.order_histories!.length + 1), id_order: order.id, id_order_state: state }
      resources.order_histories!.push(history)
      Object.assign(order, { current_state: state, date_upd: now() })
      const row = resources.order_carriers!.find(carrier => carrier.id_order === order.id)
      if (query.get('sendemail') === '1') mails.push(`${state} ${row?.tracking_number}`)
      return {
        status: 201,
        body: `<?xml version="1.0"?><prestashop><order_history><id><![CDATA[${history.id}]]></id></order_history></prestashop>`,
      }
    }
    return refused(405, `Method ${method} is not allowed for this resource`)
  }

  const orderOf = (id: string) => find('orders', id)!
  const shop: FakePrestashop = {
    connector: prestashop,
    server: await openFakeCourier(answer, request => faultsMeet(shop, request, request.method !== 'GET')),
    credentials: { key },
    settings: { pack_unpaid: 'no', time_zone: zone, shop_id: '', shipped_state: '4', cancelled_state: '6', refunded_state: '7' },
    faultsOf: 'questions',
    resources,
    mails,
    clock,
    place() {
      const id = String(resources.orders!.length + 1)
      const at = now()
      const lines: [string, string] = [`${id}0`, `${id}1`]
      const order_rows = [prestashopRow({ id: lines[0] }), prestashopRow({ id: lines[1], product_quantity: '1', product_name: 'Cup' })]
      const place = { id_address_delivery: `1${id}`, id_address_invoice: `1${id}` }
      resources.addresses!.push({ ...prestashopAddress, id: `1${id}` })
      resources.orders!.push(
        prestashopOrder({ id, reference: `REF${id}`, ...place, date_add: at, date_upd: at, associations: { order_rows } }),
      )
      resources.order_carriers!.push({
        id,
        id_order: id,
        id_carrier: '3',
        id_order_invoice: '0',
        weight: '0.4',
        tracking_number: '',
        date_add: at,
      })
      return { id, lines }
    },
    move(id, street) {
      find('addresses', `1${id}`)!.address1 = street
      orderOf(id).date_upd = now()
    },
    cancel: id => void Object.assign(orderOf(id), { current_state: '6', date_upd: now() }),
    spoil: id => void Object.assign(orderOf(id), { id_currency: '0', date_upd: now() }),
    parcels: id =>
      String(resources.order_carriers!.find(row => row.id_order === id)?.tracking_number ?? '')
        .split(', ')
        .filter(Boolean),
    notes: () => [],
    isSent: id => ['4', '5'].includes(String(orderOf(id).current_state)),
    close: () => shop.server.close(),
  }
  return shop
}
