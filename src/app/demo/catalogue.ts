/** The demo's catalogue of an outdoor shop, a home shop and the warehouse's own company – all invented, pictures included. */
import sharp from 'sharp'
import { elementAt, valueAt } from '#domain/objects.ts'
import { setComponents } from '#features/catalog/products/product-components.commands.ts'
import { checkDigit } from '#features/orders/order-imports/invent-missing-data.rules.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Services } from '#platform/http/feature-module.ts'

/** The motif of the picture. */
type Kind = keyof typeof drawings

export interface DemoProduct {
  sku: string
  name: string
  variant?: string
  kind: Kind
  /** Accent colour of the picture. */
  tint: string
  weight_g: number
  size_mm: [length: number, width: number, height: number]
  bin: string
  hs_code: string
  origin: string
  customs_text: string
  /** Without VAT, in minor units of the shop's currency. */
  price: number
  /** Pieces in an outer pack with a barcode of its own. */
  outer?: number
  serial?: true
  no_barcode?: true
}

const [moss, harbour, amber, brick, ink, sand, sky, plum] = [
  '#5d7a4d',
  '#2f6d8c',
  '#c98a2b',
  '#a4503c',
  '#4a4f55',
  '#d8c9a8',
  '#a9c7d4',
  '#7b5c78',
] as const

const p = (
  sku: string,
  name: string,
  kind: Kind,
  tint: string,
  weight_g: number,
  size_mm: DemoProduct['size_mm'],
  bin: string,
  [hs_code, origin, customs_text]: readonly [string, string, string],
  price: number,
  more: Partial<DemoProduct> = {},
): DemoProduct => ({ sku, name, kind, tint, weight_g, size_mm, bin, hs_code, origin, customs_text, price, ...more })

const steel = ['732393', 'CN', 'Drinking bottle of stainless steel'] as const
const stoneware = ['691200', 'PT', 'Tableware of stoneware'] as const
const wool = ['630120', 'LT', 'Blanket of wool'] as const
const cotton = ['630260', 'TR', 'Kitchen linen of cotton'] as const

