/** The columns of an order file: what each may mean, and by which names it goes in the files of others. */
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
  'ship_attention',
  'ship_company',
  'ship_address1',
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
  'bill_company',
  'bill_address1',
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
const lineFields = [
  'line_id',
  'line_type',
  'sku',
  'barcode',
  'name',
  'variant',
  'qty',
  'unit_price_incl_vat',
  'unit_price_excl_vat',
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
  'discount_excl_vat',
  'vat_percent',
  'weight_g',
  'weight_kg',
] as const satisfies readonly CsvField[]
export type NumberField = (typeof numberFields)[number]
export const dateFields = ['ordered_at', 'paid_at', 'ship_by'] as const satisfies readonly CsvField[]
export type DateField = (typeof dateFields)[number]

/** A header without its case, blanks and signs. */
export const bare = (header: string): string =>
  header
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]/gu, '')

const table = (rows: Partial<Record<CsvField, string>>): Map<string, CsvField> =>
  new Map(Object.entries(rows).flatMap(([field, names]) => names.split(' ').map(name => [name, field as CsvField] as const)))

/** Headers of files that come again and again. A dialect counts where its names fit best; the words of all of them fill what is left. */
export const dialects: { name: string; words: Map<string, CsvField> }[] = [
  { name: 'ours', words: new Map(CsvField.options.map(field => [bare(field), field])) },
  {
    name: 'online_retail',
    words: table({
      order_no: 'invoiceno invoice',
      sku: 'stockcode',
      name: 'description',
      qty: 'quantity',
      ordered_at: 'invoicedate',
      unit_price_excl_vat: 'unitprice price',
      customer_no: 'customerid',
      ship_country: 'country',
    }),
  },
  {
    name: 'convictional',
    words: table({
      order_no: 'code',
      ordered_at: 'date',
      sku: 'sku',
      qty: 'quantity',
      ship_name: 'name',
      ship_company: 'company',
      ship_city: 'city',
      ship_postcode: 'zip',
      ship_region: 'state',
      ship_country: 'country',
      ship_address1: 'addressone',
      ship_address2: 'addresstwo',
      tags: 'partner',
    }),
  },
]
/** What columns are called in any file. */
export const commonWords = table({
  order_no: 'ordernumber orderid order invoiceno invoicenumber reference ordrenummer ordrenr bestellnummer bestillingsnummer ordernummer',
  ordered_at: 'orderdate date createdat ordredato dato bestelldatum datum orderdatum',
  currency: 'currencycode valuta währung',
  customer_no: 'customerid customernumber customer kundenummer kundenr kundennummer kundnummer',
  ship_name: 'recipient recipientname shiptoname shippingname deliveryname modtager empfänger mottaker mottagare navn',
  ship_attention: 'shipattn attention attn att deliverycontactname',
  ship_company: 'company companyname firma virksomhed företag',
  ship_address1: 'address1 address shipaddress shippingaddress1 shipaddressline1 deliveryaddress street adresse adress strasse straße',
  ship_address2: 'address2 shippingaddress2 shipaddressline2 deliveryaddress2',
  ship_postcode: 'postcode postalcode zip zipcode shipzip shipzipcode shippingzip deliveryzipcode postnummer postnr plz',
  ship_city: 'city town shippingcity deliverycity by ort poststed stad',
  ship_region: 'state province region shipstate shippingprovince deliveryregion',
  ship_country: 'country countrycode shippingcountry deliverycountry land',
  ship_phone: 'phone telephone mobile shippingphone telefon mobil',
  ship_email: 'email emailaddress mail epost',
  bill_name: 'invoicename billingname',
  bill_address1: 'invoiceaddress billingaddress1',
  bill_address2: 'invoiceaddress2 billingaddress2',
  bill_postcode: 'invoicezipcode billingzip',
  bill_city: 'invoicecity billingcity',
  bill_country: 'invoicecountry billingcountry',
  shipping_title: 'shippingmethod shipping leveringsmetode versandart',
  note: 'notes comment comments customerremarks bemærkning bemerkung kommentar',
  tags: 'tag labels',
  sku: 'productsku itemsku lineitemsku productcode itemcode articleno articlenumber stockcode varenummer varenr artikelnummer artikelnr',
  barcode: 'ean ean13 gtin upc stregkode strekkode streckkod',
  name: 'productname itemname lineitemname title description product varenavn beskrivelse bezeichnung artikel benämning',
  qty: 'quantity productqty itemqty lineitemquantity amount antal menge antall',
  unit_price_incl_vat: 'priceinclvat priceincltax',
  unit_price_excl_vat: 'priceexclvat priceexcltax unitprice price lineitemprice pris preis',
  vat_percent: 'vat vatrate tax taxrate moms momssats mwst',
  weight_g: 'weightgrams grams vægtg',
  weight_kg: 'weightkilograms kg vægtkg',
  hs_code: 'hscode tariff tariffcode commoditycode varekode zolltarifnummer',
  origin: 'countryoforigin oprindelsesland ursprungsland',
  bin: 'location shelf lagerplads lagerplatz',
  image_url: 'image picture imagesrc',
})

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
