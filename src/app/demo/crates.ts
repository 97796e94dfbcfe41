/** Boxes of the demo with drawn pictures, and rules by SKU about them – all invented. */
import sharp from 'sharp'
import { elementAt } from '#domain/objects.ts'
import type { CrateRuleKind } from '#features/catalog/crates/crates.codes.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import { recordFile } from '#platform/files/file-store.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { catalogue } from './catalogue.ts'

type Sides = readonly [length: number, width: number, height: number]
interface DemoCrate {
  name: string
  code: string
  inner: Sides
  tare_g: number
  max_g: number
  cost: number
  colour: string
  stock?: number
  low_stock?: number
  letter_box?: true
  filler_percent?: number
  active?: false
}
const [card, grey, white] = ['#c8a878', '#8d9399', '#e9e4da']

const crates: readonly DemoCrate[] = [
  { name: 'Letter bag', code: 'BAG', inner: [340, 240, 28], tare_g: 15, max_g: 1_000, cost: 120, colour: white, letter_box: true },
  { name: 'Box XS', code: 'XS', inner: [200, 150, 90], tare_g: 70, max_g: 5_000, cost: 170, colour: card, stock: 640, low_stock: 100 },
  { name: 'Box S', code: 'S', inner: [300, 220, 140], tare_g: 120, max_g: 10_000, cost: 240, colour: card, stock: 85, low_stock: 100 },
  { name: 'Box B4', code: 'B4', inner: [390, 290, 190], tare_g: 210, max_g: 20_000, cost: 340, colour: card, stock: 410, low_stock: 100 },
  {
    name: 'Padded box',
    code: 'PAD',
    inner: [340, 340, 340],
    tare_g: 380,
    max_g: 15_000,
    cost: 690,
    colour: grey,
    filler_percent: 10,
    stock: 120,
    low_stock: 40,
  },
  { name: 'Long box', code: 'LONG', inner: [650, 240, 220], tare_g: 420, max_g: 20_000, cost: 620, colour: card },
  { name: 'Box L', code: 'L', inner: [590, 390, 380], tare_g: 700, max_g: 30_000, cost: 890, colour: card, stock: 230, low_stock: 50 },
  { name: 'Old box M', code: 'M-OLD', inner: [350, 250, 150], tare_g: 190, max_g: 12_000, cost: 310, colour: grey, active: false },
]

interface DemoRule {
  sku: string
  kind: CrateRuleKind
  crate?: string
  pieces?: number
  percent?: number
}
/** What a shop says of all of its products of one kind. */
const fragile = (skus: readonly string[]): DemoRule[] =>
  skus.flatMap((sku): DemoRule[] => [
    { sku, kind: 'must_not', crate: 'BAG' },
    { sku, kind: 'filler', percent: 15 },
  ])
const rules: Record<keyof typeof catalogue, readonly DemoRule[]> = {
  demo: [
    { sku: 'PK-TOTE', kind: 'alone' },
    { sku: 'PK-LABEL', kind: 'keep_flat' },
    { sku: 'PK-TAPE', kind: 'pieces', pieces: 12, crate: 'S' },
  ],
  'demo-north': [
    { sku: 'NO-PACK-45', kind: 'alone' },
    { sku: 'NO-STOVE', kind: 'must_not', crate: 'BAG' },
    { sku: 'NO-KNIFE', kind: 'must_not', crate: 'BAG' },
    { sku: 'NO-BOT-075', kind: 'pieces', pieces: 12, crate: 'B4' },
    { sku: 'NO-BOT-100', kind: 'keep_flat' },
    ...fragile(['NO-MUG-E', 'NO-MUG-W', 'NO-LAMP-H']),
  ],
  'demo-home': [
    { sku: 'HH-VASE-1', kind: 'fragile_top' },
    { sku: 'HH-VASE-2', kind: 'must', crate: 'PAD' },
    { sku: 'HH-CLOCK', kind: 'keep_flat' },
    { sku: 'HH-SHELF', kind: 'must', crate: 'LONG' },
    { sku: 'HH-LAMP', kind: 'alone' },
    ...fragile(['HH-CUP-4', 'HH-BOWL', 'HH-VASE-1', 'HH-CAND-L']),
  ],
}

export async function buildCrates(
  services: Services,
  scope: TenantScope,
  shops: readonly { company: keyof typeof catalogue; scope: TenantScope }[],
): Promise<void> {
  const pictures = await Promise.all(
    crates.map(async crate =>
      services.files.put(
        scope.operator_id,
        await sharp(Buffer.from(drawn(crate)))
          .webp({ quality: 84 })
          .toBuffer(),
      ),
    ),
  )
  const ids = new Map<string, number>()
  await services.database.transaction(scope, async db => {
    for (const [place, { inner, colour: _, ...crate }] of crates.entries()) {
      const picture = elementAt(pictures, place)
      const { id } = await db
        .insertInto('crate_types')
        .values({
          ...crate,
          position: place + 1,
          currency: 'DKK',
          inner_mm: [...inner],
          outer_mm: inner.map(side => side + (crate.letter_box ? 4 : 10)),
          image_file_id: await recordFile(db, picture, { media_type: 'image/webp', name: `${crate.code}.webp` }),
          image_sha256: picture.sha256,
          image_bytes: picture.bytes,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      ids.set(crate.code, id)
    }
  })
  for (const { company, scope: own } of shops)
    await services.database.transaction(own, db =>
      db
        .insertInto('crate_rules')
        .values(
          rules[company].map(({ crate, pieces, percent, ...rule }) => ({
            ...rule,
            crate_type_id: crate === undefined ? null : (ids.get(crate) ?? null),
            pieces: pieces ?? null,
            percent: percent ?? null,
          })),
        )
        .execute(),
    )
}

/** The box from above at an angle, all of them at the same scale. */
function drawn({ inner: [length, width, height], colour, code }: DemoCrate): string {
  const scale = 0.42
  const [dx, dy] = [0.87 * scale, 0.5 * scale]
  const at = (x: number, y: number, z: number) => `${(200 + (x - y) * dx).toFixed(1)},${(120 + (x + y) * dy - z * scale).toFixed(1)}`
  const face = (shade: number, ...corners: string[]) =>
    `<polygon points="${corners.join(' ')}" fill="${colour}" stroke="#4a4f55" stroke-width="2" stroke-linejoin="round"/><polygon points="${corners.join(' ')}" fill="#000" opacity="${shade}"/>`
  const [l, w, h] = [length, width, height]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" width="400" height="400"><rect width="400" height="400" fill="#f3f1ec"/>
    <g transform="translate(${((w - l) * dx) / 2} ${120 - ((l + w) * dy) / 2 + (h * scale) / 2 - 40})">
    ${face(0, at(0, 0, h), at(l, 0, h), at(l, w, h), at(0, w, h))}
    ${face(0.18, at(0, w, 0), at(l, w, 0), at(l, w, h), at(0, w, h))}
    ${face(0.1, at(l, 0, 0), at(l, w, 0), at(l, w, h), at(l, 0, h))}
    </g><text x="24" y="372" font-family="sans-serif" font-size="34" font-weight="600" fill="#4a4f55">${code}</text></svg>`
}
