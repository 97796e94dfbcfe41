/**
 * Order files of ten systems that no earlier file comes from; what they mean was written before they were read. Five of them
 * needed no change of the rules. The column names follow the
 * public documentation named with each file; every person, product and number is invented.
 */
import { describe, it } from 'vitest'
import { expectFile, lene, type ShopFile, table } from '#test/order-files.ts'

const sheet = (separator: string, ...rows: string[]) => table(separator, ...rows.map(row => row.split('|')))

const files: Record<string, ShopFile> = {
  // smart-web.dk help, "5.4.5. Ordrer": ORDER_, DELIVERY_ and PRODUCT_ columns of the export; those of the customer after the same pattern.
  'SmartWeb: capitals, a rate of VAT of the order, titles of product and variant': {
    content: sheet(
      ';',
      'ORDER_ID|ORDER_DATE|ORDER_CURRENCY|ORDER_STATUS|ORDER_REFERENCE_NR|ORDER_VAT|ORDER_TOTAL|ORDER_COMMENT|ORDER_COMMENT_EXTERNAL|ORDER_COMMENT_CUSTOMER|ORDER_SITE_ID|PAYMENT_TITLE|PAYMENT_PRICE|DELIVERY_TITLE|DELIVERY_PRICE|CUSTOMER_COMPANY|CUSTOMER_FIRSTNAME|CUSTOMER_LASTNAME|CUSTOMER_ADDRESS|CUSTOMER_ZIP|CUSTOMER_CITY|CUSTOMER_COUNTRY|CUSTOMER_EMAIL|CUSTOMER_PHONE|PRODUCT_ID|PRODUCT_NUMBER|PRODUCT_TITLE1|PRODUCT_TITLE2|PRODUCT_AMOUNT|PRODUCT_PRICE|PRODUCT_DISCOUNT|PRODUCT_BUY_PRICE|PRODUCT_WEIGHT',
      '5101|2026-11-10 10:30:00|DKK|3||25|364,00|||Ring på klokken|1|Kort|0,00|GLS Pakkeshop|39,00||Lene|Hansen|Prøvevej 5|5000|Odense C|Danmark|lene@example.test|20123456|81|MUG-01|Krus|Rød|2|125,00|0,00|50,00|0,40',
      '5101|2026-11-10 10:30:00|DKK|3||25|364,00|||Ring på klokken|1|Kort|0,00|GLS Pakkeshop|39,00||Lene|Hansen|Prøvevej 5|5000|Odense C|Danmark|lene@example.test|20123456|82|CUP-02|Kop||1|75,00|0,00|30,00|0,25',
      '5102|2026-11-28 14:05:00|DKK|3||25|264,00||||1|Kort|0,00|GLS Pakkeshop|39,00|Test ApS|Åse|Bjørn|Testgade 1|8000|Aarhus C|Danmark|aase@example.test||82|CUP-02|Kop||3|75,00|0,00|30,00|0,25',
    ),
    columns: {
      ORDER_ID: 'order_no',
      ORDER_DATE: 'ordered_at',
      ORDER_CURRENCY: 'currency',
      ORDER_COMMENT_CUSTOMER: 'note',
      DELIVERY_TITLE: 'shipping_title',
      CUSTOMER_FIRSTNAME: 'bill_first_name',
      CUSTOMER_LASTNAME: 'bill_last_name',
      CUSTOMER_ADDRESS: 'bill_address1',
      CUSTOMER_ZIP: 'bill_postcode',
      CUSTOMER_CITY: 'bill_city',
      CUSTOMER_COUNTRY: 'bill_country',
      PRODUCT_NUMBER: 'sku',
      PRODUCT_TITLE1: 'name',
      PRODUCT_TITLE2: 'variant',
      PRODUCT_AMOUNT: 'qty',
    },
    outcomes: { order: 2 },
    first: {
      order_no: '5101',
      ordered_at: '2026-11-10T09:30:00.000Z',
      currency: 'DKK',
      ship_to: lene,
      notes: [{ text: 'Ring på klokken' }],
      shipping: { title: 'GLS Pakkeshop' },
    },
    lines: [
      ['MUG-01', 'Krus', '2', '125.00'],
      ['CUP-02', 'Kop', '1', '75.00'],
    ],
    doubts: [],
  },
  // docs.jay-metadata.com, "CSV Order Connector": SHIPPING_NAME1 is the first name, SHIPPING_NAME2 the last name; no date and no currency.
  'Jay: NAME1 is the first name and NAME2 the last, two addresses, two sums of the order': {
    content: sheet(
      ',',
      'INVOICE_NAME1|INVOICE_NAME2|INVOICE_STREET|INVOICE_HOUSENUMBER|INVOICE_PLZ|INVOICE_CITY|INVOICE_COUNTRY|INVOICE_EMAIL|INVOICE_TELEFON|SHIPPING_NAME1|SHIPPING_NAME2|SHIPPING_STREET|SHIPPING_HOUSENUMBER|SHIPPING_PLZ|SHIPPING_CITY|SHIPPING_COUNTRY|PRODUCT_SKU|PRODUCT_NAME|PRODUCT_QUANTITY|PRODUCT_PRICE|SHIPPING_COST|TOTAL_COST|ORDER_NUMBER|PAYMENT_ID',
      'Ole|Tester|Testgade|1|8000|Aarhus|DK|ole@example.test|20123456|Lene|Hansen|Prøvevej|5|5000|Odense C|DK|MUG-01|Mug|2|12.50|3.90|36.40|J-401|pi_1',
      'Ole|Tester|Testgade|1|8000|Aarhus|DK|ole@example.test|20123456|Lene|Hansen|Prøvevej|5|5000|Odense C|DK|CUP-02|Cup|1|7.50|3.90|36.40|J-401|pi_1',
      'Max|Muster|Testweg|3a|10115|Berlin|DE|max@example.test||Max|Muster|Testweg|3a|10115|Berlin|DE|CUP-02|Cup|3|7.50|3.90|26.40|J-402|pi_2',
    ),
    columns: {
      INVOICE_STREET: 'bill_address1',
      INVOICE_PLZ: 'bill_postcode',
      SHIPPING_NAME1: 'ship_first_name',
      SHIPPING_NAME2: 'ship_last_name',
      SHIPPING_STREET: 'ship_address1',
      SHIPPING_HOUSENUMBER: 'ship_street_number',
      SHIPPING_PLZ: 'ship_postcode',
      SHIPPING_CITY: 'ship_city',
      SHIPPING_COUNTRY: 'ship_country',
      PRODUCT_SKU: 'sku',
      PRODUCT_NAME: 'name',
      PRODUCT_QUANTITY: 'qty',
      ORDER_NUMBER: 'order_no',
    },
    outcomes: { order: 2 },
    first: { order_no: 'J-401', ship_to: lene, bill_to: { name: 'Ole Tester', city: 'Aarhus' } },
    lines: [
      ['MUG-01', 'Mug', '2', '12.50'],
      ['CUP-02', 'Cup', '1', '7.50'],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // dreamrobot.de, handbook, "Standard-CSV-Importe": orderId, deliveryAddress… and billingAddress…; the columns of the product after the same pattern.
  'DreamRobot: address and field run together, a form of address, productId beside productName': {
    content: sheet(
      ';',
      'orderId|orderDate|deliveryAddressTitle|deliveryAddressFirstName|deliveryAddressLastName|deliveryAddressCompany|deliveryAddressStreet|deliveryAddressHousenumber|deliveryAddressAdditional|deliveryAddressZipCode|deliveryAddressCity|deliveryAddressProvince|deliveryAddressCountry|billingAddressTitle|billingAddressFirstName|billingAddressLastName|billingAddressStreet|billingAddressHousenumber|billingAddressZipCode|billingAddressCity|billingAddressCountry|email|phone|productId|productName|productAmount|productPrice|productTax|shippingCosts|currency',
      'DR-801|10.11.2026|Frau|Lene|Hansen||Prøvevej|5||5000|Odense C||DK|Herr|Ole|Tester|Testgade|1|8000|Aarhus|DK|lene@example.test|20123456|MUG-01|Tasse|2|12,50|19|3,90|EUR',
      'DR-801|10.11.2026|Frau|Lene|Hansen||Prøvevej|5||5000|Odense C||DK|Herr|Ole|Tester|Testgade|1|8000|Aarhus|DK|lene@example.test|20123456|CUP-02|Becher|1|7,50|19|3,90|EUR',
      'DR-802|28.11.2026|Herr|Max|Muster|Muster GmbH|Testweg|3a|Hinterhaus|10115|Berlin||DE|Herr|Max|Muster|Testweg|3a|10115|Berlin|DE|max@example.test||CUP-02|Becher|3|7,50|19|3,90|EUR',
    ),
    columns: {
      orderId: 'order_no',
      orderDate: 'ordered_at',
      deliveryAddressFirstName: 'ship_first_name',
      deliveryAddressLastName: 'ship_last_name',
      deliveryAddressCompany: 'ship_company',
      deliveryAddressStreet: 'ship_address1',
      deliveryAddressHousenumber: 'ship_street_number',
      deliveryAddressAdditional: 'ship_address2',
      deliveryAddressZipCode: 'ship_postcode',
      deliveryAddressCity: 'ship_city',
      deliveryAddressCountry: 'ship_country',
      productId: 'sku',
      productName: 'name',
      productAmount: 'qty',
      currency: 'currency',
    },
    outcomes: { order: 2 },
    first: { order_no: 'DR-801', ordered_at: '2026-11-09T23:00:00.000Z', currency: 'EUR', ship_to: lene, bill_to: { name: 'Ole Tester' } },
    lines: [
      ['MUG-01', 'Tasse', '2', '12.50'],
      ['CUP-02', 'Becher', '1', '7.50'],
    ],
    doubts: ['unit_price_excl_vat'],
  },
  // delivrd.freshdesk.com, "Importing sales orders to Delivrd": the fields of a tab delimited file.
  'Delivrd: running numbers of rows, RefOrder is the order, Value is the price': {
    content: sheet(
      '\t',
      'ImportLineNumber|Name|Street|City|StateProvince|PostalCode|Country|PhoneNumber|Email|RefOrder|RequestedDate|SalesChannel|ShippingCosts|LineNumber|SKU|Quantity|Value',
      '1|Lene Hansen|Prøvevej 5|Odense C||5000|DK|20123456|lene@example.test|D-901|2026-11-12|Webshop|3.90|1|MUG-01|2|12.50',
      '2|Lene Hansen|Prøvevej 5|Odense C||5000|DK|20123456|lene@example.test|D-901|2026-11-12|Webshop|3.90|2|CUP-02|1|7.50',
      '3|Ann Tester|1 Test St|Boston|MA|02108|US|||D-902|2026-11-30|Webshop|3.90|1|CUP-02|3|7.50',
    ),
    columns: {
      Name: 'ship_name',
      Street: 'ship_address1',
      City: 'ship_city',
      PostalCode: 'ship_postcode',
      Country: 'ship_country',
      PhoneNumber: 'ship_phone',
      Email: 'ship_email',
      RefOrder: 'order_no',
      SKU: 'sku',
      Quantity: 'qty',
    },
    outcomes: { order: 2 },
    first: { order_no: 'D-901', ship_to: lene },
    lines: [
      ['MUG-01', 'MUG-01', '2', '12.50'],
      ['CUP-02', 'CUP-02', '1', '7.50'],
    ],
    doubts: ['currency', 'ordered_at', 'unit_price_excl_vat'],
  },
  // help.tokenoftrust.com, "Providing monthly order extracts": the header line as printed there; every cell quoted.
  'Token of Trust: the party in brackets, town, state and postcode in one column, stars and a currency sign in the names': {
    content: [
      'SHIPPING NAME(First Name)|SHIPPING NAME(Last Name)|Address 1 (Shipping)|City, State Zip (Shipping)|Brand Family*|Invoice Date|Invoice Number|Quantity|LINEITEM NAME|Sales Price ($)**|FULFILLMENT STATUS|SKU|Transaction Type',
      'Lene|Hansen|Prøvevej 5|Odense C, 5000|Cups|2026-11-10|INV-301|2|Mug|12.50|fulfilled|MUG-01|sale',
      'Lene|Hansen|Prøvevej 5|Odense C, 5000|Cups|2026-11-10|INV-301|1|Cup|7.50|fulfilled|CUP-02|sale',
      'Ann|Tester|1 Test St|Boston, MA 02108|Cups|2026-11-28|INV-302|3|Cup|7.50|fulfilled|CUP-02|sale',
      '',
    ]
      .map(row =>
        row === ''
          ? ''
          : row
              .split('|')
              .map(cell => `"${cell}"`)
              .join(','),
      )
      .join('\n'),
    columns: {
      'SHIPPING NAME(First Name)': 'ship_first_name',
      'SHIPPING NAME(Last Name)': 'ship_last_name',
      'Address 1 (Shipping)': 'ship_address1',
      'City, State Zip (Shipping)': 'ship_postcode',
      'Invoice Date': 'ordered_at',
      'Invoice Number': 'order_no',
      Quantity: 'qty',
      'LINEITEM NAME': 'name',
      SKU: 'sku',
    },
    outcomes: { order: 2 },
    first: { order_no: 'INV-301', ship_to: lene },
    lines: [
      ['MUG-01', 'Mug', '2', '12.50'],
      ['CUP-02', 'Cup', '1', '7.50'],
    ],
    doubts: ['currency', 'ship_country', 'unit_price_excl_vat'],
  },
  // fruugo.atlassian.net, "v2 Download XML Specification": the names of the elements, one row for each line.
  'Fruugo: two numbers of an order, skuId is the number, items pending, confirmed and shipped': {
    content: sheet(
      ',',
      'customerOrderId|orderId|orderDate|orderReleaseDate|orderStatus|customerLanguageCode|firstName|lastName|streetAddress|city|province|postalCode|countryCode|phoneNumber|emailAddress|shippingMethod|shippingCostInclVAT|shippingCostVAT|productId|skuId|skuName|itemPriceInclVat|itemVat|totalPriceInclVat|vatPercentage|totalNumberOfItems|pendingItems|confirmedItems|shippedItems',
      '9135311|9135311001000444|2026-11-10T10:30:00.000+01:00|2026-11-10T10:31:00.000+01:00|PENDING|DA|Lene|Hansen|Prøvevej 5|Odense C||5000|DK|20123456|lene@example.test|Standard Shipping|1.63|0.33|MUG|MUG-01|Mug|12.50|2.50|25.00|25|2|2|0|0',
      '9135311|9135311001000444|2026-11-10T10:30:00.000+01:00|2026-11-10T10:31:00.000+01:00|PENDING|DA|Lene|Hansen|Prøvevej 5|Odense C||5000|DK|20123456|lene@example.test|Standard Shipping|1.63|0.33|CUP|CUP-02|Cup|7.50|1.50|7.50|25|1|1|0|0',
      '9135312|9135312001000444|2026-11-28T14:05:00.000+01:00|2026-11-28T14:06:00.000+01:00|PENDING|DE|Max|Muster|Testweg 3a|Berlin||10115|DE||max@example.test|Standard Shipping|1.63|0.33|CUP|CUP-02|Cup|7.50|1.50|22.50|25|3|3|0|0',
    ),
    columns: {
      orderId: 'order_no',
      orderDate: 'ordered_at',
      firstName: 'ship_first_name',
      lastName: 'ship_last_name',
      streetAddress: 'ship_address1',
      city: 'ship_city',
      postalCode: 'ship_postcode',
      countryCode: 'ship_country',
      phoneNumber: 'ship_phone',
      emailAddress: 'ship_email',
      shippingMethod: 'shipping_title',
      skuId: 'sku',
      skuName: 'name',
      itemPriceInclVat: 'unit_price_incl_vat',
      vatPercentage: 'vat_percent',
      totalNumberOfItems: 'qty',
    },
    outcomes: { order: 2 },
    first: { order_no: '9135311001000444', ordered_at: '2026-11-10T09:30:00.000Z', ship_to: lene },
    lines: [
      ['MUG-01', 'Mug', '2', '12.50'],
      ['CUP-02', 'Cup', '1', '7.50'],
    ],
    doubts: ['currency', 'qty'],
  },
  // shopware-importexport-app-docs.pages.dev, "Export Orders": rows of the order and rows of its items, separated by linetype.
  'Shopware Import/Export app: a row of the order with its sums above rows of the items': {
    content: sheet(
      ';',
      'linetype|orderNumber|orderDateTime|orderStatus|amountTotal|currency|shippingAddress firstName|shippingAddress lastName|shippingAddress street|shippingAddress zipcode|shippingAddress city|shippingAddress country iso|lineItem productNumber|lineItem label|lineItem quantity|lineItem unitPrice|lineItem totalPrice',
      'order|10002|2026-11-10T09:30:00+00:00|open|32.5|EUR|Lene|Hansen|Prøvevej 5|5000|Odense C|DK|||||',
      'lineItems|10002|||||||||||MUG-01|Mug|2|12.5|25',
      'lineItems|10002|||||||||||CUP-02|Cup|1|7.5|7.5',
      'order|10003|2026-11-28T13:05:00+00:00|open|22.5|EUR|Max|Muster|Testweg 3a|10115|Berlin|DE|||||',
      'lineItems|10003|||||||||||CUP-02|Cup|3|7.5|22.5',
    ),
    columns: {
      orderNumber: 'order_no',
      orderDateTime: 'ordered_at',
      currency: 'currency',
      'shippingAddress firstName': 'ship_first_name',
      'shippingAddress lastName': 'ship_last_name',
      'shippingAddress street': 'ship_address1',
      'shippingAddress zipcode': 'ship_postcode',
      'shippingAddress city': 'ship_city',
      'lineItem productNumber': 'sku',
      'lineItem label': 'name',
      'lineItem quantity': 'qty',
    },
    outcomes: { order: 2 },
    first: { order_no: '10002', ordered_at: '2026-11-10T09:30:00.000Z', currency: 'EUR', ship_to: lene },
    lines: [
      ['MUG-01', 'Mug', '2', '12.5'],
      ['CUP-02', 'Cup', '1', '7.5'],
    ],
    doubts: ['unit_price_excl_vat'],
  },
  // workflow.zynk.com, "Peoplevox Sales Order XML": the two templates, joined by the number of the order.
  'Peoplevox: an address of the invoice, the customer is the recipient, SalePrice and TotalSale': {
    content: sheet(
      ',',
      'SalesOrderNumber|Customer|CustomerPurchaseOrderReferenceNumber|ShippingAddressLine1|ShippingAddressLine2|ShippingAddressCity|ShippingAddressRegion|ShippingAddressPostcode|ShippingAddressCountry|InvoiceAddressLine1|InvoiceAddressCity|InvoiceAddressPostcode|InvoiceAddressCountry|IsPartialShipment|Status|RequestedDeliveryDate|ShippingCost|Email|ContactName|TotalSale|Discount|TaxPaid|CreatedDate|PaymentMethod|ServiceType|ChannelName|ItemCode|QuantityOrdered|Line|SalePrice',
      'SO-123456|ACME01|SO-ABCDEF|Prøvevej 5||Odense C||5000|Denmark|Testgade 1|Aarhus|8000|Denmark|false|New|2026-11-12|3.90|lene@example.test|Lene Hansen|36.40|0|0|2026-11-10|Card|GLS|Web|MUG-01|2|1|12.50',
      'SO-123456|ACME01|SO-ABCDEF|Prøvevej 5||Odense C||5000|Denmark|Testgade 1|Aarhus|8000|Denmark|false|New|2026-11-12|3.90|lene@example.test|Lene Hansen|36.40|0|0|2026-11-10|Card|GLS|Web|CUP-02|1|2|7.50',
      'SO-123457|ACME02||1 Test Street||London||SW1A 1AA|United Kingdom|1 Test Street|London|SW1A 1AA|United Kingdom|false|New|2026-11-30|3.90|ann@example.test|Ann Tester|26.40|0|0|2026-11-28|Card|GLS|Web|CUP-02|3|1|7.50',
    ),
    columns: {
      SalesOrderNumber: 'order_no',
      ShippingAddressLine1: 'ship_address1',
      ShippingAddressLine2: 'ship_address2',
      ShippingAddressCity: 'ship_city',
      ShippingAddressPostcode: 'ship_postcode',
      ShippingAddressCountry: 'ship_country',
      InvoiceAddressLine1: 'bill_address1',
      InvoiceAddressPostcode: 'bill_postcode',
      Email: 'ship_email',
      CreatedDate: 'ordered_at',
      ItemCode: 'sku',
      QuantityOrdered: 'qty',
    },
    outcomes: { order: 2 },
    first: { order_no: 'SO-123456', ordered_at: '2026-11-09T23:00:00.000Z', ship_to: lene },
    lines: [
      ['MUG-01', 'MUG-01', '2', '12.50'],
      ['CUP-02', 'CUP-02', '1', '7.50'],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // help.channeldock.com/de, "Manuelles Hochladen von Bestellungen": the fields for an import.
  'ChannelDock in German: three parts of a name, street number and its addition, a hint in brackets': {
    content: `\ufeff${sheet(
      ';',
      'Bestell-ID|Bestellstatus|Bestelldatum|Vorname|Zweiter Vorname|Nachname|Firma|Straße|Hausnummer|Hausnummernzusatz|Adresszusatz|Ort|Region|Postleitzahl|Ländercode (2 Buchstaben)|Telefonnummer|E-Mail|EAN|SKU|Titel|Menge|Preis',
      'CD-1|neu|2026-11-10|Lene||Hansen||Prøvevej|5|||Odense C||5000|DK|20123456|lene@example.test|2000000000015|MUG-01|Tasse|2|12,50',
      'CD-1|neu|2026-11-10|Lene||Hansen||Prøvevej|5|||Odense C||5000|DK|20123456|lene@example.test|2000000000022|CUP-02|Becher|1|7,50',
      'CD-2|neu|2026-11-28|Max|Ole|Muster|Muster GmbH|Testweg|3|a|Hinterhaus|Berlin||10115|DE||max@example.test|2000000000022|CUP-02|Becher|3|7,50',
    )}`,
    columns: {
      'Bestell-ID': 'order_no',
      Bestelldatum: 'ordered_at',
      Vorname: 'ship_first_name',
      Nachname: 'ship_last_name',
      Firma: 'ship_company',
      Straße: 'ship_address1',
      Hausnummer: 'ship_street_number',
      Adresszusatz: 'ship_address2',
      Ort: 'ship_city',
      Postleitzahl: 'ship_postcode',
      'Ländercode (2 Buchstaben)': 'ship_country',
      EAN: 'barcode',
      SKU: 'sku',
      Titel: 'name',
      Menge: 'qty',
    },
    outcomes: { order: 2 },
    first: { order_no: 'CD-1', ordered_at: '2026-11-09T23:00:00.000Z', ship_to: lene },
    lines: [
      ['MUG-01', 'Tasse', '2', '12.50'],
      ['CUP-02', 'Becher', '1', '7.50'],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // upgates.cz, "Dokumentace CSV - objednávky": [ORDER_NUMBER], [CURRENCY_ID], [CREATION_TIME]; addresses with _INVOICE and _POSTAL as its XML has them.
  'Upgates: names in square brackets, the party behind the field, Windows-1250': {
    content: sheet(
      ';',
      '[ORDER_NUMBER]|[CUSTOMER_NOTE]|[INTERNAL_NOTE]|[CURRENCY_ID]|[ORDER_TOTAL]|[CREATION_TIME]|[ORDER_STATUS]|[PAID_YN]|[PAID_DATE]|[EMAIL]|[PHONE]|[FIRSTNAME_INVOICE]|[SURNAME_INVOICE]|[STREET_INVOICE]|[CITY_INVOICE]|[ZIP_INVOICE]|[COUNTRY_ID_INVOICE]|[FIRSTNAME_POSTAL]|[SURNAME_POSTAL]|[STREET_POSTAL]|[CITY_POSTAL]|[ZIP_POSTAL]|[COUNTRY_ID_POSTAL]|[PRODUCT_CODE]|[PRODUCT_TITLE]|[PRODUCT_QUANTITY]|[PRODUCT_PRICE_WITH_VAT]|[PRODUCT_VAT]',
      'U-2601|Zazvonit||CZK|393.25|2026-11-10 10:30:00|Nova|0||lene@example.test|20123456|Ole|Tester|Testgade 1|Aarhus|8000|DK|Lene|Hansen|Prøvevej 5|Odense C|5000|DK|MUG-01|Hrnek|2|151.25|21',
      'U-2601|Zazvonit||CZK|393.25|2026-11-10 10:30:00|Nova|0||lene@example.test|20123456|Ole|Tester|Testgade 1|Aarhus|8000|DK|Lene|Hansen|Prøvevej 5|Odense C|5000|DK|CUP-02|Salek|1|90.75|21',
      'U-2602|||CZK|272.25|2026-11-28 14:05:00|Nova|1|2026-11-28|jan@example.test||Jan|Tester|Testovaci 12|Praha|11000|CZ|Jan|Tester|Testovaci 12|Praha|11000|CZ|CUP-02|Salek|3|90.75|21',
    ),
    columns: {
      '[ORDER_NUMBER]': 'order_no',
      '[CUSTOMER_NOTE]': 'note',
      '[CURRENCY_ID]': 'currency',
      '[CREATION_TIME]': 'ordered_at',
      '[FIRSTNAME_POSTAL]': 'ship_first_name',
      '[SURNAME_POSTAL]': 'ship_last_name',
      '[STREET_POSTAL]': 'ship_address1',
      '[CITY_POSTAL]': 'ship_city',
      '[ZIP_POSTAL]': 'ship_postcode',
      '[COUNTRY_ID_POSTAL]': 'ship_country',
      '[FIRSTNAME_INVOICE]': 'bill_first_name',
      '[STREET_INVOICE]': 'bill_address1',
      '[PRODUCT_CODE]': 'sku',
      '[PRODUCT_TITLE]': 'name',
      '[PRODUCT_QUANTITY]': 'qty',
      '[PRODUCT_PRICE_WITH_VAT]': 'unit_price_incl_vat',
    },
    outcomes: { order: 2 },
    first: { order_no: 'U-2601', ordered_at: '2026-11-10T09:30:00.000Z', currency: 'CZK', ship_to: lene, bill_to: { name: 'Ole Tester' } },
    lines: [
      ['MUG-01', 'Hrnek', '2', '151.25'],
      ['CUP-02', 'Salek', '1', '90.75'],
    ],
    doubts: [],
  },
}

describe('an order file, by a seventh hand, of', () => {
  it.each(Object.entries(files))('%s', async (_, file) => expectFile(file))
})