export const catalogue: Record<'demo' | 'demo-north' | 'demo-home', readonly DemoProduct[]> = {
  'demo-north': [
    p(
      'NO-TENT-2',
      'Tent Fjellro, two persons',
      'tent',
      moss,
      2_350,
      [480, 160, 160],
      'A-01-1',
      ['630622', 'CN', 'Tent of polyester'],
      219_900,
    ),
    p(
      'NO-TENT-4',
      'Tent Fjellro, four persons',
      'tent',
      brick,
      3_900,
      [560, 200, 200],
      'A-01-1',
      ['630622', 'CN', 'Tent of polyester'],
      329_900,
    ),
    p(
      'NO-PACK-28',
      'Backpack Varde 28 l',
      'backpack',
      harbour,
      980,
      [520, 300, 120],
      'A-02-1',
      ['420292', 'VN', 'Backpack of nylon'],
      99_900,
      { variant: 'Harbour blue' },
    ),
    p(
      'NO-PACK-45',
      'Backpack Varde 45 l',
      'backpack',
      moss,
      1_420,
      [620, 340, 160],
      'A-02-2',
      ['420292', 'VN', 'Backpack of nylon'],
      149_900,
      { variant: 'Moss green' },
    ),
    p('NO-BOT-075', 'Steel bottle 0.75 l', 'bottle', sky, 310, [270, 75, 75], 'A-03-1', steel, 24_900, { outer: 12 }),
    p('NO-BOT-100', 'Steel bottle 1.0 l', 'bottle', ink, 380, [300, 85, 85], 'A-03-2', steel, 29_900, { outer: 12 }),
    p('NO-LAMP-H', 'Head lamp Nattsyn 400', 'lamp', amber, 96, [90, 70, 50], 'A-04-1', ['851310', 'CN', 'Head lamp with battery'], 44_900, {
      serial: true,
    }),
    p('NO-STOVE', 'Gas stove Lille', 'stove', ink, 112, [90, 60, 60], 'A-04-3', ['732111', 'DE', 'Camping stove, without gas'], 39_900, {
      serial: true,
    }),
    p('NO-MUG-E', 'Enamel mug', 'mug', harbour, 140, [90, 90, 80], 'A-05-1', ['732394', 'CN', 'Mug of enamelled steel'], 9_900, {
      outer: 24,
      variant: 'Blue',
    }),
    p('NO-MUG-W', 'Enamel mug', 'mug', sand, 140, [90, 90, 80], 'A-05-2', ['732394', 'CN', 'Mug of enamelled steel'], 9_900, {
      outer: 24,
      variant: 'Sand',
    }),
    p('NO-JKT-M', 'Shell jacket Regn', 'jacket', amber, 420, [340, 260, 60], 'B-01-1', ['620193', 'BD', 'Jacket of polyamide'], 129_900, {
      variant: 'M',
    }),
    p('NO-JKT-L', 'Shell jacket Regn', 'jacket', amber, 440, [340, 260, 60], 'B-01-2', ['620193', 'BD', 'Jacket of polyamide'], 129_900, {
      variant: 'L',
    }),
    p('NO-SOCK-42', 'Wool socks 40–42', 'socks', plum, 95, [260, 110, 40], 'B-02-1', ['611595', 'LV', 'Socks of wool'], 15_900, {
      outer: 10,
    }),
    p('NO-SOCK-45', 'Wool socks 43–45', 'socks', moss, 102, [270, 110, 40], 'B-02-2', ['611595', 'LV', 'Socks of wool'], 15_900, {
      outer: 10,
    }),
    p('NO-KNIFE', 'Carving knife Bjørk', 'knife', sand, 118, [220, 40, 30], 'B-03-1', ['821192', 'NO', 'Knife with fixed blade'], 34_900),
    p('NO-ROPE-10', 'Accessory cord, per metre', 'rope', brick, 26, [80, 80, 40], 'B-03-4', ['560750', 'PT', 'Cord of polyamide'], 1_900, {
      no_barcode: true,
    }),
  ],
  'demo-home': [
    p('HH-BLANK-G', 'Wool throw Hed', 'blanket', ink, 780, [320, 260, 80], 'C-01-1', wool, 79_900, { variant: 'Grey' }),
    p('HH-BLANK-O', 'Wool throw Hed', 'blanket', amber, 780, [320, 260, 80], 'C-01-2', wool, 79_900, { variant: 'Ochre' }),
    p('HH-CAND-S', 'Beeswax candle, small', 'candle', amber, 120, [60, 60, 90], 'C-02-1', ['340600', 'SE', 'Candle of beeswax'], 8_900, {
      outer: 12,
    }),
    p('HH-CAND-L', 'Beeswax candle, large', 'candle', sand, 310, [80, 80, 150], 'C-02-2', ['340600', 'SE', 'Candle of beeswax'], 16_900, {
      outer: 6,
    }),
    p('HH-BOARD', 'Oak board Disk', 'board', sand, 640, [380, 220, 20], 'C-03-1', ['441911', 'LV', 'Serving board of oak'], 34_900),
    p(
      'HH-BOARD-L',
      'Oak board Disk, large',
      'board',
      amber,
      980,
      [480, 280, 25],
      'C-03-2',
      ['441911', 'LV', 'Serving board of oak'],
      49_900,
    ),
    p('HH-TOWEL-B', 'Tea towel Rand', 'towel', harbour, 85, [220, 160, 12], 'C-04-1', cotton, 12_900, { variant: 'Blue', outer: 20 }),
    p('HH-TOWEL-R', 'Tea towel Rand', 'towel', brick, 85, [220, 160, 12], 'C-04-2', cotton, 12_900, { variant: 'Red', outer: 20 }),
    p('HH-VASE-1', 'Vase Kust, low', 'vase', sky, 900, [160, 160, 140], 'C-05-1', stoneware, 44_900),
    p('HH-VASE-2', 'Vase Kust, tall', 'vase', moss, 1_450, [180, 180, 300], 'C-05-2', stoneware, 64_900),
    p('HH-CUP-4', 'Coffee cups, set of four', 'mug', sand, 1_120, [240, 240, 110], 'D-01-1', stoneware, 39_900),
    p('HH-BOWL', 'Serving bowl Vik', 'bowl', harbour, 860, [260, 260, 90], 'D-01-2', stoneware, 32_900),
    p('HH-BASK-M', 'Basket Vide', 'basket', sand, 540, [300, 300, 260], 'D-02-1', ['460212', 'VN', 'Basket of rattan'], 37_900),
    p('HH-CLOCK', 'Wall clock Timme', 'clock', ink, 720, [300, 300, 45], 'D-02-3', ['910521', 'CN', 'Wall clock with battery'], 59_900, {
      serial: true,
    }),
    p('HH-LAMP', 'Table lamp Glöd', 'tablelamp', amber, 1_680, [260, 260, 420], 'D-03-1', ['940521', 'PL', 'Table lamp'], 89_900),
    p('HH-SHELF', 'Shelf Hylla 60', 'shelf', sand, 2_900, [620, 220, 60], 'D-03-4', ['940360', 'EE', 'Shelf of birch'], 69_900),
  ],
  demo: [
    p('PK-TAPE', 'Paper tape, 50 m', 'tape', sand, 220, [120, 120, 50], 'E-01-1', ['481141', 'DE', 'Adhesive tape of paper'], 2_900, {
      outer: 36,
    }),
    p('PK-BOX-S', 'Shipping box, small', 'box', sand, 90, [250, 180, 10], 'E-01-2', ['481910', 'DK', 'Box of corrugated board'], 600, {
      outer: 25,
    }),
    p('PK-BOX-M', 'Shipping box, medium', 'box', sand, 160, [380, 280, 10], 'E-01-3', ['481910', 'DK', 'Box of corrugated board'], 900, {
      outer: 25,
    }),
    p('PK-LABEL', 'Label roll 100 × 150 mm', 'roll', sky, 980, [160, 160, 105], 'E-02-1', ['482110', 'DE', 'Labels of paper'], 9_900, {
      outer: 6,
    }),
    p('PK-GLOVE-M', 'Work gloves', 'gloves', moss, 70, [240, 110, 25], 'E-02-2', ['611610', 'CN', 'Gloves, coated'], 3_900, {
      variant: 'M',
      outer: 12,
    }),
    p('PK-KNIFE', 'Safety knife', 'knife', amber, 64, [160, 35, 20], 'E-02-3', ['821193', 'DE', 'Knife with retracting blade'], 6_900),
    p('PK-SCAN', 'Hand scanner HS-1', 'scanner', ink, 340, [180, 90, 100], 'E-03-1', ['847190', 'CN', 'Barcode scanner'], 129_900, {
      serial: true,
    }),
    p('PK-TOTE', 'Picking tote, blue', 'tote', harbour, 1_250, [600, 400, 200], 'E-03-2', ['392310', 'PL', 'Tote of plastic'], 12_900),
  ],
}

