/** The demo's week of orders: invented recipients in five countries, in every state of an order. */
import { sql } from 'kysely'
import { fromMinor } from '#domain/money.ts'
import { elementAt, keysOf } from '#domain/objects.ts'
import { readCanonical, type WrittenOrder } from '#domain/order/canonical-order.ts'
import { type ImportedOrder, toOrder } from '#domain/order/canonical-order-checks.ts'
import { restoreStatus } from '#features/orders/orders/order-state.commands.ts'
import { storeOrders } from '#features/orders/orders/upsert/order-upsert.commands.ts'
import type { TenantScope } from '#platform/database/tenant-scope.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { buildTools } from './builders.ts'
import { bundleBarcode, catalogue, type DemoProduct, demoBarcode, demoBundles } from './catalogue.ts'

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

/** `a_day`: orders that came in on a working day of the weeks before. */
const plans = {
  'demo-north': {
    a_day: 14,
    currency: 'NOK',
    first_no: 24_100,
    count: 52,
    lands: ['NO', 'NO', 'NO', 'NO', 'SE', 'DK', 'DE'],
    shop: 'main',
  },
  'demo-home': { a_day: 11, currency: 'SEK', first_no: 8_300, count: 48, lands: ['SE', 'SE', 'SE', 'SE', 'DK', 'DE', 'GB'], shop: 'main' },
  demo: { a_day: 7, currency: 'DKK', first_no: 1_100, count: 20, lands: ['DK', 'DK', 'DK', 'SE', 'NO'], shop: 'main' },
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

/** Week's orders are spread over the days before `now`, the newest last; more of them on the last days. */
const inTheWeek = (company: keyof typeof plans, place: number, now: Date): number =>
  now.getTime() - ((plans[company].count - place) / plans[company].count) ** 1.6 * 6.5 * 86_400_000

/**
 * One invented order of a company, as its shop sends it within an hour before `sent`. `place` seeds it, so it is deterministic;
 * those before 0 are of earlier weeks and have no faults.
 */
/** The same for each order of one name. */
const customerNo = (name: string): string =>
  String(4_000 + [...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 90_000, 7))

function demoOrder(company: keyof typeof plans, place: number, sent: number): WrittenOrder {
  const plan = plans[company]
  const roll = diceOf(plan.first_no + place * 7_919)
  const land = lands[plan.lands[roll(plan.lands.length)]!]
  const country = keysOf(lands).find(code => lands[code] === land)!
  const pick = <T>(of: readonly T[]): T => elementAt(of, roll(of.length))
  const first = pick(land.first)
  const last = pick(land.last)
  const [postcode, city] = pick(land.places)
  const order_no = String(plan.first_no + place)
  const ordered_at = new Date(sent - roll(3_600_000)).toISOString()
  const products = catalogue[company]
  const chosen = new Map<number, DemoProduct>()
  for (let lines = 1 + roll(10) ** 2 / 22; lines >= 1; lines--) {
    const at = roll(products.length)
    chosen.set(at, elementAt(products, at))
  }
  const amount = (minor: number) => fromMinor(minor, plan.currency)
  // Some order as guests with another address: they may be one person with a known customer.
  const guest = place % 20 === 3
  const email = `${ascii(first)}.${ascii(last)}@${guest ? 'mail' : 'example'}.test`
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
    customer: { external_id: guest ? null : customerNo(`${first} ${last}`), name: `${first} ${last}`, email },
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
        name: 'Freight to the customer',
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

export type DemoShop = { company: keyof typeof plans; scope: TenantScope }

function readable(written: WrittenOrder): ImportedOrder {
  const reading = readCanonical(written)
  if (reading.problems) throw new Error(`Demo order ${written.order_no}: ${JSON.stringify(reading.problems)}`)
  return toOrder(reading.order)
}

interface Sent {
  shop: DemoShop
  order: ImportedOrder
}

/** The week's orders, not yet worked on. */
const sentThisWeek = (shops: readonly DemoShop[], now: Date): Sent[] =>
  shops.flatMap(shop =>
    Array.from({ length: plans[shop.company].count }, (_, place) => ({
      shop,
      order: readable(weekOrder(shop.company, place, now)),
    })),
  )

/** The last two orders of the main company go to one recipient: they may go in one parcel. */
function weekOrder(company: keyof typeof plans, place: number, now: Date): WrittenOrder {
  const order = demoOrder(company, place, inTheWeek(company, place, now))
  const last = plans[company].count - 1
  if (company !== 'demo' || place !== last) return withBundle(order, company, place)
  const { customer, locale, ship_to, shipping, customs } = demoOrder(company, last - 1, inTheWeek(company, last - 1, now))
  return { ...order, customer, locale, ship_to, shipping, customs }
}

/** Some of the newest orders of a shop hold a bundle: how many come after each of them. */
const bundlesBeforeLast = [2, 4, 6]

function withBundle(order: WrittenOrder, company: keyof typeof plans, place: number): WrittenOrder {
  const { count, currency } = plans[company]
  const at = bundlesBeforeLast.indexOf(count - 1 - place)
  const bundles = demoBundles[company]
  if (at < 0 || bundles.length === 0) return order
  const bundle = elementAt(bundles, at % bundles.length)
  const line = {
    external_id: 'set',
    sku: bundle.sku,
    barcode: bundleBarcode(company, at % bundles.length),
    name: bundle.name,
    qty: '1',
    unit_price_excl_vat: fromMinor(bundle.price, currency),
    vat_percent: '25',
  }
  return { ...order, lines: [line, ...order.lines] }
}

/** What the shops sent in earlier weeks and is done: fewer orders on Saturdays and Sundays, a few more with each week. One in forty was cancelled. */
function sentEarlier(shops: readonly DemoShop[], midnight: Temporal.ZonedDateTime, weeks: number): Sent[] {
  const days = weeks * 7
  return shops.flatMap(shop => {
    const counts = Array.from({ length: days }, (_, day) => {
      const share = midnight.subtract({ days: days - day }).dayOfWeek > 5 ? 0.6 : 1
      return Math.round(plans[shop.company].a_day * share * (0.85 + (0.3 * day) / days))
    })
    let place = -counts.reduce((sum, n) => sum + n, 0)
    return counts.flatMap((count, day) => {
      const from = midnight.subtract({ days: days - day }).epochMilliseconds
      return Array.from({ length: count }, (_, i) => {
        // From eight in the morning, most of them in the evening.
        const order = demoOrder(shop.company, place, from + (8 + 16 * ((i + 1) / count) ** 0.8) * 3_600_000)
        const status = place++ % 40 === 0 ? 'cancelled' : 'ready'
        return { shop, order: readable({ ...order, status, payment_status: 'paid' }) }
      })
    })
  })
}

/**
 * Stores the orders of all companies in the order in which their shops sent them: the present week's, and those of `weeks` weeks
 * that were worked off. Returns the ids of the latter that were not cancelled.
 */
export async function buildOrders(services: Services, shops: readonly DemoShop[], weeks: number, zone: string): Promise<number[]> {
  const now = services.now()
  const midnight = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).startOfDay()
  const earlier = sentEarlier(shops, midnight, weeks)
  const done = new Set(earlier.map(({ order }) => order))
  const sent = [...earlier, ...sentThisWeek(shops, now)]
  sent.sort((one, other) => (one.order.ordered_at ?? '').localeCompare(other.order.ordered_at ?? ''))
  // Old orders are stored by company and day, in one transaction each.
  const groups = Map.groupBy(sent, ({ shop, order }, i) => {
    const day = order.ordered_at?.slice(0, 10) ?? ''
    return Date.parse(day) < now.getTime() - 8 * 86_400_000 ? `${day} ${shop.company}` : i
  })
  const ids: number[] = []
  for (const group of groups.values()) {
    const { scope } = elementAt(group, 0).shop
    const orders = group.map(({ order }) => order)
    const stored = await services.database.transaction(scope, db => storeOrders(buildTools(services, db, scope), orders, { actor: 'Shop' }))
    for (const [i, { order_id }] of stored.entries()) {
      const order = elementAt(orders, i)
      if (order_id !== null && done.has(order) && order.status !== 'cancelled') ids.push(order_id)
    }
  }
  // Backdates the orders and their events. Only a system transaction may change events.
  await services.database.systemTransaction('the demo makes up a past that never was', async db => {
    await sql`update orders set created_at = ordered_at + interval '3 minutes'`.execute(db)
    await sql`
      update events e set at = o.created_at from orders o where o.operator_id = e.operator_id and o.id = e.order_id`.execute(db)
  })
  return ids
}

/** Some of the open orders are looked after: two of each company have an assigned user, one is on hold. */
export async function lookAfterOrders(services: Services, shops: readonly DemoShop[]): Promise<void> {
  for (const { scope } of shops) await lookAfter(services, scope)
}

async function lookAfter(services: Services, scope: TenantScope): Promise<void> {
  const now = services.now()
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
