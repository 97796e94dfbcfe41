/** A mapping is proposed from what a file shows, and is refused where the file does not bear it out. */
import { describe, expect, it } from 'vitest'
import { interpolate } from '#contract/errors.ts'
import { Mapping, mappingProblems, suggestMapping } from './mapping.rules.ts'

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

  it('knows the columns of the UCI data set Online Retail, its traps and its dates', () => {
    const { mapping, doubts } = suggested(
      'InvoiceNo,StockCode,Description,Quantity,InvoiceDate,UnitPrice,CustomerID,Country',
      '1,A,b,2,12-01-2010 08:26,2.55,,EIRE',
      '2,A,b,2,12-05-2010 08:26,2.55,,EIRE',
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
      constants: { currency: 'GBP' },
      dates: 'mdy',
      conflicts: 'first',
      repeated: 'add',
      cancellation_prefix: 'C',
    })
    expect(doubts.map(doubt => interpolate(doubt.text, doubt.values))).toEqual([
      'The dates in InvoiceDate can be read day first or month first',
    ])
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

  it('gives a column its own decimal sign where it differs', () => {
    const { mapping } = suggestMapping(['order_no', 'unit_price_incl_vat', 'vat_percent', 'weight_kg'], [['1', '1.000,00', '25,0', '0.25']])
    expect(mapping).toMatchObject({ decimals: ',', column_decimals: { weight_kg: '.' } })
  })

  it('says what is missing', () => {
    const { doubts } = suggested('Order,Product')
    expect(doubts.map(doubt => doubt.field)).toEqual(['qty', 'currency', 'ship_country'])
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
