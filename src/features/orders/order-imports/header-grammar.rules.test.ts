/** Rules for names of columns that are read part by part. */
import { describe, expect, it } from 'vitest'
import type { Column } from './column-evidence.rules.ts'
import { weighOrderNumbers, weighProductNumbers } from './column-evidence.rules.ts'
import { composedMeanings } from './header-grammar.rules.ts'
import { takeInitials } from './header-initials.rules.ts'
import { meaningsOf } from './header-words.rules.ts'

const first = (header: string) => composedMeanings(header)[0]?.field

describe('a name that is composed of parts', () => {
  it.for<[header: string, field: string]>([
    ['Leverans förnamn', 'ship_first_name'],
    ['Leveringssted', 'ship_city'],
    ['Liefer-Postleitzahl', 'ship_postcode'],
    ['Modtager postnr.', 'ship_postcode'],
    ['deliveries.shippingOrderAddress.zipcode', 'ship_postcode'],
    ['Rechnungsadresse: Straße und Hausnummer', 'bill_address1'],
    ['Förnamn (fakturering)', 'bill_first_name'],
    ['Address_Shipping_Number', 'ship_street_number'],
    ['Kunden-E-Mail', 'ship_email'],
    ['Best.-Nr.', 'order_no'],
    ['Order #', 'order_no'],
    ['Kd.-Nr.', 'customer_no'],
    ['Best. dato', 'ordered_at'],
    ['Creation Date', 'ordered_at'],
    ['Bestellte Menge', 'qty'],
    ['Pris pr. stk.', 'unit_price_excl_vat'],
    ['Stk.pris ex. moms', 'unit_price_excl_vat'],
    ['Produktpreis (inkl. MwSt.)', 'unit_price_incl_vat'],
    ['Artikelpreis', 'unit_price_excl_vat'],
    ['Mva-sats', 'vat_percent'],
    ['Vikt (kg)', 'weight_kg'],
    ['Enhedsvægt (g)', 'weight_g'],
    ['Shipment_Title', 'shipping_title'],
    ['Versandprodukt', 'shipping_title'],
    ['Kundanteckning', 'note'],
    ['Größe', 'variant'],
    ['Angebotstitel', 'name'],
  ])('reads "%s" as %s', ([header, field]) => {
    expect(first(header)).toBe(field)
  })

  it.for([
    'Payment status',
    'Staff note',
    'Supplier item number',
    'Tracking number',
    'Invoice number',
    'Buyer username',
    'Item tax amount',
    'Discount amount',
    'Retail price',
    'Shipping date',
    'Order item id',
  ])('means nothing of an order where a part turns it around: "%s"', header => {
    expect(composedMeanings(header)).toEqual([])
  })

  it.for(['LINE_NO', 'Pos.-Nr.', 'Line No.', 'Radnr'])('is no number of a product where it numbers the rows: "%s"', header => {
    expect(meaningsOf(header)).toEqual([])
  })

  it('means nothing with a part that is not known', () => {
    expect(composedMeanings('Delivery frobnicate city')).toEqual([])
  })

  it.for(['VatMode', 'Order Key'])('is neither a rate nor a number of an order where it is a mode or a key: "%s"', header => {
    expect(meaningsOf(header).filter(({ field }) => field === 'vat_percent' || field === 'order_no')).toEqual([])
  })

  it('says whether a price contains VAT where a part does', () => {
    expect(composedMeanings('Enhetspris eks. mva')[0]).toMatchObject({ field: 'unit_price_excl_vat', vat: 'excl' })
    expect(composedMeanings('Prix article TTC')[0]).toMatchObject({ field: 'unit_price_incl_vat', vat: 'incl' })
    expect(composedMeanings('Item price')[0]).toMatchObject({ field: 'unit_price_excl_vat', vat: null })
  })

  it('is read in time in proportion to its length', () => {
    const started = process.cpuUsage().user
    for (let count = 0; count < 200; count++) composedMeanings('lieferadresse'.repeat(4).slice(0, 59) + '_x'.repeat(3_000))
    expect((process.cpuUsage().user - started) / 1_000).toBeLessThan(2_000)
  })
})

const columns = (table: Record<string, string[]>): Column[] =>
  Object.entries(table).map(([header, cells], place) => ({ place, header, values: [...new Set(cells)], meanings: meaningsOf(header) }))
const rowsOf = (table: Record<string, string[]>) =>
  Object.values(table)[0]!.map((_, row) => Object.values(table).map(cells => cells[row] ?? ''))
const score = (column: Column | undefined, field: string) => column?.meanings.find(meaning => meaning.field === field)?.score ?? 0

describe('initials', () => {
  it('mark the party of an address where several columns share them', () => {
    const found = columns({
      KPLZ: ['9000'],
      KOrt: ['Aalborg'],
      KStrasse: ['Testgade 1'],
      KLPLZ: ['5000'],
      KLOrt: ['Odense'],
      KLStrasse: ['Vej 5'],
    })
    takeInitials(found)
    expect(found.map(({ meanings }) => meanings[0]?.field)).toEqual([
      'bill_postcode',
      'bill_city',
      'bill_address1',
      'ship_postcode',
      'ship_city',
      'ship_address1',
    ])
  })

  it('mark nothing in one column', () => {
    const found = columns({ KOrt: ['Aalborg'] })
    takeInitials(found)
    expect(found[0]?.meanings).toEqual([])
  })
})

describe('several numbers', () => {
  it('prefer the number that the shop gives an order to the id of its database', () => {
    const table = { orderId: ['771', '771', '774'], number: ['1047', '1047', '1048'] }
    const found = columns(table)
    weighOrderNumbers(found, rowsOf(table))
    expect(score(found[1], 'order_no')).toBeGreaterThan(score(found[0], 'order_no'))
  })

  it('prefer the id of an order to the number of its bill', () => {
    const table = { 'Order ID': ['771', '771', '774'], 'Invoice number': ['1047', '1047', '1048'] }
    const found = columns(table)
    weighOrderNumbers(found, rowsOf(table))
    expect(score(found[0], 'order_no')).toBeGreaterThan(score(found[1], 'order_no'))
  })

  it('prefer the number of a product that people wrote to one that a program counted', () => {
    const found = columns({ Artikelnummer: ['410', '417'], Bestandseinheit: ['MUG-01', 'CUP-02'] })
    weighProductNumbers(found)
    expect(score(found[1], 'sku')).toBeGreaterThan(score(found[0], 'sku'))
  })
})
