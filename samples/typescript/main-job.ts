/**
 * The main job with a client that a generator makes of Pakhus' own description: a shop's order becomes a packed, labelled, printed and
 * followed parcel.
 *
 *     npm install
 *     curl -o openapi.json http://127.0.0.1:8080/openapi.json
 *     npm run generate
 *     PAKHUS_URL=http://127.0.0.1:8080/api/demo PAKHUS_ADMIN_TOKEN=… PAKHUS_PACKER_TOKEN=… node main-job.ts
 *
 * A token is what `POST session` answers. Exits 0 only if the parcel was labelled and printed.
 */
import { randomUUID } from 'node:crypto'
import createClient, { type Client } from 'openapi-fetch'
import type { paths } from './pakhus.ts'

const baseUrl = setting('PAKHUS_URL')
const station = 'Main job'
const admin = clientOf(setting('PAKHUS_ADMIN_TOKEN'))
const packer = clientOf(setting('PAKHUS_PACKER_TOKEN'))

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`Set ${name}`)
  return value
}

function clientOf(token: string): Client<paths> {
  return createClient<paths>({ baseUrl, headers: { authorization: token, 'x-packing-station': encodeURIComponent(station) } })
}

/** The answer of a call; a refusal is thrown as its code and the server's sentence. */
function answerOf<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (data === undefined) throw new Error(`refused: ${JSON.stringify(error)}`)
  return data
}

console.log('1. A key for the shop')
const { key } = answerOf(await admin.POST('/cms/authorization', { body: { name: `Main job ${randomUUID()}` } }))

console.log('2. The shop sends an order')
const number = `MJ-${Date.now()}`
const shop = clientOf(key)
const { orders } = answerOf(
  await shop.POST('/cms/orders', {
    body: {
      external_id: number,
      order_no: number,
      currency: 'DKK',
      payment_status: 'paid',
      ship_to: { name: 'Lene Holm', address1: 'Skibhusvej 52', postcode: '5000', city: 'Odense C', country: 'DK', phone: '+4520123456' },
      lines: [
        {
          external_id: '1',
          sku: 'MJ-MUG',
          barcode: '2000000041001',
          name: 'Enamel mug',
          qty: 2,
          unit_price_excl_vat: '60.00',
          weight_g: 310,
        },
        {
          external_id: '2',
          sku: 'MJ-CANDLE',
          barcode: '2000000041049',
          name: 'Beeswax candle',
          qty: 1,
          unit_price_excl_vat: '79.20',
          weight_g: 240,
        },
      ],
    },
  }),
)
const id = orders[0]?.order_id
if (!id) throw new Error(`The order was not taken: ${JSON.stringify(orders)}`)

console.log('3. The packer opens it and scans every piece')
answerOf(await packer.POST('/packing/order_start/{id}', { params: { path: { id } }, body: { station, take_over: true } }))
let result = ''
for (const code of ['2000000041001', '2000000041001', '2000000041049']) {
  const scan = answerOf(await packer.POST('/packing/order/{id}/scan', { params: { path: { id } }, body: { scan_id: randomUUID(), code } }))
  result = scan.result
  console.log(`   ${code}: ${result}`)
}
if (result !== 'order_done') throw new Error(`The last scan did not finish the order: ${result}`)

console.log('4. The parcel is closed, its label booked and printed')
const { printers } = answerOf(await packer.GET('/print_node/printers/list'))
const printer = printers.find(one => one.kind === 'file' && one.paper === 'label')
if (!printer) throw new Error('There is no label printer')
const closed = answerOf(
  await packer.POST('/packing/order/{id}/close', { params: { path: { id } }, body: { label_printer_id: printer.id } }),
)
console.log(`   ${closed.outcome}`)
if (closed.outcome !== 'labelled' && closed.outcome !== 'label_check') throw new Error(`Closing ended as ${closed.outcome}`)
if (closed.print_jobs.length === 0) throw new Error('The label was not printed')

console.log('5. What the recipient sees')
const [parcel] = answerOf(await packer.GET('/label_status/order/{ids}', { params: { path: { ids: String(id) } } }))
if (!parcel?.tracking_url) throw new Error('The parcel has no tracking page')
const link = new URL(parcel.tracking_url).searchParams
const recipient = createClient<paths>({ baseUrl })
const page = answerOf(await recipient.GET('/tracking/order', { params: { query: { o: Number(link.get('o')), s: link.get('s') ?? '' } } }))
if (!page.parcels.some(one => one.tracking_no === parcel.tracking_no)) throw new Error('The tracking page does not know the parcel')
console.log(`   ${parcel.tracking_url}`)
console.log('Done: labelled, printed and on the tracking page.')
