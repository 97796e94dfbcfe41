/** The columns of an order file: what each may mean. */
import * as z from 'zod'

/** What a column can mean. The first part belongs to the order, and stands in each of its rows; the second to the line. */
export const orderFields = [
  'order_no',
  'external_id',
  'shop',
  'ordered_at',
  'paid_at',
  'currency',
  'locale',
  'customer_no',
  'vat_no',
  'ship_name',
  'ship_first_name',
  'ship_middle_name',
  'ship_last_name',
  'ship_attention',
  'ship_company',
  'ship_address1',
  'ship_street_number',
  'ship_address2',
  'ship_postcode',
  'ship_city',
  'ship_region',
  'ship_country',
  'ship_phone',
  'ship_email',
  'ship_instruction',
  'ship_door_code',
  'bill_name',
  'bill_first_name',
  'bill_middle_name',
  'bill_last_name',
  'bill_company',
  'bill_address1',
  'bill_street_number',
  'bill_address2',
  'bill_postcode',
  'bill_city',
  'bill_country',
  'shipping_code',
  'shipping_title',
  'service_point_id',
  'service_point_carrier',
  'ship_by',
  'note',
  'tags',
] as const
export const lineFields = [
  'line_id',
  'line_type',
  'items',
  'sku',
  'barcode',
  'name',
  'variant',
  'qty',
  'unit_price_incl_vat',
  'unit_price_excl_vat',
  'line_total_incl_vat',
  'line_total_excl_vat',
  'discount_excl_vat',
  'vat_percent',
  'weight_g',
  'weight_kg',
  'hs_code',
  'origin',
  'customs_text',
  'bin',
  'image_url',
  'serial_required',
] as const
export const CsvField = z.enum([...orderFields, ...lineFields])
export type CsvField = z.infer<typeof CsvField>

export const numberFields = [
  'qty',
  'unit_price_incl_vat',
  'unit_price_excl_vat',
  'line_total_incl_vat',
  'line_total_excl_vat',
  'discount_excl_vat',
  'vat_percent',
  'weight_g',
  'weight_kg',
] as const satisfies readonly CsvField[]
/** Amounts of money; some files write them in cents. */
export const moneyFields = [
  'unit_price_incl_vat',
  'unit_price_excl_vat',
  'line_total_incl_vat',
  'line_total_excl_vat',
  'discount_excl_vat',
] as const satisfies readonly NumberField[]
export type NumberField = (typeof numberFields)[number]
export const dateFields = ['ordered_at', 'paid_at', 'ship_by'] as const satisfies readonly CsvField[]
export type DateField = (typeof dateFields)[number]

/** Columns that are recognised without being read: what they hold helps to understand the others. */
export type OtherColumn = 'order_total' | 'tax_total' | 'shipping_total' | 'qty_open' | 'qty_done'

/** Lower case without accents: `Straße` → `strasse`, `Ærø` → `aero`. */
export const fold = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/ø/g, 'o').replace(/æ/g, 'ae').replace(/ß/g, 'ss').replace(/ł/g, 'l')

/** A header without its case, accents, blanks and signs. */
export const bare = (header: string): string => fold(header).replace(/[^a-z0-9]/g, '')

const fieldsByPath: Record<string, CsvField> = {
  'customer.external_id': 'customer_no',
  'customer.vat_no': 'vat_no',
  'delivery.ship_by': 'ship_by',
  'line.external_id': 'line_id',
  'line.type': 'line_type',
  notes: 'note',
}

/** `ship_to.postcode` → `ship_postcode`, `line.external_id` → `line_id`; empty for what no column holds. */
export function fieldAt(path: string): CsvField | '' {
  const plain = path.replace(/\[.*$/, '')
  const name =
    fieldsByPath[plain] ??
    plain
      .replace(/^(ship|bill)_to\./, '$1_')
      .replace(/^(shipping|service_point)\./, '$1_')
      .replace(/^line\./, '')
  return CsvField.safeParse(name).data ?? ''
}
