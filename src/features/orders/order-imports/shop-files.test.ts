/**
 * Order files as shop systems and spreadsheets export them: the mapping that is suggested, and the first order that comes of it.
 * The column names follow the public documentation named with each file; every person, product and number is invented.
 */
import { describe, it } from 'vitest'
import { expectFile, lene, type ShopFile, table } from '#test/order-files.ts'

const files: Record<string, ShopFile> = {
  // Algol Plus, Advanced Order Export For WooCommerce: default columns of the summary report.
  'WooCommerce, Advanced Order Export: a row for each item, addresses in words': {
    content: `\ufeff${table(
      ',',
      'Order Number|Order Status|Order Date|Customer Note|First Name (Billing)|Last Name (Billing)|Company (Billing)|Address 1&2 (Billing)|City (Billing)|State Code (Billing)|Postcode (Billing)|Country Code (Billing)|Email (Billing)|Phone (Billing)|First Name (Shipping)|Last Name (Shipping)|Address 1&2 (Shipping)|City (Shipping)|State Code (Shipping)|Postcode (Shipping)|Country Code (Shipping)|Payment Method Title|Cart Discount Amount|Order Subtotal Amount|Shipping Method Title|Order Shipping Amount|Order Refund Amount|Order Total Amount|Order Total Tax Amount|SKU|Item #|Item Name|Quantity (- Refund)|Item Cost|Coupon Code'.split(
        '|',
      ),
      '1001|Processing|2026-11-10 10:30|Ring the bell|Ole|Prøve||Testgade 1|Aarhus||8000|DK|lene@example.test|+4520123456|Lene|Hansen|Prøvevej 5|Odense C||5000|DK|Card|0|320|GLS Pakkeshop|39|0|359|71.80|MUG-01|1|Mug|2|80.00|'.split(
        '|',
      ),
      '1001|Processing|2026-11-10 10:30|Ring the bell|Ole|Prøve||Testgade 1|Aarhus||8000|DK|lene@example.test|+4520123456|Lene|Hansen|Prøvevej 5|Odense C||5000|DK|Card|0|320|GLS Pakkeshop|39|0|359|71.80|CUP-02|2|Cup, blue|2|80.00|'.split(
        '|',
      ),
    )}`,
    columns: {
      'Order Number': 'order_no',
      'Order Date': 'ordered_at',
      'Customer Note': 'note',
      'First Name (Shipping)': 'ship_first_name',
      'Last Name (Shipping)': 'ship_last_name',
      'Address 1&2 (Shipping)': 'ship_address1',
      'Postcode (Shipping)': 'ship_postcode',
      'City (Shipping)': 'ship_city',
      'Country Code (Shipping)': 'ship_country',
      'Email (Billing)': 'ship_email',
      'Phone (Billing)': 'ship_phone',
      'Shipping Method Title': 'shipping_title',
      SKU: 'sku',
      'Item Name': 'name',
      'Quantity (- Refund)': 'qty',
    },
    outcomes: { order: 1 },
    first: {
      order_no: '1001',
      ordered_at: '2026-11-10T09:30:00.000Z',
      ship_to: { ...lene, phone: '+4520123456', email: 'lene@example.test' },
    },
    lines: [
      ['MUG-01', 'Mug', '2', '80.00'],
      ['CUP-02', 'Cup, blue', '2', '80.00'],
    ],
    doubts: ['currency'],
  },
  // WebToffee, Order Export & Order Import for WooCommerce: column list of the exported CSV.
  'WooCommerce, WebToffee: items in columns of their own, sent to the billing address': {
    content: table(
      ',',
      'order_id|order_number|order_date|status|shipping_total|order_total|order_currency|payment_method_title|shipping_method|customer_email|billing_first_name|billing_last_name|billing_company|billing_email|billing_phone|billing_address_1|billing_address_2|billing_postcode|billing_city|billing_country|shipping_first_name|shipping_last_name|shipping_address_1|shipping_address_2|shipping_postcode|shipping_city|shipping_country|customer_note|line_item_1|line_item_2'.split(
        '|',
      ),
      '77|1002|2026-11-10 10:30:00|processing|39|359|SEK|Card|PostNord|lene@example.test|Lene|Hansen||lene@example.test|+46701740605|Prøvevej 5||5000|Odense C|DK||||||||Gift|name:Mug|product_id:11|sku:MUG-01|quantity:2|total:160.00|sub_total:160.00|name:Cup, blue|product_id:12|sku:CUP-02|quantity:1|total:80.00|sub_total:80.00'
        .split('|')
        .reduce<string[]>((cells, cell) => {
          if (/^(product_id|sku|quantity|total|sub_total):/.test(cell)) cells.push(`${cells.pop()}|${cell}`)
          else cells.push(cell)
          return cells
        }, []),
    ),
    columns: {
      order_id: 'external_id',
      order_number: 'order_no',
      order_date: 'ordered_at',
      order_currency: 'currency',
      billing_first_name: 'bill_first_name',
      billing_postcode: 'bill_postcode',
      line_item_1: 'items',
      line_item_2: 'items',
    },
    outcomes: { order: 1 },
    first: { order_no: '1002', external_id: '77', currency: 'SEK', ship_to: lene, notes: [{ text: 'Gift' }] },
    lines: [
      ['MUG-01', 'Mug', '2', '80'],
      ['CUP-02', 'Cup, blue', '1', '80'],
    ],
    doubts: ['ship_country', 'unit_price_excl_vat'],
  },
  // help.shopify.com, "Exporting orders": the columns of the orders CSV file.
  'Shopify: order facts on the first line only, dates with an offset, the order number in Name': {
    content: table(
      ',',
      'Name|Email|Financial Status|Paid at|Fulfillment Status|Fulfilled at|Accepts Marketing|Currency|Subtotal|Shipping|Taxes|Total|Discount Code|Discount Amount|Shipping Method|Created at|Lineitem quantity|Lineitem name|Lineitem price|Lineitem compare at price|Lineitem sku|Lineitem requires shipping|Lineitem taxable|Lineitem fulfillment status|Billing Name|Billing Street|Billing Address1|Billing Address2|Billing Company|Billing City|Billing Zip|Billing Province|Billing Country|Billing Phone|Shipping Name|Shipping Street|Shipping Address1|Shipping Address2|Shipping Company|Shipping City|Shipping Zip|Shipping Province|Shipping Country|Shipping Phone|Notes|Note Attributes|Cancelled at|Payment Method|Payment Reference|Refunded Amount|Vendor|Outstanding Balance|Employee|Location|Device ID|Id|Tags|Risk Level|Source|Lineitem discount|Phone'.split(
        '|',
      ),
      "#1003|lene@example.test|paid|2026-11-10 10:31:12 +0100|unfulfilled||no|DKK|320.00|39.00|71.80|359.00||0.00|GLS Pakkeshop|2026-11-10 10:30:00 +0100|2|Mug|80.00||MUG-01|true|true|pending|Ole Prøve|Testgade 1|Testgade 1|||Aarhus|8000||DK||Lene Hansen|Prøvevej 5|Prøvevej 5|||Odense C|'5000||DK|+45 20 12 34 56|Ring||||||Cups & Co|0.00||||5940139491234|gift, new|Low|web|0.00|".split(
        '|',
      ),
      [
        '#1003',
        'lene@example.test',
        ...Array<string>(14).fill(''),
        '2',
        'Cup - blue',
        '80.00',
        '',
        'CUP-02',
        'true',
        'true',
        'pending',
        ...Array<string>(26).fill(''),
        'Cups & Co',
        ...Array<string>(8).fill(''),
        '0.00',
        '',
      ],
    ),
    columns: {
      Name: 'order_no',
      'Created at': 'ordered_at',
      Currency: 'currency',
      'Shipping Method': 'shipping_title',
      'Lineitem quantity': 'qty',
      'Lineitem name': 'name',
      'Lineitem price': 'unit_price_incl_vat',
      'Lineitem sku': 'sku',
      'Shipping Name': 'ship_name',
      'Shipping Address1': 'ship_address1',
      'Shipping Zip': 'ship_postcode',
      'Billing Name': 'bill_name',
      Tags: 'tags',
      Notes: 'note',
    },
    outcomes: { order: 1 },
    first: { order_no: '#1003', ordered_at: '2026-11-10T09:30:00.000Z', paid_at: '2026-11-10T09:31:12.000Z', tags: ['gift', 'new'] },
    lines: [
      ['MUG-01', 'Mug', '2', '80.00'],
      ['CUP-02', 'Cup - blue', '2', '80.00'],
    ],
    doubts: [],
  },
  // Magento 2, sales_order and sales_order_item (developer.adobe.com, REST names), as column exports flatten them.
  'Magento: names of the database, quantities with four decimals, tabs': {
    content: table(
      '\t',
      'increment_id|created_at|status|order_currency_code|customer_email|customer_firstname|customer_lastname|shipping_description|shipping_firstname|shipping_lastname|shipping_company|shipping_street|shipping_postcode|shipping_city|shipping_country_id|shipping_telephone|sku|name|qty_ordered|price_incl_tax|row_total_incl_tax|tax_percent|weight'.split(
        '|',
      ),
      '000000104|2026-11-10 09:30:00|processing|EUR|lene@example.test|Lene|Hansen|Flat Rate - Fixed|Lene|Hansen||Prøvevej 5\n2. tv|5000|Odense C|DK|20123456|MUG-01|Mug|2.0000|12.5000|25.0000|25.0000|0.4000'.split(
        '|',
      ),
      '000000105|2026-11-11 09:30:00|processing|EUR|ole@example.test|Ole|Prøve|Flat Rate - Fixed|Ole|Prøve||Teststr. 1|10115|Berlin|DE||CUP-02|Cup|1.0000|12.5000|12.5000|25.0000|0.2500'.split(
        '|',
      ),
    ),
    columns: {
      increment_id: 'order_no',
      created_at: 'ordered_at',
      order_currency_code: 'currency',
      shipping_firstname: 'ship_first_name',
      shipping_lastname: 'ship_last_name',
      shipping_street: 'ship_address1',
      shipping_country_id: 'ship_country',
      shipping_telephone: 'ship_phone',
      sku: 'sku',
      name: 'name',
      qty_ordered: 'qty',
      price_incl_tax: 'unit_price_incl_vat',
      tax_percent: 'vat_percent',
      weight: 'weight_kg',
    },
    outcomes: { order: 2 },
    first: {
      order_no: '000000104',
      currency: 'EUR',
      shipping: { title: 'Flat Rate - Fixed' },
      ship_to: { name: 'Lene Hansen', country: 'DK' },
    },
    lines: [['MUG-01', 'Mug', '2', '12.5000']],
    doubts: [],
  },
  // PrestaShop, SQL Manager (docs.prestashop-project.org): columns of ps_orders, ps_order_detail and ps_address.
  'PrestaShop, SQL Manager: reference, split names, countries in French': {
    content: table(
      ';',
      'id_order|reference|date_add|firstname|lastname|company|address1|address2|postcode|city|country|phone|email|product_reference|product_ean13|product_name|product_quantity|unit_price_tax_incl|total_price_tax_incl|iso_code'.split(
        '|',
      ),
      '17|XKBKNABJK|2026-11-10 10:30:00|Lene|Hansen||Prøvevej 5||5000|Odense C|Danemark|20123456|lene@example.test|MUG-01|2000000000015|Mug|2|12,500000|25,000000|EUR'.split(
        '|',
      ),
      '17|XKBKNABJK|2026-11-10 10:30:00|Lene|Hansen||Prøvevej 5||5000|Odense C|Danemark|20123456|lene@example.test|CUP-02|2000000000022|Cup|1|7,500000|7,500000|EUR'.split(
        '|',
      ),
    ),
    columns: {
      id_order: 'order_no',
      date_add: 'ordered_at',
      firstname: 'ship_first_name',
      lastname: 'ship_last_name',
      address1: 'ship_address1',
      country: 'ship_country',
      product_reference: 'sku',
      product_ean13: 'barcode',
      product_name: 'name',
      product_quantity: 'qty',
      unit_price_tax_incl: 'unit_price_incl_vat',
    },
    outcomes: { order: 1 },
    first: { ship_to: lene },
    lines: [
      ['MUG-01', 'Mug', '2', '12.500000'],
      ['CUP-02', 'Cup', '1', '7.500000'],
    ],
    doubts: [],
  },
  // Shopware 6, import/export profile for orders (docs.shopware.com): mapped names, items as text.
  'Shopware 6: items in one cell, divided by bars': {
    content: table(
      ';',
      'id|order_number|order_date_time|sales_channel_id|currency|order_customer_first_name|order_customer_last_name|order_customer_email|shipping_address_first_name|shipping_address_last_name|shipping_address_street|shipping_address_zipcode|shipping_address_city|shipping_address_country|line_items|amount_total'.split(
        '|',
      ),
      '0189a1|10011|2026-11-10T09:30:00.000+00:00|98432def|EUR|Lene|Hansen|lene@example.test|Lene|Hansen|Prøvevej 5|5000|Odense C|Dänemark|2x Tasse §1x Becher, blau|359.00'
        .split('|')
        .map(cell => cell.replace('§', '|')),
    ),
    columns: { order_number: 'order_no', order_date_time: 'ordered_at', shipping_address_zipcode: 'ship_postcode', line_items: 'items' },
    outcomes: { order: 1 },
    first: { order_no: '10011', ordered_at: '2026-11-10T09:30:00.000Z', ship_to: lene },
    lines: [
      [null, 'Tasse', '2', null],
      [null, 'Becher, blau', '1', null],
    ],
    doubts: ['unit_price_excl_vat'],
  },
  // Shopware 5, default order profile of SwagImportExport (docs.shopware.com/en/shopware-5-en).
  'Shopware 5: German column names with camel case': {
    content: table(
      ';',
      'number|orderTime|customerNumber|customerEmail|billingFirstname|billingLastname|billingStreet|billingZipcode|billingCity|billingCountry|shippingFirstname|shippingLastname|shippingCompany|shippingStreet|shippingZipcode|shippingCity|shippingCountry|articleNumber|articleName|quantity|price|taxRate|currency'.split(
        '|',
      ),
      '20001|10.11.2026 10:30|77|lene@example.test|Ole|Prüfer|Teststr. 1|10115|Berlin|Deutschland|Lene|Hansen||Prøvevej 5|5000|Odense C|Dänemark|MUG-01|Tasse|2|1.250,00|19|EUR'.split(
        '|',
      ),
    ),
    columns: {
      number: 'order_no',
      orderTime: 'ordered_at',
      customerNumber: 'customer_no',
      shippingFirstname: 'ship_first_name',
      shippingStreet: 'ship_address1',
      articleNumber: 'sku',
      articleName: 'name',
      quantity: 'qty',
      taxRate: 'vat_percent',
    },
    outcomes: { order: 1 },
    first: { order_no: '20001', customer: { external_id: '77' }, ship_to: lene },
    lines: [['MUG-01', 'Tasse', '2', '1250.00']],
    doubts: ['unit_price_excl_vat'],
  },
  // DanDomain Webshop, "Eksport af ordrer" (dandomain.dk, field list of the export template).
  'Dandomain: Danish, Windows-1252, abbreviated delivery columns': {
    content: Buffer.from(
      table(
        ';',
        'Ordrenr.|Ordredato|Kundenr.|Fornavn|Efternavn|Adresse|Postnr.|By|Land|Telefon|E-mail|Lev. navn|Lev. adresse|Lev. postnr.|Lev. by|Lev. land|Fragtmetode|Varenr.|Varenavn|Antal|Stk. pris|Moms %|Bemærkning'.split(
          '|',
        ),
        '30001|10-11-2026 10:30|77|Ole|Prøve|Testgade 1|8000|Aarhus|Danmark|20123456|lene@example.test|Lene Hansen|Prøvevej 5|5000|Odense C|Danmark|GLS|MUG-01|Krus rødt|2|1.080,00|25|Ring på'.split(
          '|',
        ),
        '30002|28-11-2026 10:30|78|Åse|Bjørn|Ørevej 2|8000|Aarhus|Danmark|20123457|ase@example.test||||||GLS|CUP-02|Kop|1|80,00|25|'.split(
          '|',
        ),
      ),
      'latin1',
    ),
    columns: {
      'Ordrenr.': 'order_no',
      Ordredato: 'ordered_at',
      'Lev. navn': 'ship_name',
      'Lev. adresse': 'ship_address1',
      'Lev. postnr.': 'ship_postcode',
      'Lev. by': 'ship_city',
      'Lev. land': 'ship_country',
      'Varenr.': 'sku',
      Varenavn: 'name',
      Antal: 'qty',
      'Moms %': 'vat_percent',
    },
    outcomes: { order: 2 },
    first: { order_no: '30001', ordered_at: '2026-11-10T09:30:00.000Z', ship_to: lene },
    lines: [['MUG-01', 'Krus rødt', '2', '1080.00']],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // Billbee, "Bestellungen exportieren" (hilfe.billbee.io): columns of the order export with one line per position.
  'Billbee: street and house number apart, gross prices': {
    content: `\ufeff${table(
      ';',
      'Bestellnummer|Bestelldatum|Shop|Währung|Rechnung Vorname|Rechnung Nachname|Rechnung Straße|Rechnung Hausnummer|Rechnung PLZ|Rechnung Ort|Rechnung Land|Lieferung Firma|Lieferung Vorname|Lieferung Nachname|Lieferung Straße|Lieferung Hausnummer|Lieferung Adresszusatz|Lieferung PLZ|Lieferung Ort|Lieferung Land|E-Mail|Artikelnummer|Artikelbezeichnung|EAN|Menge|Einzelpreis brutto|Gesamtpreis brutto|MwSt-Satz'.split(
        '|',
      ),
      '40001|10.11.2026 10:30:00|main|EUR|Ole|Prüfer|Teststraße|1a|10115|Berlin|DE||Lene|Hansen|Prøvevej|5|2. tv|5000|Odense C|DK|lene@example.test|MUG-01|Tasse|2000000000015|2|12,50|25,00|19'.split(
        '|',
      ),
    )}`,
    columns: {
      Bestellnummer: 'order_no',
      Bestelldatum: 'ordered_at',
      Währung: 'currency',
      'Lieferung Vorname': 'ship_first_name',
      'Lieferung Straße': 'ship_address1',
      'Lieferung Hausnummer': 'ship_street_number',
      'Lieferung Adresszusatz': 'ship_address2',
      'Lieferung PLZ': 'ship_postcode',
      Artikelnummer: 'sku',
      Menge: 'qty',
      'Einzelpreis brutto': 'unit_price_incl_vat',
      'MwSt-Satz': 'vat_percent',
    },
    outcomes: { order: 1 },
    first: { ship_to: { ...lene, address2: '2. tv' }, bill_to: { name: 'Ole Prüfer', address1: 'Teststraße 1a' } },
    lines: [['MUG-01', 'Tasse', '2', '12.50']],
    doubts: [],
  },
  // Microsoft Excel, "CSV (Trennzeichen-getrennt)" with German regional settings: semicolons, decimal comma, Windows-1252.
  'Excel, German: titles above the header, sums below the rows': {
    content: Buffer.from(
      table(
        ';',
        ['Bestellübersicht November', '', '', '', '', '', '', ''],
        ['Stand: 12.11.2026', '', '', '', '', '', '', ''],
        ['', '', '', '', '', '', '', ''],
        ['Auftragsnr.', 'Datum', 'Empfänger', 'Straße und Hausnummer', 'PLZ', 'Ort', 'Artikel', 'Anzahl', 'Preis netto'],
        ['A-1', '10.11.2026', 'Lene Hansen', 'Prøvevej 5', '5000', 'Odense C', 'Tasse', '2', '1.012,50 \u0080'],
        ['A-2', '11.11.2026', 'Ole Prüfer', 'Teststr. 1', '8000', 'Aarhus', 'Becher', '1', '7,50 \u0080'],
        ['Gesamt', '', '', '', '', '', '', '3', '2.032,50 \u0080'],
      ),
      'latin1',
    ),
    columns: {
      'Auftragsnr.': 'order_no',
      Datum: 'ordered_at',
      Empfänger: 'ship_name',
      'Straße und Hausnummer': 'ship_address1',
      PLZ: 'ship_postcode',
      Ort: 'ship_city',
      Artikel: 'name',
      Anzahl: 'qty',
      'Preis netto': 'unit_price_excl_vat',
    },
    outcomes: { order: 2, skipped: 1 },
    first: { order_no: 'A-1', currency: 'EUR', ship_to: lene },
    lines: [[null, 'Tasse', '2', '1012.50']],
    doubts: ['ship_country', 'sku'],
  },
  // Microsoft Excel, "CSV" with Danish regional settings.
  'Excel, Danish: one line per order with several items in a cell': {
    content: table(
      ';',
      'Ordre|Dato|Modtager|Adresse|Postnr og by|Postnr|By|Tlf.|Varer|I alt'.split('|').filter(name => name !== 'Postnr og by'),
      '501|10. november 2026|Lene Hansen|Prøvevej 5|5000|Odense C|20 12 34 56|2 x MUG-01, 1 x CUP-02|239,00'.split('|'),
      '502|11. november 2026|Ole Prøve|Testgade 1|8000|Aarhus|20 12 34 57|1 x CUP-02|80,00'.split('|'),
    ),
    columns: {
      Ordre: 'order_no',
      Dato: 'ordered_at',
      Modtager: 'ship_name',
      Adresse: 'ship_address1',
      Postnr: 'ship_postcode',
      By: 'ship_city',
      'Tlf.': 'ship_phone',
      Varer: 'items',
    },
    outcomes: { order: 2 },
    first: { order_no: '501', ordered_at: '2026-11-09T23:00:00.000Z', ship_to: lene },
    lines: [
      ['MUG-01', 'MUG-01', '2', null],
      ['CUP-02', 'CUP-02', '1', null],
    ],
    doubts: ['currency', 'ship_country', 'unit_price_excl_vat'],
  },
  // Microsoft Excel, "Unicode Text" with Swedish regional settings: UTF-16 with a byte order mark, tabs.
  'Excel, Swedish: UTF-16 with tabs, sums of lines, blanks in thousands': {
    content: Buffer.from(
      `\ufeff${table(
        '\t',
        'Ordernummer|Orderdatum|Mottagare|Leveransadress|Postnummer|Ort|Land|Artikelnr|Benämning|Antal|Radsumma inkl. moms'.split('|'),
        '601|2026-11-10|Lene Hansen|Prøvevej 5|5000|Odense C|Danmark|MUG-01|Mugg|2|2 025,00 kr'.split('|'),
        '602|2026-11-28|Åsa Ström|Provgatan 2|123 45|Stockholm|Sverige|CUP-02|Kopp|3|30,00 kr'.split('|'),
      )}`,
      'utf16le',
    ),
    columns: {
      Ordernummer: 'order_no',
      Orderdatum: 'ordered_at',
      Mottagare: 'ship_name',
      Leveransadress: 'ship_address1',
      Postnummer: 'ship_postcode',
      Ort: 'ship_city',
      Land: 'ship_country',
      Artikelnr: 'sku',
      Benämning: 'name',
      Antal: 'qty',
      'Radsumma inkl. moms': 'line_total_incl_vat',
    },
    outcomes: { order: 2 },
    first: { order_no: '601', ship_to: lene },
    lines: [['MUG-01', 'Mugg', '2', '1012.5']],
    doubts: ['currency', 'line_total_incl_vat'],
  },
  // Microsoft Excel, "CSV (Comma delimited)" with regional settings of the United States.
  'Excel, English: order number on the first line only, month first, sums below': {
    content: table(
      ',',
      'Order #|Order date|Ship to name|Ship to address|Ship to city|Ship to zip|Ship to country|Item|Item no.|Qty|Unit price'.split('|'),
      '701|11/10/2026 10:30 AM|Lene Hansen|Prøvevej 5|Odense C|5000|Denmark|Mug|MUG-01|2|$1,012.50'.split('|'),
      '||||||||Cup|CUP-02|1|$7.50'.replace('||||||||', '|||||||').split('|'),
      '702|11/28/2026 2:05 PM|Ole Test|1 Test St|Boston|02108|USA|Cup|CUP-02|1|$7.50'.split('|'),
      ['Total', '', '', '', '', '', '', '', '', '4', '$2,040.00'],
    ),
    columns: {
      'Order #': 'order_no',
      'Order date': 'ordered_at',
      'Ship to name': 'ship_name',
      'Ship to address': 'ship_address1',
      'Ship to zip': 'ship_postcode',
      'Ship to country': 'ship_country',
      Item: 'name',
      'Item no.': 'sku',
      Qty: 'qty',
      'Unit price': 'unit_price_excl_vat',
    },
    outcomes: { order: 2, skipped: 1 },
    first: { order_no: '701', ordered_at: '2026-11-10T09:30:00.000Z', ship_to: lene },
    lines: [
      ['MUG-01', 'Mug', '2', '1012.50'],
      ['CUP-02', 'Cup', '1', '7.50'],
    ],
    doubts: ['currency', 'order_no', 'unit_price_excl_vat'],
  },
  // Etsy, "Download your order data" (help.etsy.com): the order items CSV.
  'Etsy: buyers beside recipients, a date without time': {
    content: table(
      ',',
      'Sale Date|Item Name|Buyer|Quantity|Price|Coupon Code|Currency|Transaction ID|Listing ID|Date Paid|Ship Name|Ship Address1|Ship Address2|Ship City|Ship State|Ship Zipcode|Ship Country|Order ID|Variations|SKU'.split(
        '|',
      ),
      '11/10/26|Mug|lene_h|2|12.50||DKK|90001|55|11/10/2026|Lene Hansen|Prøvevej 5||Odense C||5000|Denmark|801|Colour:Blue|MUG-01'.split(
        '|',
      ),
      '11/28/26|Cup|ole_t|1|7.50||DKK|90002|56|11/28/2026|Ole Test|1 Test St||Boston|MA|02108|United States|802||CUP-02'.split('|'),
    ),
    columns: {
      'Sale Date': 'ordered_at',
      'Item Name': 'name',
      Quantity: 'qty',
      Price: 'unit_price_excl_vat',
      'Ship Name': 'ship_name',
      'Ship Zipcode': 'ship_postcode',
      'Order ID': 'order_no',
      Variations: 'variant',
      SKU: 'sku',
    },
    outcomes: { order: 2 },
    first: { order_no: '801', ordered_at: '2026-11-09T23:00:00.000Z', ship_to: lene },
    lines: [['MUG-01', 'Mug', '2', '12.50']],
    doubts: ['unit_price_excl_vat'],
  },
  // WooCommerce Germany, "Bestellungen exportieren" of the same plug-in with translated titles.
  'WooCommerce, German titles: notes with line breaks, net prices': {
    content: table(
      ';',
      'Bestellnummer|Bestelldatum|Kundenanmerkung|Anmerkung|Lieferadresse: Vorname|Lieferadresse: Nachname|Lieferadresse: Firma|Lieferadresse: Straße|Lieferadresse: PLZ|Lieferadresse: Stadt|Lieferadresse: Land|Versandart|Artikelnr.|Produktname|Menge|Nettopreis'.split(
        '|',
      ),
      '901|10.11.2026|"Bitte klingeln"\nHinterhaus|x|Lene|Hansen|Muster & Co|Prøvevej 5|5000|Odense C|Dänemark|DHL Paket|MUG-01|Tasse; groß|2|12,50'.split(
        '|',
      ),
    ),
    columns: {
      Bestellnummer: 'order_no',
      'Lieferadresse: Vorname': 'ship_first_name',
      'Lieferadresse: Straße': 'ship_address1',
      'Lieferadresse: PLZ': 'ship_postcode',
      Versandart: 'shipping_title',
      'Artikelnr.': 'sku',
      Produktname: 'name',
      Nettopreis: 'unit_price_excl_vat',
    },
    outcomes: { order: 1 },
    first: { ship_to: { ...lene, company: 'Muster & Co' }, shipping: { title: 'DHL Paket' } },
    lines: [['MUG-01', 'Tasse; groß', '2', '12.50']],
    doubts: ['currency'],
  },
  // Microsoft Excel with Norwegian regional settings.
  'Excel, Norwegian: customer columns are the recipient, freight in a row of its own': {
    content: table(
      ';',
      'Ordrenr|Bestillingsdato|Kundenavn|Adresse|Postnr|Poststed|Land|E-post|Varenr|Produkt|Antall|Pris eks. mva|MVA %'.split('|'),
      '1101|10.11.2026|Lene Hansen|Prøvevej 5|5000|Odense C|Danmark|lene@example.test|MUG-01|Kopp|2|80,00|25'.split('|'),
      '1101|10.11.2026|Lene Hansen|Prøvevej 5|5000|Odense C|Danmark|lene@example.test||Frakt|1|39,00|25'.split('|'),
    ),
    columns: {
      Ordrenr: 'order_no',
      Kundenavn: 'bill_name',
      Adresse: 'ship_address1',
      Poststed: 'ship_city',
      Varenr: 'sku',
      Produkt: 'name',
      'Pris eks. mva': 'unit_price_excl_vat',
      'MVA %': 'vat_percent',
    },
    outcomes: { order: 1 },
    first: { ship_to: lene, lines: [{ type: 'item' }, { type: 'shipping' }] },
    lines: [
      ['MUG-01', 'Kopp', '2', '80.00'],
      [null, 'Frakt', '1', '39.00'],
    ],
    doubts: ['currency'],
  },
  // Picqer, "Import orders" (picqer.com/en/api/orders): names of the fields.
  'Picqer: names without separators between words': {
    content: table(
      ',',
      'reference|deliveryname|deliverycontactname|deliveryaddress|deliveryzipcode|deliverycity|deliverycountry|invoicename|invoiceaddress|invoicezipcode|invoicecity|invoicecountry|telephone|emailaddress|customer_remarks|productcode|amount'.split(
        '|',
      ),
      '1201|Lene Hansen||Prøvevej 5|5000|Odense C|DK|Ole Prøve|Testgade 1|8000|Aarhus|DK|20123456|lene@example.test|Ring|MUG-01|2'.split(
        '|',
      ),
    ),
    columns: {
      reference: 'order_no',
      deliveryname: 'ship_name',
      deliverycontactname: 'ship_attention',
      deliveryaddress: 'ship_address1',
      deliveryzipcode: 'ship_postcode',
      deliverycity: 'ship_city',
      deliverycountry: 'ship_country',
      invoicename: 'bill_name',
      telephone: 'ship_phone',
      customer_remarks: 'note',
      productcode: 'sku',
      amount: 'qty',
    },
    outcomes: { order: 1 },
    first: { order_no: '1201', ship_to: lene, bill_to: { name: 'Ole Prøve' } },
    lines: [['MUG-01', 'MUG-01', '2', null]],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // Magento 2, Sales > Orders > Export with an items column, as order export extensions add it (values of several items under each other).
  'Magento, grid with products: values of several items under each other in a cell': {
    content: table(
      ',',
      'Order #|Purchase Date|Ship-to Name|Shipping Street|Shipping Postcode|Shipping City|Shipping Country|Customer Email|SKU|Product Name|Qty Ordered|Price (Incl. Tax)'.split(
        '|',
      ),
      [
        '000000201',
        'Nov 10, 2026 10:30:00 AM',
        'Lene Hansen',
        'Prøvevej 5',
        '5000',
        'Odense C',
        'DK',
        'lene@example.test',
        'MUG-01\nCUP-02',
        'Mug\nCup',
        '2\n1',
        '12.50\n7.50',
      ],
      [
        '000000202',
        'Nov 11, 2026 1:05:00 PM',
        'Ole Prøve',
        'Testgade 1',
        '8000',
        'Aarhus',
        'DK',
        'ole@example.test',
        'CUP-02',
        'Cup',
        '1',
        '7.50',
      ],
    ),
    columns: {
      'Order #': 'order_no',
      'Purchase Date': 'ordered_at',
      'Ship-to Name': 'ship_name',
      SKU: 'sku',
      'Product Name': 'name',
      'Qty Ordered': 'qty',
      'Price (Incl. Tax)': 'unit_price_incl_vat',
    },
    outcomes: { order: 2 },
    first: { order_no: '000000201', ordered_at: '2026-11-10T09:30:00.000Z', ship_to: lene },
    lines: [
      ['MUG-01', 'Mug', '2', '12.50'],
      ['CUP-02', 'Cup', '1', '7.50'],
    ],
    doubts: ['currency'],
  },
  // Microsoft Excel, English of the United Kingdom: `sep=`, thousands and line totals.
  'Excel, British: a first line that names the separator, line totals with thousands': {
    content: `sep=;\r\n${table(
      ';',
      'Order reference|Ordered at|Customer|Delivery address|Town|Postcode|Country|Product code|Description|Quantity|Line total (ex VAT)|VAT rate'.split(
        '|',
      ),
      '1301|10/11/2026|Lene Hansen|Prøvevej 5|Odense C|5000|Denmark|MUG-01|Mug|2|2,025.00|20%'.split('|'),
      '1302|28/11/2026|Ole Test|1 Test Street|London|ZZ99 1ZZ|England|CUP-02|Cup|3|30.00|20%'.split('|'),
    )}`,
    columns: {
      'Order reference': 'order_no',
      'Ordered at': 'ordered_at',
      Customer: 'bill_name',
      'Delivery address': 'ship_address1',
      Town: 'ship_city',
      'Product code': 'sku',
      Description: 'name',
      'Line total (ex VAT)': 'line_total_excl_vat',
      'VAT rate': 'vat_percent',
    },
    outcomes: { order: 2 },
    first: { order_no: '1301', ordered_at: '2026-11-09T23:00:00.000Z', ship_to: lene },
    lines: [['MUG-01', 'Mug', '2', '1012.5']],
    doubts: ['currency', 'line_total_excl_vat'],
  },
  // PrestaShop, order list of a module that writes products as `2x Name (reference)`.
  'PrestaShop, order list: products as text with references in brackets': {
    content: table(
      ',',
      'ID|Reference|Customer|Delivery address|Delivery postcode|Delivery city|Delivery country|Products|Total paid (tax incl.)|Payment|Date'.split(
        '|',
      ),
      '21|QRSTUVWXY|Lene Hansen|Prøvevej 5|5000|Odense C|Danmark|2x Mug (MUG-01); 1x Cup, blue (CUP-02)|€32.50|Card|10/11/2026 10:30:00'.split(
        '|',
      ),
      '22|ABCDEFGHI|Ole Prøve|Testgade 1|8000|Aarhus|Danmark|1x Cup, blue (CUP-02)|€7.50|Card|28/11/2026 14:05:00'.split('|'),
    ),
    columns: {
      Reference: 'order_no',
      Customer: 'bill_name',
      'Delivery address': 'ship_address1',
      'Delivery postcode': 'ship_postcode',
      Products: 'items',
      Date: 'ordered_at',
    },
    outcomes: { order: 2 },
    first: { order_no: 'QRSTUVWXY', currency: 'EUR', ordered_at: '2026-11-10T09:30:00.000Z', ship_to: lene },
    lines: [
      ['MUG-01', 'Mug', '2', null],
      ['CUP-02', 'Cup, blue', '1', null],
    ],
    doubts: ['unit_price_excl_vat'],
  },
}

describe('an order file of', () => {
  it.each(Object.entries(files))('%s', async (_, file) => expectFile(file))
})
