/** A mapping is proposed from what a file shows, and is refused where the file does not bear it out. */
import { describe, expect, it } from 'vitest'
import { interpolate } from '#contract/errors.ts'
import { columnDoubts } from './column-doubts.rules.ts'
import { Mapping, mappingProblems } from './mapping.rules.ts'
import { refreshMapping, suggestMapping } from './suggested-mapping.rules.ts'

const ours =
  'order_no;ordered_at;ship_name;ship_company;ship_address1;ship_address2;ship_postcode;ship_city;ship_country;ship_phone;ship_email;shipping_code;service_point_id;sku;barcode;name;qty;unit_price_incl_vat;vat_percent;weight_g;hs_code;origin;currency;note'.split(
    ';',
  )

describe('the suggested mapping', () => {
  const suggested = (headers: string, ...rows: string[]) =>
    suggestMapping(
      headers.split(','),
      rows.map(row => row.split(',')),
    )

  it('knows our own columns', () => {
    const { mapping, doubts } = suggestMapping(ours, [])
    expect(mapping.columns).toEqual(Object.fromEntries(ours.map(name => [name, name])))
    expect(doubts).toEqual([])
  })

  const line = 'Order number,SKU,Name,Qty,Shipping name,Shipping address,Shipping zip,Shipping city,Shipping country'
  const row = (order: string) => `${order},MUG-01,Mug,2,Lene Hansen,Prøvevej 5,5000,Odense C,DK`
  const fieldsOf = (doubts: { field: string }[]) => doubts.map(({ field }) => field)

  it.each([
    ['Tax: Included', 'TRUE', 'unit_price_incl_vat'],
    ['Prices include tax', 'no', 'unit_price_excl_vat'],
    ['net', '0', 'unit_price_incl_vat'],
    ['net', '1', 'unit_price_excl_vat'],
  ])('knows from a column %s that says %s whether prices contain VAT', (header, answer, field) => {
    const { mapping, doubts } = suggested(`${line},Price,${header}`, `${row('1001')},9.50,${answer}`, `${row('1002')},9.50,${answer}`)
    expect(mapping.columns.Price).toBe(field)
    expect(fieldsOf(doubts)).not.toContain('unit_price_excl_vat')
  })

  it('asks about VAT where orders differ in what their prices contain', () => {
    const { doubts } = suggested(`${line},Price,net`, `${row('1001')},9.50,0`, `${row('1002')},9.50,1`)
    expect(fieldsOf(doubts)).toContain('unit_price_excl_vat')
  })

  it('takes the currency from a sign in the name of a price', () => {
    const { mapping } = suggested(`${line},Price (£)`, `${row('1001')},9.50`)
    expect(mapping.constants.currency).toBe('GBP')
  })

  it('does not ask about the address of the carrier', () => {
    const { doubts } = suggested(
      `${line},Price incl VAT,Currency,carrier_address,carrier_postalcode`,
      `${row('1001')},9.50,EUR,Kokmose 3,6000`,
      `${row('1002')},9.50,EUR,Vejen 7,7000`,
    )
    expect(doubts).toEqual([])
  })

  it('takes a column Name whose cells are all countries for the country, where no other column is one', () => {
    const address = 'reference,firstname,lastname,address1,postcode,city,name,product_reference,product_name,product_quantity'
    const cells = (order: string, country: string) => `${order},Lene,Hansen,Prøvevej 5,5000,Odense C,${country},MUG-01,Mug,2`
    expect(suggested(address, cells('A1', 'Danemark'), cells('A2', 'France')).mapping.columns.name).toBe('ship_country')
    const both = suggested(`${address},country`, `${cells('A1', 'Danemark')},DK`, `${cells('A2', 'France')},FR`)
    expect(both.mapping.columns.country).toBe('ship_country')
  })

  it('says that prices are missing, and that no person knows the products, where the items of a cell are identities', () => {
    const { doubts } = suggestMapping(
      ['Order number', 'Items', 'Shipping name', 'Shipping address', 'Shipping zip', 'Shipping city', 'Shipping country', 'Currency'],
      [
        [
          '1001',
          '2x 0189f3ac41d77e0b9a1c55d2e8f06b11|1x 0189f3ac52aa7c3f8b20d9a4c7e15f22',
          'Lene Hansen',
          'Prøvevej 5',
          '5000',
          'Odense C',
          'DK',
          'EUR',
        ],
        ['1002', '1x 0189f3ac41d77e0b9a1c55d2e8f06b11', 'Ida Holm', 'Torvet 1', '7100', 'Vejle', 'DK', 'EUR'],
      ],
    )
    expect(fieldsOf(doubts).toSorted()).toEqual(['sku', 'unit_price_excl_vat'])
  })

  it('finds charges, cancellations and bookkeeping in the rows, whatever shop they are from', () => {
    const { mapping, doubts } = suggested(
      'InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country',
      ...Array.from({ length: 12 }, (_, at) => `${500 + at},A${at},Mug,2,12-01-2010 08:26,2.55,17850,EIRE`),
      '500,POST,POSTAGE,1,12-01-2010 08:26,18.00,17850,EIRE',
      '500,X,Shipping box,1,12-01-2010 08:27,1.00,17850,EIRE',
      '501,V,Fragt,1,12-05-2010 08:26,18.00,17850,EIRE',
      '501,D,Discount,1,12-05-2010 08:26,-1.00,17850,EIRE',
      'C502,A1,Mug,-2,12-05-2010 08:26,2.55,17850,EIRE',
      '503,A9,,3,12-05-2010 08:26,0.00,,EIRE',
    )
    expect(mapping).toMatchObject({
      columns: {
        InvoiceNo: 'order_no',
        StockCode: 'sku',
        Description: 'name',
        Quantity: 'qty',
        InvoiceDate: 'ordered_at',
        UnitPrice: 'unit_price_excl_vat',
        CustomerID: 'customer_no',
        Country: 'ship_country',
      },
      constants: {},
      dates: 'mdy',
      conflicts: 'first',
      cancellation_prefix: 'C',
      no_description: 'leave_out',
      non_products: [
        { sku: 'POST', becomes: 'shipping' },
        { sku: 'V', becomes: 'shipping' },
        { sku: 'D', becomes: 'discount' },
      ],
    })
    expect(doubts.map(doubt => doubt.field)).toContain('ordered_at')
  })

  it('takes rows with the code of a charge for charges, whatever they are called', () => {
    const { mapping } = suggested('Order,SKU,Name,Quantity', '1,A,Mug,2', '1,SHIPPING1,Packeta,1', '1,BILLING2,By transfer,1', '2,B,Cup,1')
    expect(mapping.non_products).toEqual([
      { sku: 'SHIPPING1', becomes: 'shipping' },
      { sku: 'BILLING2', becomes: 'fee' },
    ])
  })

  it('takes letters before order numbers for cancellations only where they mark all negative quantities', () => {
    const prefix = (...rows: string[]) => suggested('Order,SKU,Quantity', ...rows).mapping.cancellation_prefix
    expect(prefix('1,A,2', 'R2,A,-1')).toBe('R')
    expect(prefix('C1,A,2', 'C2,A,-1')).toBe('')
    expect(prefix('1,A,2', 'R2,A,-1', 'S3,A,-1')).toBe('')
    expect(prefix('R1,A,-2')).toBe('')
  })

  it('takes currency and country from the settings where the file has none, and says so', () => {
    const { mapping, doubts } = suggestMapping(['Order', 'SKU', 'Quantity'], [['1', 'A', '2']], { currency: 'SEK', country: 'SE' })
    expect(mapping.constants).toEqual({ currency: 'SEK', ship_country: 'SE' })
    expect(doubts.map(doubt => interpolate(doubt.text, doubt.values))).toEqual([
      'The file names no currency: SEK is taken, as in the settings',
      'The file names no country: SE is taken, as in the settings',
      'No column is read as the price: the orders come without prices',
      'No column is read as ship_name',
      'No column is read as ship_address1',
    ])
  })

  it.each([
    ['Order,SKU,Quantity,Price,Price 2', '1,A,2,5,6', []],
    ['Order,SKU,Article number,Quantity', '1,A,B,2', ['sku']],
    ['Order,SKU,Quantity,Net price,Gross price,Line total', '1,A,2,5,6,12', []],
    ['Order,Ship to name,Consignee name,SKU,Quantity', '1,Lene,Ole,A,2', []],
    ['Order,Recipient,Ship to city,Delivery city,SKU,Quantity', '1,Lene,Odense,Aarhus,A,2', ['ship_city']],
  ])('says which column of products, prices and recipients it leaves out: %s', (headers, row, fields) => {
    const left = suggested(headers, row).doubts.filter(doubt => doubt.text.includes('is left out'))
    expect(left.map(doubt => doubt.field)).toEqual(fields)
  })

  it('says so where values are not what the name of their column says', () => {
    const { mapping, doubts } = suggested('Order,SKU,Quantity,Unit price,Shipping', '1,A,two,on request,39.00')
    expect(mapping.columns).toEqual({ Order: 'order_no', SKU: 'sku', Quantity: 'qty', 'Unit price': 'unit_price_excl_vat' })
    const messages = doubts.map(doubt => interpolate(doubt.text, doubt.values))
    expect(messages).toContain('What stands in Quantity does not look like qty')
    expect(messages).toContain('What stands in Unit price does not look like unit_price_excl_vat')
  })

  it('takes prices with VAT where taxes and totals show it', () => {
    const field = (...rows: string[]) => suggested('Order,SKU,Quantity,Price,Shipping,Taxes,Total', ...rows).mapping.columns.Price
    expect(field('1,A,2,80.00,39.00,39.80,199.00', '2,A,1,80.00,39.00,23.80,119.00')).toBe('unit_price_incl_vat')
    expect(field('1,A,2,80.00,40.00,50.00,250.00')).toBe('unit_price_excl_vat')
    expect(suggested('Order,SKU,Quantity,Price', '1,A,2,80.00').doubts.map(doubt => doubt.text)).toContain(
      'The file does not say whether the prices in {{column}} contain VAT: they are taken as prices without VAT',
    )
  })

  it('reads VAT as percents only where the column holds rates', () => {
    const field = (...values: string[]) =>
      suggested('Order,SKU,Quantity,VAT', ...values.map((value, at) => `${at},A,2,${value}`)).mapping.columns.VAT
    expect(field('25', '0', '12')).toBe('vat_percent')
    expect(field('25%')).toBe('vat_percent')
    expect(field('31.84', '12.50')).toBeUndefined()
  })

  it('takes taxes that grow with the price for amounts, though they could be rates', () => {
    const read = (...taxes: string[]) =>
      suggested('Order no,SKU,Quantity,Price,Tax', ...taxes.map((tax, at) => `${at},A${at},2,${10 * (at + 1)},${tax}`)).mapping.columns.Tax
    expect(read('5', '10', '15')).toBeUndefined()
    expect(read('25', '25', '12')).toBe('vat_percent')
  })

  it('takes prices that grow with the quantity of a product for sums of lines, and says so', () => {
    const read = (price: string) => suggested('Order no,SKU,Quantity,Price', '1,A,2,20.00', `2,A,3,${price}`)
    expect(read('30.00').mapping.columns.Price).toBe('line_total_excl_vat')
    expect(read('30.00').doubts.map(doubt => doubt.field)).toContain('line_total_excl_vat')
    expect(read('20.00').mapping.columns.Price).toBe('unit_price_excl_vat')
  })

  it('takes a name beside the first name for the last name, unless it holds both', () => {
    const read = (name: string) =>
      suggested('Bestellnummer;Vorname;Name;Straße'.replaceAll(';', ','), `1,Lene,${name},Prøvevej 5`).mapping.columns
    expect(read('Hansen')).toMatchObject({ Vorname: 'ship_first_name', Name: 'ship_last_name' })
    expect(Object.values(read('Lene Hansen'))).toContain('ship_name')
    expect(Object.values(read('Lene Hansen'))).not.toContain('ship_last_name')
  })

  it('takes the currency that all prices name, and none where they differ', () => {
    const read = (header: string, ...prices: string[]) =>
      suggestMapping(
        ['Order no', header, 'Qty'],
        prices.map((price, at) => [String(at), price, '1']),
        { currency: 'DKK' },
      ).mapping.constants.currency
    expect(read('Price CHF', '12.50')).toBe('CHF')
    expect(read('Price', '€ 12,50', '€ 7,50')).toBe('EUR')
    expect(read('Price', '€ 12,50', '£ 7,50')).toBe('DKK')
  })

  it('says that a column of dates is left out where the orders have no other date', () => {
    const { doubts } = suggested('Order no,Noticed,SKU,Qty', '1,2026-11-10,A,1')
    expect(doubts).toContainEqual(expect.objectContaining({ field: 'ordered_at', values: { column: 'Noticed', field: 'ordered_at' } }))
  })

  it('takes no id that a spreadsheet has shortened, because many orders would share it', () => {
    expect(suggested('Name,Id,SKU,Qty', '#1,"5.94014E+12",A,1'.replaceAll('"', '')).mapping.columns.Id).toBeUndefined()
    expect(suggested('Name,Id,SKU,Qty', '#1,5940139491234,A,1').mapping.columns.Id).toBe('external_id')
  })

  it('knows foreign columns', () => {
    expect(
      suggested('order id,ship_name,ship_attn,ship_address_1,ship_zipcode,product_sku,product_qty,product_name').mapping.columns,
    ).toEqual({
      'order id': 'order_no',
      ship_name: 'ship_name',
      ship_attn: 'ship_attention',
      ship_address_1: 'ship_address1',
      ship_zipcode: 'ship_postcode',
      product_sku: 'sku',
      product_qty: 'qty',
      product_name: 'name',
    })
    expect(suggested('order_id,ship_address1,ship_state,ship_zip,weight', '1,x,y,z,0.5').mapping.columns).toMatchObject({
      order_id: 'order_no',
      ship_state: 'ship_region',
      ship_zip: 'ship_postcode',
      weight: 'weight_kg',
    })
    expect(suggested('order_id,weight', '1,250').mapping.columns).toMatchObject({ weight: 'weight_g' })
    expect(
      suggested('code,partner,date,sku,quantity,name,company,city,zip,state,country,addressOne,addressTwo').mapping.columns,
    ).toMatchObject({
      code: 'order_no',
      name: 'ship_name',
      addressOne: 'ship_address1',
      addressTwo: 'ship_address2',
      zip: 'ship_postcode',
    })
    expect(suggested('Ordrenummer,Varenummer,Antal,Varenavn,Postnr,By,Land').mapping.columns).toEqual({
      Ordrenummer: 'order_no',
      Varenummer: 'sku',
      Antal: 'qty',
      Varenavn: 'name',
      Postnr: 'ship_postcode',
      By: 'ship_city',
      Land: 'ship_country',
    })
  })

  it.each([
    ['Order,Name,Address,Zip,City,Country,SKU,Quantity', { Name: 'ship_name', SKU: 'sku' }],
    ['Ordrenummer,Name,Adresse,Postnr,By,Land,Varenavn,Antal', { Name: 'ship_name', Varenavn: 'name' }],
    ['order_no,name,ship_address1,ship_postcode,ship_city,sku,qty', { name: 'ship_name', sku: 'sku' }],
  ])('takes Name for the recipient beside the columns of an address: %s', (headers, columns) => {
    expect(suggested(headers).mapping.columns).toMatchObject(columns)
  })

  it.each([
    ['Order,Recipient,Address,Zip,City,Name,Quantity', { Recipient: 'ship_name', Name: 'name' }],
    ['Order,Shipping Name,Shipping Address1,Shipping City,Name,Quantity', { 'Shipping Name': 'ship_name', Name: 'name' }],
    ['Order,Name,Quantity,Country', { Name: 'name' }],
    ['Order,Billing City,Billing Address1,Name,Quantity', { Name: 'name' }],
  ])('takes Name for the product where the recipient has a column or no address is sent to: %s', (headers, columns) => {
    expect(suggested(headers).mapping.columns).toMatchObject(columns)
  })

  it('looks at few cells of a megabyte, because nothing else runs meanwhile', () => {
    const headers = [
      ...'Order no,Order date,Recipient,Address,Postcode,City,Country,SKU,Description,Quantity,Unit price,Total'.split(','),
      ...Array.from({ length: 22 }, (_, at) => `Extra ${at}`),
    ]
    let reads = 0
    const counted = (cells: string[]) =>
      new Proxy(cells, {
        get(target, place, receiver) {
          if (typeof place === 'string' && /^\d+$/.test(place)) reads++
          return Reflect.get(target, place, receiver)
        },
      })
    const row = (at: number) => [
      ...`${at >> 1},2026-11-10 10:30:00,Lene ${at},Prøvevej ${at},5000,Odense C,DK,MUG-${at},Mug ${at},2,12.50,25.00`.split(','),
      ...Array.from({ length: 22 }, () => 'more text'),
    ]
    const rows = Array.from({ length: 3_500 }, (_, at) => counted(row(at)))
    expect(suggestMapping(headers, rows).mapping.columns).toMatchObject({ 'Order no': 'order_no', 'Unit price': 'unit_price_excl_vat' })
    // Fewer than the sample has: most columns are known by their first values.
    expect(reads).toBeLessThan(headers.length * rows.length)
  })

  it('gives a column its own decimal sign where it differs', () => {
    const { mapping } = suggestMapping(['order_no', 'unit_price_incl_vat', 'vat_percent', 'weight_kg'], [['1', '1.000,00', '25,0', '0.25']])
    expect(mapping).toMatchObject({ decimals: ',', column_decimals: { weight_kg: '.' } })
  })

  it('says what is missing', () => {
    const { doubts } = suggested('Order,Product')
    expect(doubts.map(doubt => doubt.field)).toEqual(['qty', 'currency', 'ship_country'])
  })

  it('that was kept is used again, but dates and numbers of the new file are looked at', () => {
    const headers = ['Order', 'Date', 'SKU', 'Quantity', 'Price incl. VAT', 'Country', 'Currency', 'Name', 'Address']
    const row = (date: string, price: string) => ['1', date, 'A', '2', price, 'DK', 'DKK', 'Lene', 'Prøvevej 5']
    const kept = suggestMapping(headers, [row('31.10.2026', '12,50')]).mapping
    expect(kept).toMatchObject({ dates: 'dmy', decimals: ',' })
    const other = refreshMapping(kept, headers, [row('10/31/2026', '12.50')])
    expect(other.mapping).toEqual({ ...kept, dates: 'mdy', decimals: '.' })
    expect(other.doubts.map(doubt => doubt.text)).toEqual([
      'The dates of this file are not written as in the last one: they are read anew',
      'The numbers of this file are not written as in the last one: they are read anew',
    ])
    // What a person decided about dates that can be read in two ways still counts.
    expect(refreshMapping(kept, headers, [row('05.06.2026', '8,00')])).toEqual({ mapping: kept, doubts: [] })
    expect(refreshMapping({ ...kept, dates: 'mdy' }, headers, [row('05/06/2026', '8,00')]).mapping.dates).toBe('mdy')
  })

  it('says nothing of columns that a person has mapped', () => {
    const headers = ['Order', 'SKU', 'Article number', 'Quantity']
    const { mapping } = suggestMapping(headers, [['1', 'A', 'B', '2']])
    const rows = [['1', 'A', 'B', '2']]
    expect(columnDoubts(mapping, headers, rows).map(doubt => doubt.field)).toContain('sku')
    const changed = { ...mapping, columns: { ...mapping.columns, 'Article number': 'variant' as const } }
    expect(columnDoubts(changed, headers, rows).map(doubt => doubt.field)).not.toContain('sku')
  })

  it('is refused with two columns for one field, and with columns that the file does not have', () => {
    const mapping = Mapping.parse({
      columns: { a: 'order_no', b: 'sku', c: 'sku', d: 'qty' },
      constants: { currency: 'DKK', ship_country: 'DK' },
    })
    expect(mappingProblems(mapping, ['a', 'b', 'c']).map(problem => interpolate(problem.text, problem.values))).toEqual([
      'sku is mapped to two columns: b and c',
      'The file has no column d',
    ])
  })

  it('knows only real time zones', () => {
    expect(Mapping.safeParse({ columns: {}, time_zone: 'Mars/Olympus' }).success).toBe(false)
  })
})