/** What shops sell as one: it has a code of its own, and its parts lie in their own bins. */
export interface DemoBundle extends Pick<DemoProduct, 'sku' | 'name' | 'kind' | 'tint' | 'price'> {
  parts: readonly (readonly [sku: string, quantity: number])[]
}

export const demoBundles: Record<keyof typeof catalogue, readonly DemoBundle[]> = {
  'demo-north': [
    {
      ...{ sku: 'NO-SET-CAMP', name: 'Camp set for two', kind: 'tent', tint: amber, price: 299_900 },
      parts: [
        ['NO-TENT-2', 1],
        ['NO-STOVE', 1],
        ['NO-MUG-E', 2],
      ],
    },
    {
      ...{ sku: 'NO-SET-DAY', name: 'Day trip set', kind: 'backpack', tint: sand, price: 129_900 },
      parts: [
        ['NO-PACK-28', 1],
        ['NO-BOT-075', 1],
      ],
    },
  ],
  'demo-home': [
    {
      ...{ sku: 'HH-SET-GIFT', name: 'Gift set, candle and towels', kind: 'candle', tint: plum, price: 39_900 },
      parts: [
        ['HH-CAND-L', 1],
        ['HH-TOWEL-B', 1],
        ['HH-TOWEL-R', 1],
      ],
    },
  ],
  demo: [],
}

