/**
 * Ten more order files, written before they were read: carriers' and fulfilment tools, and lists of offices in further languages and layouts.
 * The column names follow the public documentation named with each file; every person, product and number is invented.
 */
import { describe, it } from 'vitest'
import { expectFile, lene, type ShopFile, table } from '#test/order-files.ts'

const sheet = (separator: string, ...rows: string[]) => table(separator, ...rows.map(row => row.split('|')))

const files: Record<string, ShopFile> = {
  // support.shippingeasy.com, "CSV Order Uploads": the columns; weights in ounces.
  'ShippingEasy: a full name beside its parts, weights in ounces, dates with the month first': {
    content: sheet(
      ',',
      'Order Number|Order date & time|Status|Order Total|Requested service|Shipping cost|Item name|Item SKU|Item unit price|Item Quantity|Item unit weight (oz)|Full Name|First Name|Last Name|Company|Address Line 1|Address Line 2|City|State|Postal Code|Country|Phone|Email',
      'SE-1|11/10/26 10:30 AM|Paid|36.40|Priority|3.90|Mug|MUG-01|12.50|2|14.1|Lene Hansen|Lene|Hansen||Prøvevej 5||Odense C||5000|DK|20123456|lene@example.test',
      'SE-1|11/10/26 10:30 AM|Paid|36.40|Priority|3.90|Cup|CUP-02|7.50|1|8.8|Lene Hansen|Lene|Hansen||Prøvevej 5||Odense C||5000|DK|20123456|lene@example.test',
      'SE-2|11/28/26 2:05 PM|Paid|11.40|Priority|3.90|Cup|CUP-02|7.50|1|8.8|Ole Test|Ole|Test|Test Inc.|1 Test St|Apt 2|Boston|MA|02108|US||ole@example.test',
    ),
    columns: {
      'Order Number': 'order_no',
      'Order date & time': 'ordered_at',
      'Requested service': 'shipping_title',
      'Item name': 'name',
      'Item SKU': 'sku',
      'Item Quantity': 'qty',
      Company: 'ship_company',
      'Address Line 1': 'ship_address1',
      City: 'ship_city',
      State: 'ship_region',
      'Postal Code': 'ship_postcode',
      Country: 'ship_country',
    },
    outcomes: { order: 2 },
    first: { order_no: 'SE-1', ordered_at: '2026-11-10T09:30:00.000Z', ship_to: lene, lines: [{ weight_g: null }, { weight_g: null }] },
    lines: [
      ['MUG-01', 'Mug', '2', '12.50'],
      ['CUP-02', 'Cup', '1', '7.50'],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // github.com/SebastianDabkowski/mercato-3, "Logistics CSV Export": sub-orders of sellers, items with their variant in brackets.
  'Marketplace, logistics export: an order within an order, "name (variant) x quantity"': {
    content: sheet(
      ',',
      'Sub-Order Number|Parent Order Number|Created Date|Status|Buyer Name|Buyer Email|Buyer Phone|Address Line 1|Address Line 2|City|State/Province|Postal Code|Country|Shipping Method|Shipping Cost|Tracking Number|Items|Total',
      'ORD-7-1|ORD-7|2026-11-10 09:30:00|Paid|Lene Hansen|lene@example.test|20123456|Prøvevej 5||Odense C||5000|Denmark|GLS|4.90||Mug (Red) x2; Cup x1|37.40',
      'ORD-8-1|ORD-8|2026-11-28 13:05:00|Cancelled|Ann Tester|ann@example.test||1 Test Street|Flat 2|London||SW1A 1AA|United Kingdom|GLS|4.90||Cup x3|27.40',
    ),
    columns: {
      'Sub-Order Number': 'order_no',
      'Created Date': 'ordered_at',
      'Buyer Name': 'bill_name',
      'Buyer Email': 'ship_email',
      'Buyer Phone': 'ship_phone',
      'Address Line 1': 'ship_address1',
      City: 'ship_city',
      'Postal Code': 'ship_postcode',
      Country: 'ship_country',
      'Shipping Method': 'shipping_title',
      Items: 'items',
    },
    outcomes: { order: 1, skipped: 1 },
    first: { order_no: 'ORD-7-1', ship_to: lene },
    lines: [
      [null, 'Mug (Red)', '2', null],
      [null, 'Cup', '1', null],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // support.missingink.com, "Fulfillment CSV Formatting": a blank in one name, the others with underscores; blanks after the commas.
  'Fulfilment CSV: blanks after the commas, product columns behind the recipient': {
    content: [
      'order id, ship_name, ship_attn, ship_email, ship_phone, ship_address_1, ship_address_2, ship_city, ship_state, ship_zipcode, ship_country, product_sku, product_qty, product_name',
      '1111, Lene Hansen, , lene@example.test, 20123456, Prøvevej 5, , Odense C, , 5000, DK, MUG-01, 2, Mug (Large)',
      '1111, Lene Hansen, , lene@example.test, 20123456, Prøvevej 5, , Odense C, , 5000, DK, CUP-02, 1, Cup',
      '2222, Test Inc., Ole Test, ole@example.test, , 1 Test St, Apt 2, Boston, MA, 02108, US, CUP-02, 3, Cup',
      '',
    ].join('\n'),
    columns: {
      'order id': 'order_no',
      ship_name: 'ship_name',
      ship_attn: 'ship_attention',
      ship_address_1: 'ship_address1',
      ship_zipcode: 'ship_postcode',
      product_sku: 'sku',
      product_qty: 'qty',
      product_name: 'name',
    },
    outcomes: { order: 2 },
    first: { order_no: '1111', ship_to: lene },
    lines: [
      ['MUG-01', 'Mug (Large)', '2', null],
      ['CUP-02', 'Cup', '1', null],
    ],
    doubts: ['currency', 'unit_price_excl_vat'],
  },
  // napoveda.nody.cz, columns of the order export: Czech titles.
  'Czech shop: house numbers apart, crowns in the cells, prices with and without VAT': {
    content: `\ufeff${sheet(
      ';',
      'Číslo objednávky|Datum objednávky|Stav|Jméno|Příjmení|Firma|Ulice|Číslo domu|Město|PSČ|Země|Telefon|E-mail|Způsob dopravy|Poznámka|Kód zboží|Název zboží|Množství|Cena bez DPH|Cena s DPH|DPH %',
      '2101|10. 11. 2026 10:30|Nová|Lene|Hansen||Prøvevej|5|Odense C|5000|Dánsko|20123456|lene@example.test|Zásilkovna|Zvoňte|MUG-01|Hrnek|2|836,78 Kč|1 012,50 Kč|21',
      '2102|28. 11. 2026 14:05|Nová|Jiří|Zkouška|Zkouška s.r.o.|Zkušební|12/3|Praha|110 00|Česko|600123456|jiri@example.test|PPL||CUP-02|Šálek|1|6,20 Kč|7,50 Kč|21',
    )}`,
    columns: {
      'Číslo objednávky': 'order_no',
      'Datum objednávky': 'ordered_at',
      Jméno: 'ship_first_name',
      Příjmení: 'ship_last_name',
      Firma: 'ship_company',
      Ulice: 'ship_address1',
      'Číslo domu': 'ship_street_number',
      Město: 'ship_city',
      PSČ: 'ship_postcode',
      Země: 'ship_country',
      'Způsob dopravy': 'shipping_title',
      Poznámka: 'note',
      'Kód zboží': 'sku',
      'Název zboží': 'name',
      Množství: 'qty',
      'Cena s DPH': 'unit_price_incl_vat',
      'DPH %': 'vat_percent',
    },
    outcomes: { order: 2 },
    first: { order_no: '2101', ordered_at: '2026-11-10T09:30:00.000Z', currency: 'CZK', ship_to: lene, notes: [{ text: 'Zvoňte' }] },
    lines: [['MUG-01', 'Hrnek', '2', '1012.50']],
    doubts: [],
  },
  // Microsoft Excel with Portuguese regional settings, typed by hand.
  'Excel, Portuguese by hand: short names with full stops, prices without VAT': {
    content: Buffer.from(
      sheet(
        ';',
        'Encomendas de novembro||||||||||||||',
        'Encomenda n.º|Data|Nome|Apelido|Morada|Código postal|Localidade|País|Telemóvel|Ref.|Designação|Qtd.|Preço unit. (sem IVA)|Taxa IVA|Observações',
        '3101|10/11/2026|Lene|Hansen|Prøvevej 5|5000|Odense C|Dinamarca|20123456|MUG-01|Caneca|2|1.012,50 \u0080|23%|Tocar à campainha',
        '3102|28/11/2026|João|Teste|Rua do Teste 2|1000-001|Lisboa|Portugal|912345678|CUP-02|Chávena|3|7,50 \u0080|23%|',
        '3103|29/11/2026|Ana|Teste|Rua do Teste 4|1000-001|Lisboa|Portugal|912345679|CUP-02|Chávena|1|7,50 \u0080|23%|',
      ),
      'latin1',
    ),
    columns: {
      'Encomenda n.º': 'order_no',
      Data: 'ordered_at',
      Nome: 'ship_first_name',
      Apelido: 'ship_last_name',
      Morada: 'ship_address1',
      'Código postal': 'ship_postcode',
      Localidade: 'ship_city',
      País: 'ship_country',
      Telemóvel: 'ship_phone',
      'Ref.': 'sku',
      Designação: 'name',
      'Qtd.': 'qty',
      'Preço unit. (sem IVA)': 'unit_price_excl_vat',
      Observações: 'note',
    },
    outcomes: { order: 3 },
    first: { order_no: '3101', ordered_at: '2026-11-09T23:00:00.000Z', currency: 'EUR', ship_to: lene },
    lines: [['MUG-01', 'Caneca', '2', '1012.50']],
    doubts: [],
  },
  // Microsoft Excel with French regional settings, typed by hand.
  'Excel, French by hand: the whole address in a cell, sums of lines and of all': {
    content: `\ufeff${sheet(
      ';',
      'Commandes à expédier|||||||||',
      'Semaine 46|||||||||',
      '|||||||||',
      'N° cde|Le|Client|Adresse complète|Tél.|Réf.|Article|Nb|PU TTC|Total TTC',
      '4101|10/11/2026|Lene Hansen|Prøvevej 5, 5000 Odense C, Danemark|20123456|MUG-01|Tasse|2|1 012,50 €|2 025,00 €',
      '4101|10/11/2026|Lene Hansen|Prøvevej 5, 5000 Odense C, Danemark|20123456|CUP-02|Gobelet|1|7,50 €|7,50 €',
      '4102|28/11/2026|Jean Testeur|1 rue du Test, 75001 Paris, France|0612345678|CUP-02|Gobelet|3|7,50 €|22,50 €',
      'Total général|||||||6||2 055,00 €',
    )}`,
    columns: {
      'N° cde': 'order_no',
      Client: 'bill_name',
      'Adresse complète': 'ship_address1',
      'Tél.': 'ship_phone',
      'Réf.': 'sku',
      Article: 'name',
      Nb: 'qty',
      'PU TTC': 'unit_price_incl_vat',
    },
    outcomes: { order: 2, skipped: 1 },
    first: { order_no: '4101', ordered_at: null, currency: 'EUR', ship_to: lene },
    lines: [
      ['MUG-01', 'Tasse', '2', '1012.50'],
      ['CUP-02', 'Gobelet', '1', '7.50'],
    ],
    doubts: ['ordered_at', 'ship_address1'],
  },
  // help.parcel.royalmail.com, Click & Drop, "Import orders from a file": the columns of the template.
  'Royal Mail Click & Drop: the weight of the parcel beside that of a piece, customs columns, titles': {
    content: sheet(
      ',',
      'Order reference|Special instructions|Date|Weight|Package size|Subtotal|Shipping cost|Total|Currency code|Service code|Customer title|First name|Last name|Full name|Phone|Email|Company name|Address line 1|Address line 2|Address line 3|City|County|Postcode|Country|Product SKU|Customs description|Customs code|Country of origin|Quantity|Unit price|Unit weight',
      'RM-1|Leave with neighbour|10/11/2026|1.05|Parcel|32.50|3.90|36.40|GBP|TPN24|Mrs|Lene|Hansen|Lene Hansen|20123456|lene@example.test||Prøvevej 5|||Odense C||5000|Denmark|MUG-01|Ceramic mug|69111000|GB|2|12.50|0.40',
      'RM-1|Leave with neighbour|10/11/2026|1.05|Parcel|32.50|3.90|36.40|GBP|TPN24|Mrs|Lene|Hansen|Lene Hansen|20123456|lene@example.test||Prøvevej 5|||Odense C||5000|Denmark|CUP-02|Ceramic cup|69111000|GB|1|7.50|0.25',
      'RM-2||28/11/2026|0.25|Parcel|7.50|3.90|11.40|GBP|TPN24|Mr|John|Tester|John Tester|07700900123|john@example.test|Test Ltd|Flat 2|1 Test Street||London|Greater London|SW1A 1AA|United Kingdom|CUP-02|Ceramic cup|69111000|GB|1|7.50|0.25',
    ),
    columns: {
      'Order reference': 'order_no',
      'Special instructions': 'ship_instruction',
      Date: 'ordered_at',
      'Currency code': 'currency',
      'Service code': 'shipping_code',
      'Company name': 'ship_company',
      'Address line 1': 'ship_address1',
      City: 'ship_city',
      Postcode: 'ship_postcode',
      Country: 'ship_country',
      'Product SKU': 'sku',
      'Customs description': 'customs_text',
      'Customs code': 'hs_code',
      'Country of origin': 'origin',
      Quantity: 'qty',
      'Unit weight': 'weight_kg',
    },
    outcomes: { order: 2 },
    first: {
      order_no: 'RM-1',
      ordered_at: '2026-11-09T23:00:00.000Z',
      currency: 'GBP',
      ship_to: lene,
      lines: [{ weight_g: 400 }, { weight_g: 250 }],
    },
    lines: [
      ['MUG-01', 'MUG-01', '2', '12.50'],
      ['CUP-02', 'CUP-02', '1', '7.50'],
    ],
    doubts: ['unit_price_excl_vat'],
  },
  // Microsoft Excel with Norwegian regional settings: a picking list with a pair of columns for each item.
  'Excel, Norwegian by hand: a pair of columns for each item': {
    content: sheet(
      ';',
      'Ordrenr|Dato|Leveres til|Adresse|Postnr|Sted|Land|Mobil|Vare 1|Antall 1|Vare 2|Antall 2|Merknad',
      '5101|10.11.2026|Lene Hansen|Prøvevej 5|5000|Odense C|Danmark|20123456|MUG-01|2|CUP-02|1|Ring på',
      '5102|28.11.2026|Åse Bjørn|Prøvegata 2|0150|Oslo|Norge|20123457|CUP-02|3|||',
    ),
    columns: {
      Ordrenr: 'order_no',
      Dato: 'ordered_at',
      'Leveres til': 'ship_name',
      Adresse: 'ship_address1',
      Postnr: 'ship_postcode',
      Sted: 'ship_city',
      Land: 'ship_country',
      Mobil: 'ship_phone',
      Merknad: 'note',
    },
    outcomes: { order: 2 },
    first: { order_no: '5101', ordered_at: '2026-11-09T23:00:00.000Z', ship_to: lene, notes: [{ text: 'Ring på' }] },
    lines: [
      [null, 'MUG-01', '2', null],
      [null, 'CUP-02', '1', null],
    ],
    doubts: ['currency', 'items', 'sku', 'unit_price_excl_vat'],
  },
  // github.com/christian71-stack/kaufland_seller_api_v2, docs/Model: the fields of an order unit; a row for each piece.
  'Marketplace, order units: a row for each piece and no quantity, addresses behind a full stop': {
    content: sheet(
      ';',
      'id_order_unit|id_order|ts_created_iso|status|id_offer|product.title|product.eans|price|revenue_gross|currency|shipping_address.first_name|shipping_address.last_name|shipping_address.company_name|shipping_address.street|shipping_address.house_number|shipping_address.additional_field|shipping_address.postcode|shipping_address.city|shipping_address.country|shipping_address.phone|buyer.email',
      '90001|M4X7Q2|2026-11-10T09:30:00Z|need_to_be_sent|MUG-01|Tasse|2000000000015|12.50|10.80|EUR|Lene|Hansen||Prøvevej|5||5000|Odense C|DK|20123456|lene@marketplace.example.test',
      '90002|M4X7Q2|2026-11-10T09:30:00Z|need_to_be_sent|CUP-02|Becher|2000000000022|7.50|6.40|EUR|Lene|Hansen||Prøvevej|5||5000|Odense C|DK|20123456|lene@marketplace.example.test',
      '90003|M5Y8R3|2026-11-28T13:05:00Z|cancelled|CUP-02|Becher|2000000000022|7.50|6.40|EUR|Max|Muster|Muster GmbH|Testweg|3a|Hof|10115|Berlin|DE||max@marketplace.example.test',
    ),
    columns: {
      id_order: 'order_no',
      ts_created_iso: 'ordered_at',
      'product.title': 'name',
      'product.eans': 'barcode',
      currency: 'currency',
      'shipping_address.first_name': 'ship_first_name',
      'shipping_address.last_name': 'ship_last_name',
      'shipping_address.company_name': 'ship_company',
      'shipping_address.street': 'ship_address1',
      'shipping_address.house_number': 'ship_street_number',
      'shipping_address.postcode': 'ship_postcode',
      'shipping_address.city': 'ship_city',
      'shipping_address.country': 'ship_country',
      'buyer.email': 'ship_email',
    },
    constants: { qty: '1' },
    outcomes: { order: 1, skipped: 1 },
    first: { order_no: 'M4X7Q2', ordered_at: '2026-11-10T09:30:00.000Z', currency: 'EUR', ship_to: lene },
    lines: [
      [null, 'Tasse', '1', '12.50'],
      [null, 'Becher', '1', '7.50'],
    ],
    doubts: ['qty', 'unit_price_excl_vat'],
  },
  // LibreOffice Calc with Swedish settings, a list of a person in an office.
  'Calc, Swedish by hand: name and address under each other in one cell, pieces with their unit in another': {
    content: table(
      '\t',
      ['Order', 'Inkom', 'Leveras till', 'Telefon', 'Ska ha', 'Övrigt'],
      [
        '6101',
        '2026-11-10',
        'Lene Hansen\nPrøvevej 5\n5000 Odense C\nDanmark',
        '20123456',
        '2 st Mugg (MUG-01)\n1 st Kopp (CUP-02)',
        'Ring på',
      ],
      ['6102', '2026-11-28', 'Åsa Ström\nProvgatan 2\n123 45 Älvsjö\nSverige', '070-174 06 06', '3 st Kopp (CUP-02)', ''],
    ),
    columns: { Order: 'order_no', Inkom: 'ordered_at', Telefon: 'ship_phone', 'Ska ha': 'items', Övrigt: 'note' },
    outcomes: { order: 2 },
    first: { order_no: '6101', ordered_at: '2026-11-09T23:00:00.000Z', ship_to: lene, notes: [{ text: 'Ring på' }] },
    lines: [
      ['MUG-01', 'Mugg', '2', null],
      ['CUP-02', 'Kopp', '1', null],
    ],
    doubts: ['currency', 'items', 'ship_address1', 'unit_price_excl_vat'],
  },
}

describe('an order file, by a fourth hand, of', () => {
  it.each(Object.entries(files))('%s', async (_, file) => expectFile(file))
})
