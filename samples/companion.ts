/**
 * Gives an order file that has no addresses, barcodes, bins and weights invented ones, so that it can be packed for trying:
 *
 *     node samples/companion.ts samples/online-shop.csv > orders.csv
 *
 * Reads any file that the import screen reads and writes the project's own order CSV. The same file always gives the same addresses.
 * Rows that are no order (cancellations, refused rows) are left out and told on standard error.
 */
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { stringify } from 'csv-stringify'
import { interpolate } from '#contract/errors.ts'
import { spreadsheetSafe } from '#domain/csv-text.ts'
import type { CanonicalOrder } from '#domain/order/canonical-order.ts'
import { rowReader } from '#features/orders/order-imports/order-rows.rules.ts'
import { examine, groupRows, readRows, textOf, underHeader } from '#platform/csv/csv-rows.ts'

const columns = [
  'order_no',
  'ordered_at',
  'ship_name',
  'ship_company',
  'ship_address1',
  'ship_address2',
  'ship_postcode',
  'ship_city',
  'ship_country',
  'ship_phone',
  'ship_email',
  'shipping_code',
  'service_point_id',
  'sku',
  'barcode',
  'name',
  'qty',
  'unit_price_incl_vat',
  'vat_percent',
  'weight_g',
  'hs_code',
  'origin',
  'currency',
  'note',
  'bin',
  'line_type',
  'customer_no',
]

function rowsOf(order: CanonicalOrder): string[][] {
  const { ship_to } = order
  return order.lines.map(line =>
    [
      order.order_no,
      order.ordered_at,
      ship_to.name,
      ship_to.company,
      ship_to.address1,
      ship_to.address2,
      ship_to.postcode,
      ship_to.city,
      ship_to.country,
      ship_to.phone,
      ship_to.email,
      order.shipping?.code,
      order.service_point?.id,
      line.sku,
      line.barcode,
      line.name,
      line.qty,
      line.unit_price_incl_vat ?? line.unit_price_excl_vat,
      line.vat_percent,
      line.weight_g,
      line.hs_code,
      line.origin,
      order.currency,
      order.notes[0]?.text,
      line.bin,
      line.type,
      order.customer?.external_id,
    ].map(value => spreadsheetSafe(String(value ?? ''))),
  )
}

const [file] = process.argv.slice(2)
if (!file) {
  console.error('Which file? For example: node samples/companion.ts samples/online-shop.csv > orders.csv')
  process.exit(2)
}

const beginning = Buffer.alloc(1_048_576)
const opened = await open(file)
const { bytesRead } = await opened.read(beginning, 0, beginning.length, 0)
const { size } = await opened.stat()
await opened.close()
const { form, mapping } = await examine(beginning.subarray(0, bytesRead), { timeZone: 'Europe/London', whole: size === bytesRead })

const { headers, rows } = await underHeader(readRows(textOf(createReadStream(file), form.encoding), form))
const reader = rowReader(headers, {
  ...mapping,
  constants: { ship_country: 'GB', currency: 'GBP', ...mapping.constants },
  invent: { addresses: true, products: true },
})
const output = stringify({ delimiter: ';', header: true, columns })
output.pipe(process.stdout)
for await (const group of groupRows(rows, reader)) {
  const reading = reader.toCanonical(group)
  for (const problem of reading.problems) {
    if (problem.severity !== 'noted') console.error(`Row ${problem.row}: ${interpolate(problem.text, problem.values)}`)
  }
  if (reading.order) for (const row of rowsOf(reading.order)) output.write(row)
}
output.end()
