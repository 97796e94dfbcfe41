/**
 * Order files of the kinds that the fifth hand found read wrongly, written anew. The column names follow the public documentation named with
 * each file; every person, product and number is invented.
 */
import { describe, it } from 'vitest'
import { expectFile, lene, type ShopFile, table } from '#test/order-files.ts'

const sheet = (separator: string, ...rows: string[]) => table(separator, ...rows.map(row => row.split('|')))

const files: Record<string, ShopFile> = {
  // doc.dpd.be, "Create a valid import file": recipient_name2 is a second name, "specific department for example". A shop adds its items behind it.
  'DPD Shipper with items: the second name of the recipient continues the first': {
    content: sheet(
      ';',
      'order_no|order_date|recipient_name|recipient_name2|recipient_street|recipient_house_no|recipient_street2|recipient_zip|recipient_city|recipient_country|recipient_phone|recipient_email|sku|product|qty|price_excl_vat|currency',
      'N-101|2026-11-10|Muster GmbH|z. Hd. Lene Hansen|Prøvevej|5||5000|Odense C|DK|+4520123456|lene@example.test|MUG-01|Mug|2|12.50|EUR',
      'N-101|2026-11-10|Muster GmbH|z. Hd. Lene Hansen|Prøvevej|5||5000|Odense C|DK|+4520123456|lene@example.test|CUP-02|Cup|1|7.50|EUR',
      'N-102|2026-11-28|Max Muster||Testweg|3a||10115|Berlin|DE|||CUP-02|Cup|3|7.50|EUR',
    ),
    columns: {
      order_no: 'order_no',
      recipient_name: 'ship_name',
      recipient_name2: 'ship_attention',
      recipient_street: 'ship_address1',
      recipient_house_no: 'ship_street_number',
      recipient_street2: 'ship_address2',
      recipient_zip: 'ship_postcode',
      recipient_city: 'ship_city',
      recipient_country: 'ship_country',
      sku: 'sku',
      product: 'name',
      qty: 'qty',
    },
    outcomes: { order: 2 },
    first: { order_no: 'N-101', ship_to: { ...lene, name: 'Muster GmbH', attention: 'z. Hd. Lene Hansen', company: null, address2: null } },
    lines: [
      ['MUG-01', 'Mug', '2', '12.50'],
      ['CUP-02', 'Cup', '1', '7.50'],
    ],
    doubts: [],
  },
  // Microsoft Excel with German regional settings: a list of a person in an office, with the capitals of programs of couriers.
  'Excel, German, for a courier: NAME1 and NAME2 in capitals, a department in the second': {
    content: Buffer.from(
      sheet(
        ';',
        'BESTELLNR|DATUM|NAME1|NAME2|STRASSE|PLZ|ORT|LAND|TELEFON|ARTIKELNR|BEZEICHNUNG|ANZAHL|EINZELPREIS',
        '7701|10.11.2026|Lene Hansen||Prøvevej 5|5000|Odense C|DK|20123456|MUG-01|Tasse|2|12,50',
        '7701|10.11.2026|Lene Hansen||Prøvevej 5|5000|Odense C|DK|20123456|CUP-02|Becher|1|7,50',
        '7702|28.11.2026|Muster GmbH|Abt. Einkauf|Testweg 3a|10115|Berlin|DE||CUP-02|Becher|3|7,50',
      ),
      'latin1',
    ),
    columns: {
      BESTELLNR: 'order_no',
      DATUM: 'ordered_at',
      NAME1: 'ship_name',
      NAME2: 'ship_attention',
      STRASSE: 'ship_address1',
      PLZ: 'ship_postcode',
      ORT: 'ship_city',
      LAND: 'ship_country',
      ARTIKELNR: 'sku',
      BEZEICHNUNG: 'name',
      ANZAHL: 'qty',
    },
    outcomes: { order: 2 },
    first: { order_no: '7701', ship_to: { ...lene, attention: null } },
    lines: [
      ['MUG-01', 'Tasse', '2', '12.50'],
      ['CUP-02', 'Becher', '1', '7.50'],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // github.com, a public importer of orders of Cardmarket: shipping_name, shipping_extra, shipping_street, as its API names an address.
  'Cardmarket: shipping_extra continues the address, several amounts of the order': {
    content: sheet(
      ',',
      'order_id|bought_at|state|shippingmethod|shipping_name|shipping_extra|shipping_street|shipping_zip|shipping_city|shipping_country|shipment_revenue|articles_count|article_name|article_sku|article_qty|article_price|revenue|currency',
      '90001|2026-11-10 10:30:00|paid|Letter|Lene Hansen|2. th.|Prøvevej 5|5000|Odense C|DK|2.50|3|Mug|MUG-01|2|12.50|35.00|EUR',
      '90001|2026-11-10 10:30:00|paid|Letter|Lene Hansen|2. th.|Prøvevej 5|5000|Odense C|DK|2.50|3|Cup|CUP-02|1|7.50|35.00|EUR',
      '90002|2026-11-28 14:05:00|paid|Letter|Max Muster||Testweg 3a|10115|Berlin|DE|2.50|3|Cup|CUP-02|3|7.50|25.00|EUR',
    ),
    columns: {
      order_id: 'order_no',
      bought_at: 'ordered_at',
      shippingmethod: 'shipping_title',
      shipping_name: 'ship_name',
      shipping_extra: 'ship_address2',
      shipping_street: 'ship_address1',
      shipping_zip: 'ship_postcode',
      shipping_city: 'ship_city',
      shipping_country: 'ship_country',
      article_name: 'name',
      article_sku: 'sku',
      article_qty: 'qty',
    },
    outcomes: { order: 2 },
    first: { order_no: '90001', ordered_at: '2026-11-10T09:30:00.000Z', ship_to: { ...lene, address2: '2. th.' } },
    lines: [
      ['MUG-01', 'Mug', '2', '12.50'],
      ['CUP-02', 'Cup', '1', '7.50'],
    ],
    doubts: ['unit_price_excl_vat'],
  },
  // workflow.zynk.com, "ProSKU Orders XML": fields of the order and its products, as Zynk Workflow writes them to a CSV file.
  'Zynk Workflow: Order_reference, Delivery_name, two to four lines of address, codes of the country beside its name': {
    content: sheet(
      ',',
      'Order_reference|Marshalling_zone|Order_date|Order_type|Notes|Delivery_name|Company_name|Carrier_code|Service_code|Phone_number|Email|Address_line_1|Address_line_2|Address_line_3|Address_line_4|Post_code|Town|Delivery_date|Delivery_time|Country_name|Iso_2_code|Iso_3_code|Product_code|Quantity|Stock_status|Batch',
      'Z-301|m1|10/11/2026|Sales|Ring the bell|Lene Hansen||Example Courier|same_day|20123456|lene@example.test|Prøvevej 5||||5000|Odense C|12/11/2026|20:00|Denmark|DK|DNK|MUG-01|2|Good|17',
      'Z-301|m1|10/11/2026|Sales|Ring the bell|Lene Hansen||Example Courier|same_day|20123456|lene@example.test|Prøvevej 5||||5000|Odense C|12/11/2026|20:00|Denmark|DK|DNK|CUP-02|1|Good|18',
      'Z-302|m1|28/11/2026|Sales||Ann Tester|Test Ltd|Example Courier|same_day|||1 Test Street|Jesmond|||NE2 3AE|Newcastle upon Tyne|30/11/2026|12:00|United Kingdom|GB|GBR|CUP-02|3|Good|18',
    ),
    columns: {
      Order_reference: 'order_no',
      Order_date: 'ordered_at',
      Notes: 'note',
      Delivery_name: 'ship_name',
      Company_name: 'ship_company',
      Phone_number: 'ship_phone',
      Email: 'ship_email',
      Address_line_1: 'ship_address1',
      Address_line_2: 'ship_address2',
      Post_code: 'ship_postcode',
      Town: 'ship_city',
      Product_code: 'sku',
      Quantity: 'qty',
    },
    outcomes: { order: 2 },
    first: { order_no: 'Z-301', ordered_at: '2026-11-09T23:00:00.000Z', ship_to: lene, notes: [{ text: 'Ring the bell' }] },
    lines: [
      ['MUG-01', 'MUG-01', '2', null],
      ['CUP-02', 'CUP-02', '1', null],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // workflow.zynk.com, "Sage 50 UK Sales Order XML": the fields of an order, its two addresses and its items, one row for each item.
  'Zynk for Sage: group and field run together, billing and delivery addresses, QtyOrdered': {
    content: sheet(
      ',',
      'Id|AccountReference|SalesOrderDate|SalesOrderAddressForename|SalesOrderAddressSurname|SalesOrderAddressCompany|SalesOrderAddressAddress1|SalesOrderAddressTown|SalesOrderAddressPostcode|SalesOrderDeliveryAddressForename|SalesOrderDeliveryAddressSurname|SalesOrderDeliveryAddressCompany|SalesOrderDeliveryAddressAddress1|SalesOrderDeliveryAddressAddress2|SalesOrderDeliveryAddressTown|SalesOrderDeliveryAddressPostcode|SalesOrderDeliveryAddressCountry|ItemSku|ItemName|ItemQtyOrdered|ItemUnitPrice',
      '123|JOE001|2026-11-10T00:00:00|Joe|Tester|Test Ltd|1 Test St|Newcastle|NE2 3AE|Lene|Hansen||Prøvevej 5||Odense C|5000|DK|MUG-01|Mug|2|12.50',
      '123|JOE001|2026-11-10T00:00:00|Joe|Tester|Test Ltd|1 Test St|Newcastle|NE2 3AE|Lene|Hansen||Prøvevej 5||Odense C|5000|DK|CUP-02|Cup|1|7.50',
      '124|ANN001|2026-11-28T00:00:00|Ann|Tester||2 Test St|Leeds|LS1 1AA|Ann|Tester||2 Test St||Leeds|LS1 1AA|GB|CUP-02|Cup|3|7.50',
    ),
    columns: {
      Id: 'order_no',
      SalesOrderDate: 'ordered_at',
      SalesOrderDeliveryAddressForename: 'ship_first_name',
      SalesOrderDeliveryAddressSurname: 'ship_last_name',
      SalesOrderDeliveryAddressAddress1: 'ship_address1',
      SalesOrderDeliveryAddressTown: 'ship_city',
      SalesOrderDeliveryAddressPostcode: 'ship_postcode',
      SalesOrderDeliveryAddressCountry: 'ship_country',
      ItemSku: 'sku',
      ItemName: 'name',
      ItemQtyOrdered: 'qty',
    },
    outcomes: { order: 2 },
    first: { order_no: '123', ship_to: lene, bill_to: { name: 'Joe Tester', city: 'Newcastle' } },
    lines: [
      ['MUG-01', 'Mug', '2', '12.50'],
      ['CUP-02', 'Cup', '1', '7.50'],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // podpora.shoptet.cz, "Export objednávek"; the columns as public readers of the file on GitHub name them (billFullName, deliveryCountryName, itemAmount).
  'Shoptet: no delivery address and no delivery country, freight and payment as items': {
    content: sheet(
      ';',
      'code|date|statusName|currency|exchangeRate|email|phone|billFullName|billCompany|billStreet|billHouseNumber|billCity|billZip|billCountryName|companyId|vatId|deliveryFullName|deliveryCompany|deliveryStreet|deliveryHouseNumber|deliveryCity|deliveryZip|deliveryCountryName|customerRemark|shopRemark|weight|totalPriceWithVat|totalPriceWithoutVat|priceToPay|amountPaid|paid|itemName|itemAmount|itemCode|itemVariantName|itemManufacturer|itemUnitPriceWithVat|itemUnitPriceWithoutVat|itemVatRate',
      '2026000101|2026-11-10 10:30:00|Nevyřízená|CZK|1|lene@example.test|20123456|Lene Hansen||Prøvevej|5|Odense C|5000|Dánsko||||||||||Zazvonit||1,2|491,00|405,79|491,00|0,00|0|Hrnek|2|MUG-01|Červená||151,25|125,00|21',
      '2026000101|2026-11-10 10:30:00|Nevyřízená|CZK|1|lene@example.test|20123456|Lene Hansen||Prøvevej|5|Odense C|5000|Dánsko||||||||||Zazvonit||1,2|491,00|405,79|491,00|0,00|0|Šálek|1|CUP-02|||90,75|75,00|21',
      '2026000101|2026-11-10 10:30:00|Nevyřízená|CZK|1|lene@example.test|20123456|Lene Hansen||Prøvevej|5|Odense C|5000|Dánsko||||||||||Zazvonit||1,2|491,00|405,79|491,00|0,00|0|PPL|1|SHIPPING47|||97,75|80,79|21',
      '2026000102|2026-11-28 14:05:00|Nevyřízená|CZK|1|jan@example.test||Jan Zkouška|Test s.r.o.|Testovací|12/3|Praha|110 00|Česká republika|12345678|||||||||||0,6|272,25|225,00|272,25|272,25|1|Šálek|3|CUP-02|||90,75|75,00|21',
    ),
    columns: {
      code: 'order_no',
      date: 'ordered_at',
      currency: 'currency',
      billFullName: 'bill_name',
      billCompany: 'bill_company',
      billStreet: 'bill_address1',
      billHouseNumber: 'bill_street_number',
      billCity: 'bill_city',
      billZip: 'bill_postcode',
      billCountryName: 'bill_country',
      customerRemark: 'note',
      itemName: 'name',
      itemAmount: 'qty',
      itemCode: 'sku',
      itemVariantName: 'variant',
      itemUnitPriceWithVat: 'unit_price_incl_vat',
      itemVatRate: 'vat_percent',
    },
    outcomes: { order: 2 },
    first: {
      order_no: '2026000101',
      ordered_at: '2026-11-10T09:30:00.000Z',
      currency: 'CZK',
      ship_to: lene,
      notes: [{ text: 'Zazvonit' }],
    },
    lines: [
      ['MUG-01', 'Hrnek', '2', '151.25'],
      ['CUP-02', 'Šálek', '1', '90.75'],
      ['SHIPPING47', 'PPL', '1', '97.75'],
    ],
    doubts: ['order_no', 'ship_country'],
  },
  // odoo.com documentation, "Export and import data": the lines of a document stand below its first row, without its other fields.
  'Odoo, own names of the columns: inv_num and item_name, rows that continue a document': {
    content: sheet(
      ',',
      'inv_num|inv_date|partner_name|partner_street|partner_zip|partner_city|partner_country|partner_email|item_code|item_name|item_qty|item_price|inv_total|curr',
      'S00071|2026-11-10|Lene Hansen|Prøvevej 5|5000|Odense C|Denmark|lene@example.test|MUG-01|Mug|2.0|12.50|32.50|EUR',
      '||||||||CUP-02|Cup|1.0|7.50||',
      'S00072|2026-11-28|Max Muster|Testweg 3a|10115|Berlin|Germany||CUP-02|Cup|3.0|7.50|22.50|EUR',
    ),
    columns: {
      inv_num: 'order_no',
      inv_date: 'ordered_at',
      partner_name: 'bill_name',
      partner_street: 'bill_address1',
      partner_zip: 'bill_postcode',
      partner_city: 'bill_city',
      partner_country: 'bill_country',
      item_code: 'sku',
      item_name: 'name',
      item_qty: 'qty',
      curr: 'currency',
    },
    outcomes: { order: 2 },
    first: { order_no: 'S00071', ordered_at: '2026-11-09T23:00:00.000Z', currency: 'EUR', ship_to: lene },
    lines: [
      ['MUG-01', 'Mug', '2', '12.50'],
      ['CUP-02', 'Cup', '1', '7.50'],
    ],
    doubts: ['order_no', 'unit_price_excl_vat'],
  },
  // github.com, public readers of the order file of Kogan (OrderID, ProductCode, ItemPrice, DeliverySuburb, DeliveryPostCode); what LabelInfo holds is
  // documented nowhere public: here it repeats the items.
  'Kogan: what the label shows repeats the items, the suburb is the town, no country': {
    content: sheet(
      ',',
      'OrderID|OrderDate|LabelInfo|ProductCode|ProductTitle|Quantity|ItemPrice|ItemShippingPrice|DeliveryName|DeliveryCompanyName|DeliveryAddress1|DeliveryAddress2|DeliverySuburb|DeliveryState|DeliveryPostCode|DeliveryPhone|DeliveryInstructions',
      'KGN4A7X2|10/11/2026|2 x MUG-01, 1 x CUP-02|MUG-01|Mug|2|12.50|0.00|Lene Hansen||Prøvevej 5||Odense C|QLD|5000|20123456|Ring the bell',
      'KGN4A7X2|10/11/2026|2 x MUG-01, 1 x CUP-02|CUP-02|Cup|1|7.50|0.00|Lene Hansen||Prøvevej 5||Odense C|QLD|5000|20123456|Ring the bell',
      'KGN9B3C5|28/11/2026|3 x CUP-02|CUP-02|Cup|3|7.50|5.00|Ann Tester||1 Test St|Unit 2|Robina|QLD|4226|0400000000|',
    ),
    columns: {
      OrderID: 'order_no',
      OrderDate: 'ordered_at',
      ProductCode: 'sku',
      ProductTitle: 'name',
      Quantity: 'qty',
      DeliveryName: 'ship_name',
      DeliveryAddress1: 'ship_address1',
      DeliveryAddress2: 'ship_address2',
      DeliverySuburb: 'ship_city',
      DeliveryPostCode: 'ship_postcode',
      DeliveryPhone: 'ship_phone',
    },
    outcomes: { order: 2 },
    first: { order_no: 'KGN4A7X2', ordered_at: '2026-11-09T23:00:00.000Z', ship_to: lene },
    lines: [
      ['MUG-01', 'Mug', '2', '12.50'],
      ['CUP-02', 'Cup', '1', '7.50'],
    ],
    doubts: ['currency', 'ship_country', 'unit_price_excl_vat'],
  },
}

describe('an order file, by a sixth hand, of', () => {
  it.each(Object.entries(files))('%s', async (_, file) => expectFile(file))
})