/** The barcode of a company's bundle. */
export const bundleBarcode = (company: keyof typeof catalogue, place: number): string =>
  demoBarcode(company, catalogue[company].length + place)

const series = { demo: '20', 'demo-north': '21', 'demo-home': '22' } as const

/** EAN-13 that starts with 2: GS1 reserves these for internal use, so they belong to no real product. */
export function demoBarcode(company: keyof typeof catalogue, place: number, outer = false): string {
  const digits = `${series[company]}${outer ? '9' : '0'}${String(place + 1).padStart(9, '0')}`
  return digits + checkDigit(digits)
}

interface OwnFacts {
  weight_g: number | null
  bin: string | null
  hs_code: string | null
  origin: string | null
  customs_text: string | null
  length_mm: number | null
  width_mm: number | null
  height_mm: number | null
  variant: string | null
  serial_required: boolean
  no_barcode: boolean
}
/** A bundle weighs what its parts weigh, and lies where they lie. */
const nothingOfItsOwn: OwnFacts = {
  ...{ weight_g: null, bin: null, hs_code: null, origin: null, customs_text: null, length_mm: null, width_mm: null, height_mm: null },
  ...{ variant: null, serial_required: false, no_barcode: false },
}

/** Stores a company's catalogue; returns the products' ids by SKU. */
export async function buildCatalogue(services: Services, scope: TenantScope, company: keyof typeof catalogue): Promise<void> {
  const products = catalogue[company]
  const bundles = demoBundles[company]
  const pictures = await Promise.all(
    [...products, ...bundles].map(async product => services.files.put(scope.operator_id, await drawProduct(product))),
  )
  await services.database.transaction(scope, async db => {
    const rows: (OwnFacts & { sku: string; name: string; image_file_id: number })[] = []
    for (const [place, product] of products.entries()) {
      const image_file_id = await recordFile(db, elementAt(pictures, place), { media_type: 'image/webp', name: `${product.sku}.webp` })
      const [length_mm, width_mm, height_mm] = product.size_mm
      const { sku, name, weight_g, bin, hs_code, origin, customs_text } = product
      rows.push({
        ...{ sku, name, weight_g, bin, hs_code, origin, customs_text, image_file_id, length_mm, width_mm, height_mm },
        variant: product.variant ?? null,
        serial_required: product.serial ?? false,
        no_barcode: product.no_barcode ?? false,
      })
    }
    for (const [place, { sku, name }] of bundles.entries()) {
      const picture = elementAt(pictures, products.length + place)
      const image_file_id = await recordFile(db, picture, { media_type: 'image/webp', name: `${sku}.webp` })
      rows.push({ ...nothingOfItsOwn, sku, name, image_file_id })
    }
    const made = await db.insertInto('products').values(rows).returning(['id', 'sku']).execute()
    const ids = new Map(made.map(row => [row.sku, row.id]))
    const codes = products.flatMap((product, place) => {
      const product_id = valueAt(ids, product.sku)
      return [
        ...(product.no_barcode ? [] : [{ product_id, barcode: demoBarcode(company, place), quantity: 1 }]),
        ...(product.outer ? [{ product_id, barcode: demoBarcode(company, place, true), quantity: product.outer }] : []),
      ]
    })
    codes.push(...bundles.map(({ sku }, place) => ({ product_id: valueAt(ids, sku), barcode: bundleBarcode(company, place), quantity: 1 })))
    await db.insertInto('product_barcodes').values(codes).execute()
    await setComponents(
      db,
      bundles.map(({ sku, parts }) => ({ sku, components: parts.map(([part, quantity]) => ({ sku: part, quantity })) })),
    )
  })
}

