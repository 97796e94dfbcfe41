/** Boxes of the demo with drawn pictures, and rules by SKU about them – all invented. */
import { sql } from 'kysely'
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

const surely = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('The demo lacks a row that it has just made')
  return value
}

/** What the own van and its letters cost, by invented zones and steps; last year's prices ended with the year. */
export async function buildPrices(services: Services, scope: TenantScope, today: string): Promise<void> {
  const year = Number(today.slice(0, 4))
  await services.database.transaction(scope, async db => {
    const zones = await db
      .insertInto('price_zones')
      .values([
        { name: 'Denmark', countries: ['DK'] },
        { name: 'Islands', countries: ['DK'], postcodes: '3700-3799, 5960-5970, 8305' },
        { name: 'Nordic', countries: ['SE', 'NO', 'FI'] },
      ])
      .returning(['id', 'name'])
      .execute()
    const steps = [
      { max_g: 1_000, amount: 3_100 },
      { max_g: 5_000, amount: 3_900 },
      { max_g: 10_000, amount: 5_200 },
      { max_g: 20_000, amount: 7_100 },
      { max_g: 35_000, amount: 7_100, per_kg_amount: 250 },
    ]
    const factor: Record<string, number> = { Denmark: 1, Islands: 1.6, Nordic: 2.4 }
    await db
      .insertInto('courier_prices')
      .values(
        ['van', 'pickup'].flatMap(shipping_method =>
          zones.flatMap(zone =>
            [year - 1, year].flatMap(from =>
              steps.map(step => ({
                ...{ per_kg_amount: null, ...step },
                ...{ agent_code: 'own', shipping_method, zone_id: zone.id, currency: 'DKK', volume_divisor: 5_000 },
                amount: Math.round(
                  step.amount * surely(factor[zone.name]) * (from === year ? 1 : 0.95) * (shipping_method === 'van' ? 1 : 0.8),
                ),
                valid_from: `${from}-01-01`,
                valid_to: from === year ? null : `${from}-12-31`,
              })),
            ),
          ),
        ),
      )
      .execute()
    await db
      .insertInto('price_surcharges')
      .values([
        { name: 'Fuel', agent_code: 'own', kind: 'percent', percent_milli: 6_500, valid_from: `${year}-01-01` },
        {
          name: 'Long parcel',
          agent_code: 'own',
          kind: 'amount',
          amount: 4_500,
          currency: 'DKK',
          over_length_mm: 1_200,
          valid_from: `${year}-01-01`,
        },
      ])
      .execute()
  })
}

/**
 * Which box each parcel of the past went out in, and what its courier charged. Packers take a larger box than the suggested one for the same
 * few baskets again and again.
 */
export async function buildCrateChoices(services: Services, scope: TenantScope): Promise<void> {
  await services.database.transaction(scope, async db => {
    await sql`
      with parcels as (
        select s.operator_id, s.company_id, s.order_id, min(s.parcel_no) as parcel_no, count(*) as parcels, max(s.weight_g) as weight_g,
          max(coalesce(s.booked_at, s.created_at)) as closed_at
        from shipments s
        where s.order_id is not null and s.operation_code = 'outbound' and s.booked_at is not null and s.cancelled_at is null
        group by s.operator_id, s.company_id, s.order_id
      ), baskets as (
        select l.operator_id, l.order_id,
          left(translate(encode(sha256(convert_to(string_agg(upper(l.sku) || E'\\n' || (l.qty - l.cancelled_qty), E'\\n'
            order by (upper(l.sku) || E'\\n' || (l.qty - l.cancelled_qty)) collate "C"), 'UTF8')), 'base64'), '+/', '-_'), 32) as basket_key
        from order_lines l
        where l.type = 'item' and l.requires_shipping and l.qty > l.cancelled_qty and l.sku is not null
        group by l.operator_id, l.order_id
      ), chosen as (
        select p.*, b.basket_key,
          case when p.weight_g <= 900 then 'XS' when p.weight_g <= 2500 then 'S' when p.weight_g <= 7000 then 'B4' else 'L' end as suggested,
          case when ('x' || substr(md5(b.basket_key), 1, 6))::bit(24)::integer % 14 <> 0 then null
            when p.weight_g <= 900 then 'S' when p.weight_g <= 2500 then 'B4' else 'L' end as other
        from parcels p join baskets b on b.operator_id = p.operator_id and b.order_id = p.order_id
        where p.parcels = 1
      )
      insert into crate_choices (operator_id, company_id, order_id, parcel_no, suggested_id, suggested_cost, used_id, used_cost, currency,
        source, closed_at, taken_id, basket_key)
      select c.operator_id, c.company_id, c.order_id, c.parcel_no, s.id, s.cost, u.id, u.cost, u.currency,
        case when s.id = u.id then 'suggested' else 'scanned' end, c.closed_at, u.id, c.basket_key
      from chosen c
      join crate_types s on s.operator_id = c.operator_id and s.code = c.suggested
      join crate_types u on u.operator_id = c.operator_id and u.code = coalesce(c.other, c.suggested)
      on conflict do nothing`.execute(db)
    await sql`
      insert into shipment_prices (operator_id, company_id, shipment_id, amount, currency, charged_g, zone, parts, priced_at)
      select p.operator_id, p.company_id, p.id, p.step + p.fuel, 'DKK', p.weight_g, p.zone,
        jsonb_build_array(jsonb_build_object('name', '', 'amount', p.step), jsonb_build_object('name', 'Fuel', 'amount', p.fuel)), p.booked_at
      from (
        select q.*, floor(q.step * 0.065 + 0.5)::integer as fuel
        from (
          select s.operator_id, s.company_id, s.id, s.weight_g, s.booked_at,
            case when o.ship_country = 'DK' then 'Denmark' else 'Nordic' end as zone,
            floor((case when s.weight_g <= 1000 then 3100 when s.weight_g <= 5000 then 3900 when s.weight_g <= 10000 then 5200 else 7100 end)
              * (case when o.ship_country = 'DK' then 1 else 2.4 end) + 0.5)::integer as step
          from shipments s join orders o on o.operator_id = s.operator_id and o.id = s.order_id
          where s.agent_code = 'own' and s.booked_at is not null and o.ship_country in ('DK', 'SE', 'NO', 'FI')
        ) q
      ) p
      on conflict do nothing`.execute(db)
  })
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
