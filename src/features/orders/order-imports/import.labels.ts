/** What the screens call the fields, rules and findings of an import. */
import { CsvField } from './columns.rules.ts'
import type { Mapping } from './mapping.rules.ts'
import type { UnusedColumn } from './unused-columns.rules.ts'

/** English; the translation keys. */
export const fieldWords: Record<CsvField, string> = {
  order_no: 'Order number',
  external_id: 'Order id of the shop',
  shop: 'Shop',
  ordered_at: 'Ordered at',
  paid_at: 'Paid at',
  currency: 'Currency',
  locale: 'Language',
  customer_no: 'Customer number',
  vat_no: 'VAT number',
  ship_name: 'Recipient: name',
  ship_first_name: 'Recipient: first name',
  ship_middle_name: 'Recipient: middle name',
  ship_last_name: 'Recipient: last name',
  ship_attention: 'Recipient: attention',
  ship_company: 'Recipient: company',
  ship_address1: 'Recipient: address',
  ship_street_number: 'Recipient: house number',
  ship_address2: 'Recipient: address, second line',
  ship_postcode: 'Recipient: postcode',
  ship_city: 'Recipient: city',
  ship_region: 'Recipient: region',
  ship_country: 'Recipient: country',
  ship_phone: 'Recipient: phone',
  ship_email: 'Recipient: e-mail',
  ship_instruction: 'Recipient: instruction',
  ship_door_code: 'Recipient: door code',
  bill_name: 'Billing: name',
  bill_first_name: 'Billing: first name',
  bill_middle_name: 'Billing: middle name',
  bill_last_name: 'Billing: last name',
  bill_company: 'Billing: company',
  bill_address1: 'Billing: address',
  bill_street_number: 'Billing: house number',
  bill_address2: 'Billing: address, second line',
  bill_postcode: 'Billing: postcode',
  bill_city: 'Billing: city',
  bill_country: 'Billing: country',
  shipping_code: 'Shipping code',
  shipping_title: 'Shipping method',
  service_point_id: 'Parcel shop: id',
  service_point_carrier: 'Parcel shop: courier',
  ship_by: 'Ship by',
  note: 'Note',
  tags: 'Tags',
  line_id: 'Line id',
  line_type: 'Kind of line',
  items: 'Several products with quantities',
  sku: 'SKU',
  barcode: 'Barcode',
  name: 'Product name',
  variant: 'Variant',
  qty: 'Quantity',
  unit_price_incl_vat: 'Unit price with VAT',
  unit_price_excl_vat: 'Unit price without VAT',
  line_total_incl_vat: 'Sum of the line with VAT',
  line_total_excl_vat: 'Sum of the line without VAT',
  discount_excl_vat: 'Discount without VAT',
  vat_percent: 'VAT percent',
  weight_g: 'Weight in grams',
  weight_kg: 'Weight in kilograms',
  hs_code: 'Tariff code',
  origin: 'Country of origin',
  customs_text: 'Customs description',
  bin: 'Bin',
  image_url: 'Picture address',
  serial_required: 'Serial number required',
}

/** What rows that are no products are taken as. */
const kindWords: Record<string, string> = { shipping: 'shipping costs', discount: 'discount', fee: 'fee', gift_card: 'gift card' }

/** What a column that is left out seems to hold. */
export const contentWords: Record<UnusedColumn['holds'], string> = {
  amounts: 'amounts',
  numbers: 'numbers',
  dates: 'dates',
  texts: 'texts',
}

/** The values of a finding, with fields and kinds of lines in the reader's words. */
export function spokenValues<V extends string | number | null>(
  values: Record<string, V>,
  t: (sentence: string) => string,
): Record<string, V | string> {
  const field = CsvField.safeParse(values.field).data
  const kind = kindWords[String(values.becomes)]
  return { ...values, ...(field && { field: t(fieldWords[field]) }), ...(kind && { becomes: t(kind) }) }
}

/** Worth a constant where the file has no column for them. */
export const constantFields = [
  'currency',
  'ship_country',
  'qty',
  'shipping_code',
  'vat_percent',
  'locale',
] as const satisfies readonly CsvField[]

export const dateWords: Record<Mapping['dates'], string> = {
  iso: '2026-11-10T10:30, ISO 8601',
  ymd: '2026-11-10, year first',
  dmy: '10-11-2026, day first',
  mdy: '11-10-2026, month first',
}
export const separatorWords = { ';': 'Semicolon ;', ',': 'Comma ,', '\t': 'Tab', '|': 'Bar |' } as const
export const encodingWords = {
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252',
  'windows-1250': 'Windows-1250',
  'utf-16le': 'UTF-16, little endian',
  'utf-16be': 'UTF-16, big endian',
} as const