// ——— Pictures: line drawings with one accent colour, on a grid of 200 by 200

const line = 'fill="none" stroke="#23272b" stroke-width="3" stroke-linejoin="round" stroke-linecap="round"'
const filled = (tint: string) => `fill="${tint}" stroke="#23272b" stroke-width="3" stroke-linejoin="round"`

const drawings = {
  tent: (c: string) =>
    `<path ${filled(c)} d="M30 150 100 50l70 100z"/><path fill="#f5efe2" stroke="#23272b" stroke-width="3" d="M82 150l18-52 18 52z"/><path ${line} d="M100 50V38M30 150l-12 8M170 150l12 8"/>`,
  backpack: (c: string) =>
    `<path ${line} d="M82 44c0-16 36-16 36 0"/><rect ${filled(c)} x="56" y="44" width="88" height="118" rx="22"/><rect fill="#f5efe2" stroke="#23272b" stroke-width="3" x="70" y="104" width="60" height="44" rx="8"/><path ${line} d="M62 78h76M100 104v14"/>`,
  bottle: (c: string) =>
    `<rect ${filled('#e8e2d4')} x="86" y="30" width="28" height="20" rx="4"/><path ${filled(c)} d="M82 58c0-6 4-8 8-8h20c4 0 8 2 8 8 8 8 12 16 12 30v72c0 8-6 12-12 12H82c-6 0-12-4-12-12V88c0-14 4-22 12-30z"/><path ${line} d="M70 108h60M84 124v30"/>`,
  lamp: (c: string) =>
    `<path ${line} d="M34 96c20-44 112-44 132 0M34 96c20 30 112 30 132 0"/><rect ${filled(c)} x="70" y="80" width="60" height="46" rx="12"/><circle fill="#fbf8f0" stroke="#23272b" stroke-width="3" cx="100" cy="103" r="15"/><path ${line} d="M100 140v18M78 136l-10 14M122 136l10 14"/>`,
  stove: (c: string) =>
    `<path ${line} d="M46 74h108M64 74l16 30M136 74l-16 30"/><rect ${filled(c)} x="82" y="96" width="36" height="26" rx="4"/><path ${filled('#e8e2d4')} d="M72 130c0-6 6-8 10-8h36c4 0 10 2 10 8v26c0 6-4 8-8 8H80c-4 0-8-2-8-8z"/><path ${line} d="M100 68c-12-10 2-16 0-28 14 12 12 22 0 28z"/>`,
  mug: (c: string) =>
    `<path ${line} d="M136 84c34-6 34 50-4 46"/><path ${filled(c)} d="M58 64h80l-6 84c-1 8-6 10-12 10H76c-6 0-11-2-12-10z"/><ellipse fill="#fbf8f0" stroke="#23272b" stroke-width="3" cx="98" cy="64" rx="40" ry="10"/>`,
  jacket: (c: string) =>
    `<path ${filled(c)} d="M78 46l22 14 22-14 34 18 12 62-22 6-8-34v68H62V98l-8 34-22-6 12-62z"/><path ${line} d="M100 60v106M74 126h14M112 126h14"/><path ${line} d="M82 48c4-14 32-14 36 0"/>`,
  socks: (c: string) =>
    `<path ${filled(c)} d="M92 40h34v60c0 12-4 16-14 26l-30 30c-10 10-34 4-32-14 2-12 20-16 30-28 8-10 12-16 12-26z"/><path ${line} d="M92 56h34M92 66h34"/><path ${line} d="M62 132c8 2 14 8 16 16"/>`,
  knife: (c: string) =>
    `<path fill="#eef0ee" stroke="#23272b" stroke-width="3" stroke-linejoin="round" d="M96 98 150 44c10 8 10 24 0 36l-36 36z"/><path ${filled(c)} d="M98 100l16 16-46 46c-8 8-22-6-14-16z"/><circle fill="#23272b" cx="70" cy="144" r="3"/>`,
  rope: (c: string) =>
    `<circle ${line} cx="100" cy="100" r="52"/><circle fill="none" stroke="${c}" stroke-width="18" cx="100" cy="100" r="42"/><circle ${line} cx="100" cy="100" r="32"/><path ${line} d="M62 66l12 14M138 66l-12 14M62 134l12-14M138 134l-12-14M100 48v18M100 134v18M48 100h18M134 100h18"/><path ${line} d="M140 132c20 8 22 22 34 22"/>`,
  blanket: (c: string) =>
    `<path ${filled(c)} d="M40 78c0-8 6-12 14-12h92c8 0 14 4 14 12v62H40z"/><path ${line} d="M40 98h120M40 118h120"/><path ${line} d="M46 140v12M58 140v12M70 140v12M82 140v12M94 140v12M106 140v12M118 140v12M130 140v12M142 140v12M154 140v12"/>`,
  candle: (c: string) =>
    `<path ${line} d="M100 62c-14-14 0-22 0-34 14 14 14 24 0 34zM100 62v14"/><rect ${filled(c)} x="74" y="76" width="52" height="82" rx="6"/><path ${line} d="M74 92c10 8 18-4 26 2s18 0 26-4"/><path ${line} d="M60 160h80"/>`,
  board: (c: string) =>
    `<path ${filled(c)} d="M56 60h66c10 0 14 6 14 14v66c0 8-4 14-14 14H56c-10 0-14-6-14-14V74c0-8 4-14 14-14z"/><path ${filled(c)} d="M136 96h26c8 0 8 22 0 22h-26z"/><circle fill="#fbf8f0" stroke="#23272b" stroke-width="3" cx="154" cy="107" r="4"/><path ${line} d="M56 82c20 6 40-4 64 2M56 106c26 4 40-6 64 0M56 130c20-6 44 4 64-2"/>`,
  towel: (c: string) =>
    `<path ${line} d="M30 52h140"/><path fill="#fbf8f0" stroke="#23272b" stroke-width="3" stroke-linejoin="round" d="M62 52h76v104H62z"/><path fill="${c}" d="M64 118h72v8H64zM64 132h72v4H64zM64 108h72v4H64z"/><path ${line} d="M62 72h76"/>`,
  vase: (c: string) =>
    `<path ${filled(c)} d="M84 66h32c-2 18 28 30 28 60 0 24-16 36-24 36H80c-8 0-24-12-24-36 0-30 30-42 28-60z"/><ellipse fill="#fbf8f0" stroke="#23272b" stroke-width="3" cx="100" cy="66" rx="18" ry="5"/><path ${line} d="M98 62c-4-20-14-26-22-30M102 62c2-22 10-26 20-36M100 62V28"/>`,
  bowl: (c: string) =>
    `<path ${filled(c)} d="M36 86h128c0 42-30 64-64 64S36 128 36 86z"/><ellipse fill="#fbf8f0" stroke="#23272b" stroke-width="3" cx="100" cy="86" rx="64" ry="16"/><path ${line} d="M80 152h40"/>`,
  basket: (c: string) =>
    `<path ${line} d="M60 84c0-50 80-50 80 0"/><path ${filled(c)} d="M46 84h108l-12 74H58z"/><path ${line} d="M50 108h100M54 132h92M74 84l6 74M100 84v74M126 84l-6 74"/>`,
  clock: (c: string) =>
    `<circle ${filled(c)} cx="100" cy="100" r="62"/><circle fill="#fbf8f0" stroke="#23272b" stroke-width="3" cx="100" cy="100" r="50"/><path ${line} d="M100 64v36l24 16M100 54v6M100 140v6M54 100h6M140 100h6"/>`,
  tablelamp: (c: string) =>
    `<path ${filled(c)} d="M76 36h48l26 60H50z"/><path ${line} d="M100 96v52"/><path ${filled('#e8e2d4')} d="M70 160c0-10 14-14 30-14s30 4 30 14z"/><path ${line} d="M126 96v22"/><circle fill="#23272b" cx="126" cy="121" r="3"/>`,
  shelf: (c: string) =>
    `<path ${filled(c)} d="M26 112h148v14H26z"/><path ${line} d="M50 126v26c0 4 10 0 14-26M150 126v26c0 4-10 0-14-26"/><rect fill="#fbf8f0" stroke="#23272b" stroke-width="3" x="52" y="70" width="14" height="42"/><rect ${filled('#a9c7d4')} x="68" y="62" width="12" height="50"/><rect ${filled('#a4503c')} x="82" y="74" width="16" height="38"/><path ${filled('#e8e2d4')} d="M120 92h26l-4 20h-18z"/><path ${line} d="M133 92c-2-14-12-14-14-20M133 92c2-14 10-16 14-20"/>`,
  tape: (c: string) =>
    `<ellipse ${filled(c)} cx="92" cy="96" rx="52" ry="52"/><ellipse fill="#fbf8f0" stroke="#23272b" stroke-width="3" cx="92" cy="96" rx="24" ry="24"/><path ${filled(c)} d="M92 148h72l6-10-6-12h-34"/>`,
  box: (c: string) =>
    `<path ${filled(c)} d="M40 74l60-28 60 28v64l-60 28-60-28z"/><path ${line} d="M40 74l60 28 60-28M100 102v64"/><path ${line} d="M70 60l60 28v22"/>`,
  roll: (c: string) =>
    `<ellipse ${filled('#e8e2d4')} cx="80" cy="92" rx="44" ry="50"/><ellipse fill="#fbf8f0" stroke="#23272b" stroke-width="3" cx="80" cy="92" rx="16" ry="18"/><path fill="#fbf8f0" stroke="#23272b" stroke-width="3" stroke-linejoin="round" d="M84 142h84v-40h-44"/><rect fill="${c}" x="134" y="110" width="26" height="6"/><path ${line} d="M134 124h26M134 132h18"/>`,
  gloves: (c: string) =>
    `<path ${filled(c)} d="M70 160v-40L54 96c-6-10 6-18 12-8l12 16V56c0-10 14-10 14 0v36-46c0-10 14-10 14 0v46-40c0-10 14-10 14 0v44-28c0-10 14-10 14 0v50c0 14-8 22-8 32v10z"/><path ${line} d="M70 140h56"/>`,
  scanner: (c: string) =>
    `<path ${filled(c)} d="M52 50h72c14 0 26 12 26 24s-12 18-26 18H52c-8 0-12-10-12-21s4-21 12-21z"/><path ${filled('#e8e2d4')} d="M84 92h34l10 60c2 10-6 14-14 14h-8c-8 0-12-6-12-12z"/><path ${line} d="M126 98c10 8 8 18 0 22"/><path stroke="#a4503c" stroke-width="3" stroke-dasharray="5 5" d="M38 70 16 62M38 76l-24 2"/>`,
  tote: (c: string) =>
    `<path ${filled(c)} d="M32 72h136l-12 82H44z"/><path ${filled(c)} d="M26 60h148v14H26z"/><path fill="#fbf8f0" stroke="#23272b" stroke-width="3" d="M82 88h36v12H82z"/><path ${line} d="M62 118v22M84 118v22M116 118v22M138 118v22"/>`,
} as const

/** 400 by 400 WebP on a paper-coloured background. */
function drawProduct({ kind, tint }: Pick<DemoProduct, 'kind' | 'tint'>): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200" width="400" height="400"><rect width="200" height="200" fill="#faf8f4"/><ellipse cx="100" cy="168" rx="66" ry="7" fill="#e9e3d6"/>${drawings[kind](tint)}</svg>`
  return sharp(Buffer.from(svg)).webp({ quality: 84 }).toBuffer()
}
