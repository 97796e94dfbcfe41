/** The demo's week of orders: invented recipients in five countries, in every state of an order. */
import { sql } from 'kysely'
import { fromMinor } from '#domain/money.ts'
import { elementAt, keysOf } from '#domain/objects.ts'
import { readCanonical, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { toOrder } from '#domain/order/canonical-order-checks.ts'
import { restoreStatus } from '#features/orders/orders/order-state.commands.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { buildTools } from './builders.ts'
import { catalogue, type DemoProduct, demoBarcode } from './catalogue.ts'

/** Deterministic random numbers: mulberry32. */
function diceOf(seed: number): (sides: number) => number {
  let state = seed >>> 0
  return sides => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}
type Dice = ReturnType<typeof diceOf>

interface Land {
  locale: string
  vat: string
  first: readonly string[]
  last: readonly string[]
  streets: readonly string[]
  places: readonly (readonly [postcode: string, city: string])[]
  address(street: string, number: number): string
  /** Numbers that cannot be called: reserved for fiction by the regulator, or never assigned (Danish and Norwegian ones do not start with 0). */
  phone(roll: Dice): string
}

const number = (street: string, no: number) => `${street} ${no}`
const lands: Record<'DK' | 'NO' | 'SE' | 'DE' | 'GB', Land> = {
  DK: {
    locale: 'da_DK',
    vat: '25',
    first: ['Lene', 'Søren', 'Maja', 'Rasmus', 'Åse', 'Frederik', 'Ida', 'Anders', 'Birgitte', 'Jeppe', 'Signe', 'Torben'],
    last: ['Aagaard', 'Bjerre', 'Dalsgaard', 'Enevold', 'Fjord', 'Grøn', 'Højlund', 'Kjær', 'Lykke', 'Møllegård', 'Overgaard', 'Stenbæk'],
    streets: ['Rugmarken', 'Havnevej', 'Kirkestien', 'Møllebakken', 'Egeallé', 'Strandparken', 'Birkelunden', 'Nygade'],
    places: [
      ['2100', 'København Ø'],
      ['5000', 'Odense C'],
      ['8000', 'Aarhus C'],
      ['9000', 'Aalborg'],
      ['4000', 'Roskilde'],
      ['7400', 'Herning'],
      ['6700', 'Esbjerg'],
    ],
    address: number,
    phone: roll => `+450${String(1_000_000 + roll(8_999_999))}`,
  },
  NO: {
    locale: 'no_NO',
    vat: '25',
    first: ['Ola', 'Ingrid', 'Sindre', 'Kari', 'Håkon', 'Marte', 'Øystein', 'Solveig', 'Eirik', 'Tuva'],
    last: ['Nesset', 'Brekke', 'Fosse', 'Granli', 'Hauge', 'Lien', 'Moen', 'Rønning', 'Skogstad', 'Våge'],
    streets: ['Storgata', 'Fjellveien', 'Bryggekanten', 'Skogstien', 'Solbakken', 'Kirkeveien'],
    places: [
      ['0155', 'Oslo'],
      ['5003', 'Bergen'],
      ['7010', 'Trondheim'],
      ['4006', 'Stavanger'],
      ['9008', 'Tromsø'],
    ],
    address: number,
    phone: roll => `+470${String(1_000_000 + roll(8_999_999))}`,
  },
  SE: {
    locale: 'sv_SE',
    vat: '25',
    first: ['Elin', 'Gustav', 'Åsa', 'Nils', 'Maja', 'Oskar', 'Linnéa', 'Björn', 'Ebba', 'Hugo'],
    last: ['Almgren', 'Bergqvist', 'Ekdahl', 'Forslund', 'Hägglund', 'Lindvall', 'Nyström', 'Sjögren', 'Wikander'],
    streets: ['Storgatan', 'Björkvägen', 'Hamngatan', 'Lindallén', 'Norra Kajen', 'Ängsstigen'],
    places: [
      ['111 29', 'Stockholm'],
      ['411 03', 'Göteborg'],
      ['211 19', 'Malmö'],
      ['753 20', 'Uppsala'],
      ['903 26', 'Umeå'],
    ],
    address: number,
    phone: roll => `+467017406${String(5 + roll(95)).padStart(2, '0')}`,
  },
  DE: {
    locale: 'de_DE',
    vat: '19',
    first: ['Katrin', 'Jörg', 'Lena', 'Matthias', 'Sabine', 'Uwe', 'Frieda', 'Götz'],
    last: ['Ahrens', 'Brückner', 'Großmann', 'Heidenreich', 'Köhler', 'Lüdemann', 'Petersen', 'Weiß'],
    streets: ['Deichstraße', 'Am Speicher', 'Lindenallee', 'Hafenweg', 'Mühlenstieg'],
    places: [
      ['20457', 'Hamburg'],
      ['10115', 'Berlin'],
      ['24937', 'Flensburg'],
      ['50667', 'Köln'],
    ],
    address: number,
    phone: roll => `+49171392000${roll(10)}`,
  },
  GB: {
    locale: 'en_GB',
    vat: '20',
    first: ['Harriet', 'Callum', 'Imogen', 'Rhys', 'Priya', 'Alistair'],
    last: ['Ashworth', 'Bramwell', 'Fairclough', 'Hollis', 'Penrose', 'Winterbourne'],
    streets: ['Harbour Row', 'Mill Lane', 'Chandlers Close', 'Orchard View'],
    places: [
      ['EH6 6QW', 'Edinburgh'],
      ['BS1 5TX', 'Bristol'],
      ['M1 2JB', 'Manchester'],
      ['NR1 3JU', 'Norwich'],
    ],
    address: (street, no) => `${no} ${street}`,
    phone: roll => `+447700900${String(roll(1_000)).padStart(3, '0')}`,
  },
}

const plans = {
  'demo-north': { currency: 'NOK', first_no: 24_100, count: 52, lands: ['NO', 'NO', 'NO', 'NO', 'SE', 'DK', 'DE'], shop: 'main' },
  'demo-home': { currency: 'SEK', first_no: 8_300, count: 48, lands: ['SE', 'SE', 'SE', 'SE', 'DK', 'DE', 'GB'], shop: 'main' },
  demo: { currency: 'DKK', first_no: 1_100, count: 20, lands: ['DK', 'DK', 'DK', 'SE', 'NO'], shop: 'main' },
} as const

const ascii = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('æ', 'ae')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .normalize('NFD')
    .replace(/[^a-z]/g, '')

const wishes = [
  'Please wrap it as a gift',
  'Leave it at the back door, the bell is broken',
  'Customer orders every month: put a thank-you card in',
  'No plastic in the box, please',
]

/** One invented order of a company, as its shop sends it. `place` seeds it, so it is deterministic. */
function demoOrder(company: keyof typeof plans, place: number, now: Date): WrittenOrder {
  const plan = plans[company]
  const roll = diceOf(plan.first_no + place * 7_919)
  const land = lands[plan.lands[roll(plan.lands.length)]!]
  const country = keysOf(lands).find(code => lands[code] === land)!
  const pick = <T>(of: readonly T[]): T => elementAt(of, roll(of.length))
  const first = pick(land.first)
  const last = pick(land.last)
  const [postcode, city] = pick(land.places)
  const order_no = String(plan.first_no + place)
  // Spread over the past week, the newest last; more of them on the last days.
  const age = ((plan.count - place) / plan.count) ** 1.6 * 6.5 * 86_400_000
  const ordered_at = new Date(now.getTime() - age - roll(3_600_000)).toISOString()
  const products = catalogue[company]
  const chosen = new Map<number, DemoProduct>()
  for (let lines = 1 + roll(10) ** 2 / 22; lines >= 1; lines--) {
    const at = roll(products.length)
    chosen.set(at, elementAt(products, at))
  }
  const amount = (minor: number) => fromMinor(minor, plan.currency)
  const email = `${ascii(first)}.${ascii(last)}@example.test`
  const oddity = place % 17
  const business = roll(9) === 0
  return {
    external_id: `${company}-${order_no}`,
    order_no,
    shop: plan.shop,
    source: place % 3 === 0 ? 'shopify' : place % 3 === 1 ? 'woocommerce' : 'api',
    ordered_at,
    status: oddity === 11 ? 'held' : oddity === 14 && place % 2 === 0 ? 'cancelled' : 'ready',
    payment_status: oddity === 7 ? 'pending' : 'paid',
    currency: plan.currency,
    locale: land.locale,
    customer: { external_id: String(4_000 + roll(900)), name: `${first} ${last}`, email },
    ship_to: {
      name: `${first} ${last}`,
      company: business ? `${last} ${pick(['ApS', 'AS', 'AB', 'Studio', '& Co'])}` : null,
      // Some have typical mistakes: no house number, an incomplete postcode, no phone.
      address1: oddity === 3 ? pick(land.streets) : land.address(pick(land.streets), 1 + roll(120)),
      address2: roll(6) === 0 ? `${1 + roll(4)}. ${pick(['tv', 'th', 'mf'])}` : null,
      postcode: oddity === 5 ? postcode.slice(0, -1) : postcode,
      city,
      country,
      phone: oddity === 9 ? null : land.phone(roll),
      email,
      instruction: roll(8) === 0 ? pick(['Ring twice', 'Blue gate on the left', 'Give it to the neighbour']) : null,
    },
    shipping:
      roll(6) === 0
        ? { title: 'Collect in shop', code: 'pickup', price_incl_vat: '0' }
        : { title: 'Home delivery', code: 'home', price_incl_vat: '49.00' },
    lines: [
      ...[...chosen].map(([at, product], line) => ({
        external_id: String(line + 1),
        sku: product.sku,
        barcode: product.no_barcode ? null : demoBarcode(company, at),
        name: product.name,
        variant: product.variant ?? null,
        qty: String(product.no_barcode ? 3 + roll(6) : 1 + (roll(4) === 0 ? roll(3) : 0)),
        unit_price_excl_vat: amount(product.price),
        vat_percent: land.vat,
        weight_g: product.weight_g,
        bin: product.bin,
        hs_code: product.hs_code,
        origin: product.origin,
        customs_text: product.customs_text,
        serial_required: product.serial ?? false,
      })),
      {
        external_id: 'shipping',
        type: 'shipping' as const,
        name: 'Delivery',
        qty: '1',
        unit_price_excl_vat: '39.20',
        vat_percent: land.vat,
        requires_shipping: false,
      },
    ],
    customs: country === 'NO' || country === 'GB' ? { reason: 'sale_of_goods', incoterm: 'DAP' } : null,
    notes: place % 13 === 4 ? [{ type: pick(['packing', 'info', 'gift']), text: pick(wishes) }] : [],
    tags: [...(business ? ['business'] : []), ...(roll(10) === 0 ? ['gift'] : [])],
  }
}

type Shop = { company: keyof typeof plans; scope: TenantScope }

/** Stores the week of orders of all companies in the order in which their shops sent them. */
export async function buildWeek(services: Services, shops: readonly Shop[]): Promise<void> {
  const now = services.now()
  const sent = shops.flatMap(shop =>
    Array.from({ length: plans[shop.company].count }, (_, place) => {
      const reading = readCanonical(demoOrder(shop.company, place, now))
      if (reading.problems) throw new Error(`Demo order ${place} of ${shop.company}: ${JSON.stringify(reading.problems)}`)
      return { shop, order: toOrder(reading.order) }
    }),
  )
  sent.sort((one, other) => (one.order.ordered_at ?? '').localeCompare(other.order.ordered_at ?? ''))
  for (const { shop, order } of sent)
    await services.database.transaction(shop.scope, db => storeOrders(buildTools(services, db, shop.scope), [order], { actor: 'Shop' }))
  // Backdates the orders and their events over the week. Only a system transaction may change events.
  await services.database.systemTransaction('the demo makes up a week that never was', async db => {
    await sql`update orders set created_at = ordered_at + interval '3 minutes'`.execute(db)
    await sql`
      update events e set at = o.created_at from orders o where o.operator_id = e.operator_id and o.id = e.order_id`.execute(db)
  })
  for (const { scope } of shops) await lookAfter(services, scope, now)
}

async function lookAfter(services: Services, scope: TenantScope, now: Date): Promise<void> {
  await services.database.transaction(scope, async db => {
    // Two orders have an assigned user.
    const pinned = await db
      .selectFrom('orders')
      .select('id')
      .where('phase', '=', 'ready')
      .where('company_id', '=', scope.company_id)
      .orderBy('id')
      .limit(2)
      .execute()
    for (const { id } of pinned) await db.updateTable('orders').set({ pinned_at: now.toISOString() }).where('id', '=', id).execute()
    const held = await db
      .selectFrom('orders')
      .select('id')
      .where('phase', '=', 'ready')
      .where('company_id', '=', scope.company_id)
      .orderBy('id')
      .offset(6)
      .limit(1)
      .executeTakeFirst()
    if (held) {
      await db
        .insertInto('order_locks')
        .values({
          order_id: held.id,
          kind: 'hold',
          reason: 'address',
          note: 'The customer moves: ask for the new address',
          actor: 'Mette Friis',
        })
        .execute()
      await db.updateTable('orders').set({ held: true }).where('id', '=', held.id).execute()
      await restoreStatus(db, [held.id])
    }
  })
}
