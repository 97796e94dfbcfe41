/**
 * Order files of ten further systems and spreadsheets, written down with what they mean before the mapping read them.
 * The column names follow the public documentation named with each file; every person, product and number is invented.
 */
import { describe, it } from 'vitest'
import { expectFile, lene, type ShopFile } from '#test/order-files.ts'

const rows = (...lines: string[]) => `${lines.join('\r\n')}\r\n`
const tabs = (...lines: string[]) => rows(...lines.map(line => line.replaceAll(';', '\t')))

const files: Record<string, ShopFile> = {
  // Spiffy Stores, orders.csv (spiffystores.com.au/kb, "Downloading Your Orders"): a line for each item.
  'Spiffy Stores: three states, a name of the tax, order facts on the first line only': {
    content: rows(
      'Order,Email,Payment Status,Shipping Status,Closed Status,Currency,Payment Method,Subtotal,Shipping,Discount,Tax,Total,Tax Label,Shipping Method,Discount Code,Billing Name,Billing Company,Billing Address 1,Billing Address 2,Billing City,Billing State,Billing Postcode,Billing Country,Billing Phone,Shipping Name,Shipping Company,Shipping Address 1,Shipping Address 2,Shipping City,Shipping State,Shipping Postcode,Shipping Country,Shipping Phone,Note,Created at,Lineitem Quantity,Lineitem Name,Lineitem Price,Lineitem SKU,Lineitem Requires Shipping',
      '#3071,lene@example.com,paid,unshipped,False,AUD,PayPal,45.00,9.00,0.00,4.91,54.00,GST,Parcel Post,,Bo Berg,,1 Harbour St,,Sydney,NSW,2000,Australia,0400112233,Lene Hansen,,Prøvevej 5,,Odense C,,5000,Denmark,+45 20112233,,2026-11-10 10:30:00 +0100,2,Mug - Blue,12.50,MUG-01,True',
      '#3071,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,1,Jug,20.00,JUG-02,True',
      '#3072,ida@example.com,paid,unshipped,False,AUD,PayPal,12.50,9.00,0.00,1.95,21.50,GST,Parcel Post,,Ida Holm,,2 Market Rd,Unit 4,Perth,WA,6000,Australia,,Ida Holm,,2 Market Rd,Unit 4,Perth,WA,6000,Australia,,Leave at the gate,2026-11-25 07:15:00 +0100,1,Mug - Blue,12.50,MUG-01,True',
    ),
    columns: {
      Order: 'order_no',
      Currency: 'currency',
      'Created at': 'ordered_at',
      'Shipping Method': 'shipping_title',
      'Billing Name': 'bill_name',
      'Shipping Name': 'ship_name',
      'Shipping Address 1': 'ship_address1',
      'Shipping State': 'ship_region',
      'Shipping Postcode': 'ship_postcode',
      Note: 'note',
      'Lineitem Quantity': 'qty',
      'Lineitem Name': 'name',
      'Lineitem SKU': 'sku',
      'Lineitem Price': 'unit_price_incl_vat',
    },
    outcomes: { order: 2 },
    first: { order_no: '#3071', currency: 'AUD', ordered_at: '2026-11-10T09:30:00.000Z', ship_to: lene },
    lines: [
      ['MUG-01', 'Mug - Blue', '2', '12.50'],
      ['JUG-02', 'Jug', '1', '20.00'],
    ],
    doubts: [],
  },
  // MediaSell, fulfilment report (wiki.fillz.com, "Amazon fulfillment report file format"): tabs, fees of the place beside the price.
  'MediaSell: two ids of an order and of its item, three dates, ISBN as the id of the product': {
    content: tabs(
      'payment-status;order-id;order-item_id;payments-date;payments-transaction-id;product-id;item-name;listing-id;sku;price;shipping-fee;quantity-purchased;total-price;purchase-date;batch-id;buyer-email;buyer-name;recipient-name;ship-address-1;ship-address-2;ship-city;ship-state;ship-zip;ship-country;special-comments;upc;ship-method;status;location;tracking',
      'paid_ship_now;70011;90011;2026-11-10 10:31:15;T-1;9780306406157;A Book of Mugs;L-1;BK-01;12.50;3.00;2;28.00;2026-11-10 10:30:00;5;bo@example.com;Bo Berg;Lene Hansen;Prøvevej 5;;Odense C;;5000;Denmark;amazon_uk/026-1;;Standard;new;A-12;',
      'paid_ship_now;70011;90012;2026-11-10 10:31:15;T-1;9780306406164;Jugs of the North;L-2;BK-02;20.00;3.00;1;23.00;2026-11-10 10:30:00;5;bo@example.com;Bo Berg;Lene Hansen;Prøvevej 5;;Odense C;;5000;Denmark;amazon_uk/026-1;;Standard;new;A-14;',
      'paid_ship_now;70012;90013;2026-11-25 07:16:00;T-2;9780306406157;A Book of Mugs;L-1;BK-01;12.50;3.00;1;15.50;2026-11-25 07:15:00;5;ida@example.com;Ida Holm;Ida Holm;2 Market Sq;Flat 4;Leeds;;LS1 1AA;United Kingdom;amazon_uk/026-2;;Standard;new;A-12;',
    ),
    constants: { currency: 'GBP' },
    columns: {
      'order-id': 'order_no',
      'purchase-date': 'ordered_at',
      'payments-date': 'paid_at',
      'buyer-name': 'bill_name',
      'recipient-name': 'ship_name',
      'ship-address-1': 'ship_address1',
      'ship-address-2': 'ship_address2',
      'ship-zip': 'ship_postcode',
      'ship-country': 'ship_country',
      'ship-method': 'shipping_title',
      'item-name': 'name',
      sku: 'sku',
      'quantity-purchased': 'qty',
    },
    outcomes: { order: 2 },
    first: { order_no: '70011', ordered_at: '2026-11-10T09:30:00.000Z', ship_to: lene },
    lines: [
      ['BK-01', 'A Book of Mugs', '2', '12.50'],
      ['BK-02', 'Jugs of the North', '1', '20.00'],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // Extend Commerce, "Multikundorder - orderspec 2.0" (extendcommerce.atlassian.net/wiki): names and addresses in numbered lines.
  'Extend Commerce: a client that is no customer, two lines of a name, three of an address, a wished day of delivery': {
    content: rows(
      'ClientId;Orderno;OrderDate;Orderreference;CustomerNo;DeliveryMethod;DeliveryName1;DeliveryName2;DeliveryAddress1;DeliveryAddress2;DeliveryAddress3;DeliveryPostalCode;DeliveryCity;DeliveryState;DeliveryCountry;PhoneNumber;InvoiceName;InvoiceAddress1;InvoiceAddress2;InvoicePostalCode;InvoiceCity;InvoiceCountry;AskedDeliverydate;VATno;OrgNo;GoodsNotification;Productno;ProductDescription;Quantity;Price',
      'STJ;OC-111222;2026-11-10 10:30;Anders Andersson;17;SCHPAR;Lene Hansen;;Prøvevej 5;;;5000;Odense C;;DK;+45 20112233;Berg AB;Storgatan 1;;21122;Malmö;SE;2026-11-14 12:00;;;;MUG-01;Mugg;2;125,00',
      'STJ;OC-111222;2026-11-10 10:30;Anders Andersson;17;SCHPAR;Lene Hansen;;Prøvevej 5;;;5000;Odense C;;DK;+45 20112233;Berg AB;Storgatan 1;;21122;Malmö;SE;2026-11-14 12:00;;;;JUG-02;Kanna;1;1200,00',
      'STJ;OC-111223;2026-11-25 07:15;;18;SCHPAR;Holm AB;Att: Ida Holm;Torget 2;Port 4;;12345;Stockholm;;SE;;Holm AB;Torget 2;;12345;Stockholm;SE;2026-11-28 12:00;SE556677889901;556677-8899;;MUG-01;Mugg;1;125,00',
    ),
    constants: { currency: 'SEK' },
    columns: {
      Orderno: 'order_no',
      OrderDate: 'ordered_at',
      CustomerNo: 'customer_no',
      DeliveryMethod: 'shipping_title',
      DeliveryName1: 'ship_name',
      DeliveryName2: 'ship_attention',
      DeliveryAddress1: 'ship_address1',
      DeliveryAddress2: 'ship_address2',
      DeliveryPostalCode: 'ship_postcode',
      DeliveryCountry: 'ship_country',
      PhoneNumber: 'ship_phone',
      InvoiceName: 'bill_name',
      InvoiceAddress1: 'bill_address1',
      VATno: 'vat_no',
      Productno: 'sku',
      ProductDescription: 'name',
      Quantity: 'qty',
    },
    outcomes: { order: 2 },
    first: {
      order_no: 'OC-111222',
      ordered_at: '2026-11-10T09:30:00.000Z',
      delivery: null,
      ship_to: { ...lene, attention: null, phone: '+45 20112233' },
      bill_to: { name: 'Berg AB', country: 'SE' },
    },
    lines: [
      ['MUG-01', 'Mugg', '2', '125.00'],
      ['JUG-02', 'Kanna', '1', '1200.00'],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // 24SevenOffice, order import (support.24sevenoffice.com/no-no/importfelt-for-ordre): <br> divides the lines of an address.
  '24SevenOffice: tags in addresses, a zip area beside a city, names of the order without their prefix': {
    content: Buffer.from(
      rows(
        'OrderId;OrderDate;OrderStatus;CustomerId;CustomerName;InvoiceAddress;InvoiceZipcode;InvoiceZiparea;InvoiceCountry;DeliveryName;DeliveryAddress;DeliveryZipcode;DeliveryZiparea;DeliveryCountry;DeliveryPhone;OurRef;CustomerRef;ProductId;ProductNo;ProductName;Quantity;ProductPrice;ProductDiscount',
        '8801;10.11.2026;ForInvoice;1007;Berg AS;Storgata 1;0155;Oslo;Norge;Lene Hansen;Prøvevej 5<br>Leilighet 3;5000;Odense C;Danmark;20112233;Kari;Bo;301;KOPP-01;Kopp;2;100,00;0',
        '8801;10.11.2026;ForInvoice;1007;Berg AS;Storgata 1;0155;Oslo;Norge;Lene Hansen;Prøvevej 5<br>Leilighet 3;5000;Odense C;Danmark;20112233;Kari;Bo;302;KANNE-02;Kanne;1;1250,00;0',
        '8802;25.11.2026;ForInvoice;1008;Holm AS;Torget 2<BR>Inngang B;5003;Bergen;Norge;Holm AS;Torget 2;5003;Bergen;Norge;;Kari;Ida;301;KOPP-01;Kopp;6;100,00;0',
      ),
      'latin1',
    ),
    constants: { currency: 'NOK' },
    columns: {
      OrderId: 'order_no',
      OrderDate: 'ordered_at',
      CustomerId: 'customer_no',
      CustomerName: 'bill_name',
      InvoiceAddress: 'bill_address1',
      InvoiceZiparea: 'bill_city',
      DeliveryName: 'ship_name',
      DeliveryAddress: 'ship_address1',
      DeliveryZipcode: 'ship_postcode',
      DeliveryZiparea: 'ship_city',
      DeliveryCountry: 'ship_country',
      DeliveryPhone: 'ship_phone',
      ProductNo: 'sku',
      ProductName: 'name',
      Quantity: 'qty',
    },
    outcomes: { order: 2 },
    first: {
      order_no: '8801',
      ordered_at: '2026-11-09T23:00:00.000Z',
      ship_to: { ...lene, address1: 'Prøvevej 5', address2: 'Leilighet 3' },
      bill_to: { name: 'Berg AS', city: 'Oslo', country: 'NO' },
    },
    lines: [
      ['KOPP-01', 'Kopp', '2', '100.00'],
      ['KANNE-02', 'Kanne', '1', '1250.00'],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // Wix, export of orders since 2022 (support.wix.com, "Exporting your orders"): the number of all pieces beside that of the item.
  'Wix, newer export: the pieces of the order beside those of the item, deposits, net amounts and refunds': {
    content: `\ufeff${rows(
      'Order number,Date created,Time,Total order quantity,Contact email,Note from customer,Additional checkout info,Item,Variant,SKU,Qty,Quantity refunded,Price,Weight,Custom text,Deposit amount,Delivery method,Delivery time,Recipient name,Recipient phone,Recipient company name,Delivery country,Delivery state,Delivery city,Delivery address,Delivery postal code,Billing name,Billing phone,Billing company name,Billing country,Billing state,Billing city,Billing address,Billing postal code,Payment status,Payment method,Coupon code,Gift card amount,Shipping rate,Total tax,Total,Currency,Refunded amount,Net amount,Additional fees,Fulfillment status,Tracking number,Fulfillment service,Shipping label',
      '10071,"Nov 10, 2026",10:30:00 AM,3,lene@example.com,,,Mug,Color:Blue,MUG-01,2,0,12.50,0.35,,0,Standard,,Lene Hansen,+4520112233,,DNK,,Odense C,Prøvevej 5,5000,Bo Berg,,Berg ApS,DNK,,København K,Havnegade 1,1058,Paid,Credit card,,0,4.00,9.80,49.00,EUR,0,49.00,0,Unfulfilled,,,',
      '10071,"Nov 10, 2026",10:30:00 AM,3,lene@example.com,,,Jug,,JUG-02,1,0,20.00,1.2,,0,Standard,,Lene Hansen,+4520112233,,DNK,,Odense C,Prøvevej 5,5000,Bo Berg,,Berg ApS,DNK,,København K,Havnegade 1,1058,Paid,Credit card,,0,4.00,9.80,49.00,EUR,0,49.00,0,Unfulfilled,,,',
      '10072,"Nov 25, 2026",7:15:00 PM,1,ida@example.com,Ring twice,,Mug,Color:Red,MUG-03,1,0,12.50,0.35,,0,Standard,,Ida Holm,,,DNK,,Aarhus C,Torvet 2,8000,Ida Holm,,,DNK,,Aarhus C,Torvet 2,8000,Paid,Credit card,,0,4.00,3.30,16.50,EUR,0,16.50,0,Unfulfilled,,,',
    )}`,
    columns: {
      'Order number': 'order_no',
      'Date created': 'ordered_at',
      'Note from customer': 'note',
      Item: 'name',
      Variant: 'variant',
      SKU: 'sku',
      Qty: 'qty',
      'Delivery method': 'shipping_title',
      'Recipient name': 'ship_name',
      'Delivery country': 'ship_country',
      'Delivery city': 'ship_city',
      'Delivery address': 'ship_address1',
      'Delivery postal code': 'ship_postcode',
      'Billing name': 'bill_name',
      'Billing company name': 'bill_company',
      Currency: 'currency',
    },
    outcomes: { order: 2 },
    first: { order_no: '10071', currency: 'EUR', ship_to: lene, bill_to: { company: 'Berg ApS' } },
    lines: [
      ['MUG-01', 'Mug', '2', '12.50'],
      ['JUG-02', 'Jug', '1', '20.00'],
    ],
    doubts: [],
  },
  // Convictional, order import (support.convictional.com/guides/importing-orders/): code is the order, partner the retailer, no name of a product.
  'Convictional: "code" is the order and "partner" the retailer, no prices and no names of products': {
    content: rows(
      'code,partner,date,sku,quantity,name,company,city,zip,state,country,addressOne,addressTwo',
      'PO-4471,Nordstore,2026-11-10T09:30:00Z,MUG-01,2,Lene Hansen,,Odense C,5000,,DK,Prøvevej 5,',
      'PO-4471,Nordstore,2026-11-10T09:30:00Z,JUG-02,1,Lene Hansen,,Odense C,5000,,DK,Prøvevej 5,',
      'PO-4472,Southstore,2026-11-25T06:15:00Z,MUG-01,1,Ida Holm,Holm Inc,Boston,02108,MA,US,2 Market St,Apt 4',
    ),
    columns: {
      code: 'order_no',
      date: 'ordered_at',
      sku: 'sku',
      quantity: 'qty',
      name: 'ship_name',
      company: 'ship_company',
      city: 'ship_city',
      zip: 'ship_postcode',
      state: 'ship_region',
      country: 'ship_country',
      addressOne: 'ship_address1',
      addressTwo: 'ship_address2',
    },
    outcomes: { order: 2 },
    first: { order_no: 'PO-4471', ordered_at: '2026-11-10T09:30:00.000Z', ship_to: { ...lene, company: null } },
    lines: [
      ['MUG-01', 'MUG-01', '2', null],
      ['JUG-02', 'JUG-02', '1', null],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // PlentyONE, fields of an address in the REST API (developers.plentymarkets.com): name2 and name3 are the person, address2 is the number of the building.
  'PlentyONE: name1 to name3 are company, first and last name, address2 is the number of the building': {
    content: rows(
      'order.id;order.createdAt;order.statusId;order.currency;deliveryAddress.name1;deliveryAddress.name2;deliveryAddress.name3;deliveryAddress.address1;deliveryAddress.address2;deliveryAddress.address3;deliveryAddress.postalCode;deliveryAddress.town;deliveryAddress.country;deliveryAddress.phone;billingAddress.name1;billingAddress.name2;billingAddress.name3;billingAddress.address1;billingAddress.address2;billingAddress.postalCode;billingAddress.town;billingAddress.country;orderItem.itemVariationId;orderItem.variationNumber;orderItem.orderItemName;orderItem.quantity;orderItem.priceGross;orderItem.vatRate',
      '99120;2026-11-10T10:30:00+01:00;5;EUR;;Lene;Hansen;Prøvevej;5;;5000;Odense C;DK;20112233;Berg GmbH;Bo;Berg;Hafenstraße;1;24937;Flensburg;DE;1011;T-01;Tasse;2;12,50;19',
      '99120;2026-11-10T10:30:00+01:00;5;EUR;;Lene;Hansen;Prøvevej;5;;5000;Odense C;DK;20112233;Berg GmbH;Bo;Berg;Hafenstraße;1;24937;Flensburg;DE;1012;K-02;Krug;1;25,00;19',
      '99121;2026-11-25T07:15:00+01:00;5;EUR;Holm KG;Ida;Holm;Marktplatz;2 a;Hinterhof;6020;Innsbruck;AT;;Holm KG;Ida;Holm;Marktplatz;2 a;6020;Innsbruck;AT;1011;T-01;Tasse;1;12,50;19',
    ),
    columns: {
      'order.id': 'order_no',
      'order.createdAt': 'ordered_at',
      'order.currency': 'currency',
      'deliveryAddress.name1': 'ship_company',
      'deliveryAddress.name2': 'ship_first_name',
      'deliveryAddress.name3': 'ship_last_name',
      'deliveryAddress.address1': 'ship_address1',
      'deliveryAddress.address2': 'ship_street_number',
      'deliveryAddress.postalCode': 'ship_postcode',
      'deliveryAddress.town': 'ship_city',
      'billingAddress.name1': 'bill_company',
      'billingAddress.name3': 'bill_last_name',
      'billingAddress.address2': 'bill_street_number',
      'orderItem.variationNumber': 'sku',
      'orderItem.orderItemName': 'name',
      'orderItem.quantity': 'qty',
      'orderItem.priceGross': 'unit_price_incl_vat',
    },
    outcomes: { order: 2 },
    first: {
      order_no: '99120',
      currency: 'EUR',
      ordered_at: '2026-11-10T09:30:00.000Z',
      ship_to: lene,
      bill_to: { name: 'Bo Berg', company: 'Berg GmbH', address1: 'Hafenstraße 1' },
    },
    lines: [
      ['T-01', 'Tasse', '2', '12.50'],
      ['K-02', 'Krug', '1', '25.00'],
    ],
    doubts: ['sku'],
  },
  // mrpackstar.de, "Aufträge mit CSV-Datei manuell erstellen": a template with two addresses; empty ones are those of the account.
  'Fulfilment template in German: "Lieferadresse:" and "Rechnungsadresse:" before each field, ISO codes, no names of products': {
    content: rows(
      'Bestellnummer;Artikelnummer;Menge;Lieferadresse: Firma;Lieferadresse: Vor- und Nachname;Lieferadresse: Straße + Hausnummer;Lieferadresse: Adresszusatz;Lieferadresse: PLZ;Lieferadresse: Ort;Lieferadresse: Land (Iso-Code-2);Rechnungsadresse: Firma;Rechnungsadresse: Vor- und Nachname;Rechnungsadresse: Straße + Hausnummer;Rechnungsadresse: PLZ;Rechnungsadresse: Ort;Rechnungsadresse: Land (Iso-Code-2);Bemerkung',
      'B-77;T-01;2;;Lene Hansen;Prøvevej 5;;5000;Odense C;DK;Berg GmbH;Bo Berg;Hafenstraße 1;24937;Flensburg;DE;',
      'B-77;K-02;1;;Lene Hansen;Prøvevej 5;;5000;Odense C;DK;Berg GmbH;Bo Berg;Hafenstraße 1;24937;Flensburg;DE;',
      'B-78;T-01;1;Holm KG;Ida Holm;Marktplatz 2;Hinterhof;6020;Innsbruck;AT;Holm KG;Ida Holm;Marktplatz 2;6020;Innsbruck;AT;Bitte vor 12 Uhr',
    ),
    constants: { currency: 'EUR' },
    columns: {
      Bestellnummer: 'order_no',
      Artikelnummer: 'sku',
      Menge: 'qty',
      'Lieferadresse: Firma': 'ship_company',
      'Lieferadresse: Vor- und Nachname': 'ship_name',
      'Lieferadresse: Straße + Hausnummer': 'ship_address1',
      'Lieferadresse: Adresszusatz': 'ship_address2',
      'Lieferadresse: PLZ': 'ship_postcode',
      'Lieferadresse: Land (Iso-Code-2)': 'ship_country',
      'Rechnungsadresse: Vor- und Nachname': 'bill_name',
      'Rechnungsadresse: Land (Iso-Code-2)': 'bill_country',
      Bemerkung: 'note',
    },
    outcomes: { order: 2 },
    first: {
      order_no: 'B-77',
      ship_to: { ...lene, company: null },
      bill_to: { company: 'Berg GmbH', address1: 'Hafenstraße 1', country: 'DE' },
    },
    lines: [
      ['T-01', 'T-01', '2', null],
      ['K-02', 'K-02', '1', null],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // By hand: all items of an order under each other in a cell, with their number in brackets; the sum of the order at the end.
  'Excel, Danish by hand: items under each other with their number in brackets, a state column, "I alt" is the order’s': {
    content: Buffer.from(
      rows(
        'Ordreliste uge 47;;;;;;;',
        'Nr.;Dato;Kunde;Leveringsadresse;Tlf.;Varer;I alt;Status',
        '3001;10/11 2026;Lene Hansen;"Prøvevej 5\n5000 Odense C";20112233;"2 x Kop blå (KOP-01)\n1 x Kande (KAN-02)";1.349,00 kr.;Betalt',
        '3002;25/11 2026;Ida Holm;"Torvet 2, 2. tv.\n8000 Aarhus C";30112233;1 x Kop blå (KOP-01);50,00 kr.;Betalt',
        ';;;;;I alt;1.399,00 kr.;',
      ),
      'latin1',
    ),
    columns: {
      'Nr.': 'order_no',
      Dato: 'ordered_at',
      Leveringsadresse: 'ship_address1',
      'Tlf.': 'ship_phone',
      Varer: 'items',
    },
    outcomes: { order: 2, skipped: 1 },
    first: { order_no: '3001', currency: 'DKK', ordered_at: '2026-11-09T23:00:00.000Z', ship_to: lene },
    lines: [
      ['KOP-01', 'Kop blå', '2', null],
      ['KAN-02', 'Kande', '1', null],
    ],
    doubts: ['currency', 'order_no', 'ship_address1', 'ship_country', 'unit_price_excl_vat'],
  },
  // By hand, in the United States: "City, ST ZIP" in one cell, the month first, ordered and back-ordered, the extended price.
  'Excel, American by hand: "City, ST ZIP" in one cell, the month first, "Ext." is the sum of the line, dollars in the cells': {
    content: rows(
      'Open orders as of 11/26/2026,,,,,,,,,,,',
      'PO #,PO Date,Ship To,Addr,Addr 2,City/State/ZIP,Item #,Descr.,Ord. Qty,Unit,Unit Price,Ext.',
      'A7781,11/10/2026,Lena Hanson,5 Test Rd,,"Boston, MA 02108",MUG-01,"Mug, blue",2,EA,"$12.50","$25.00"',
      'A7781,11/10/2026,Lena Hanson,5 Test Rd,,"Boston, MA 02108",TBL-09,Table,1,EA,"$1,249.00","$1,249.00"',
      'A7782,11/25/2026,Ida Holm,2 Market St,Apt 4,"Denver, CO 80202",MUG-01,"Mug, blue",1,EA,"$12.50","$12.50"',
      ',,,,,,,Total,4,,,"$1,286.50"',
    ),
    constants: { currency: 'USD', ship_country: 'US' },
    columns: {
      'PO #': 'order_no',
      'PO Date': 'ordered_at',
      'Ship To': 'ship_name',
      Addr: 'ship_address1',
      'Addr 2': 'ship_address2',
      'City/State/ZIP': 'ship_postcode',
      'Item #': 'sku',
      'Descr.': 'name',
      'Ord. Qty': 'qty',
    },
    outcomes: { order: 2, skipped: 1 },
    first: {
      order_no: 'A7781',
      ordered_at: '2026-11-09T23:00:00.000Z',
      ship_to: { name: 'Lena Hanson', address1: '5 Test Rd', postcode: '02108', city: 'Boston', region: 'MA', country: 'US' },
    },
    lines: [
      ['MUG-01', 'Mug, blue', '2', '12.50'],
      ['TBL-09', 'Table', '1', '1249.00'],
    ],
    doubts: ['currency', 'ship_country', 'unit_price_excl_vat'],
  },
}

describe('an order file of', () => {
  it.each(Object.entries(files))('%s', async (_, file) => expectFile(file))
})
