/** Writing price tables. */
import { sql } from 'kysely'
import { conflict, notFound, unprocessable } from '#contract/errors.ts'
import type { NamedCompany } from '#features/company/companies/companies.queries.ts'
import { methodBy } from '#features/shipping/shipping-methods/shipping-methods.queries.ts'
import { courier } from '#integrations/couriers/couriers.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mostPrices, mostSurcharges, mostZones, priceWords } from './prices.codes.ts'
import { countPrices, priceById, surchargeById, surchargesOf, zoneById, zonesOf } from './prices.queries.ts'
import type { CourierPrice, PriceFields, PriceZoneRow, SurchargeFields, SurchargeRow, ZoneFields } from './prices.schemas.ts'

type Tools = Pick<Context, 'db' | 'principal' | 'recordEvent' | 'notify'>

/** Prices of one company change one after the other: no two of the same kind hold on one day. */
export const lockPrices = ({ db }: Tools, company: NamedCompany) =>
  db.selectFrom('companies').select('id').where('id', '=', company.id).forUpdate().execute()

const stale = (current: object) => conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })

/** What makes two prices speak of the same parcels. */
export type PriceKey = Pick<
  PriceFields,
  'agent_code' | 'shipping_method' | 'zone_id' | 'max_g' | 'max_length_mm' | 'max_side_sum_mm' | 'currency'
>
const keyColumns = ['agent_code', 'shipping_method', 'zone_id', 'max_g', 'max_length_mm', 'max_side_sum_mm'] as const
export const keyOfPrice = (price: Omit<PriceKey, 'currency'>): string => keyColumns.map(column => price[column] ?? '').join('\n')

const dayBefore = (day: string): string => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString()

interface StoredPeriod {
  id: number
  valid_from: string
  valid_to: string | null
}

/** Prices for the same parcels, the earliest first. */
async function samePrices(db: Context['db'], company_id: number, key: PriceKey): Promise<StoredPeriod[]> {
  let from = db
    .selectFrom('courier_prices')
    .select(['id', 'valid_from', 'valid_to'])
    .where('company_id', '=', company_id)
    .where('agent_code', '=', key.agent_code)
    .where('shipping_method', '=', key.shipping_method)
    .where('max_g', '=', key.max_g)
  for (const column of ['zone_id', 'max_length_mm', 'max_side_sum_mm'] as const) {
    const value = key[column]
    from = value === null ? from.where(column, 'is', null) : from.where(column, '=', value)
  }
  return from.orderBy('valid_from').execute()
}

type Period = { valid_from: string; valid_to: string | null }

/** Where a new price fits: the one that it replaces, those that end the day before it, and its own last day; null where it overlaps a later one. */
export function fitPeriod(
  same: readonly StoredPeriod[],
  { valid_from, valid_to }: Period,
): { replaces: number | null; ends: number[]; valid_to: string | null } | null {
  const replaces = same.find(one => one.valid_from === valid_from)?.id ?? null
  const ends = same.filter(one => one.valid_from < valid_from && (one.valid_to === null || one.valid_to >= valid_from)).map(one => one.id)
  const [later] = same.filter(one => one.valid_from > valid_from)
  if (!later) return { replaces, ends, valid_to }
  if (valid_to !== null && valid_to >= later.valid_from) return null
  return { replaces, ends, valid_to: valid_to ?? dayBefore(later.valid_from) }
}

export async function endPrices({ db }: Tools, ids: readonly number[], valid_from: string): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('courier_prices')
    .set(eb => ({ valid_to: dayBefore(valid_from), version: eb('version', '+', 1), updated_at: sql<string>`now()` }))
    .where('id', 'in', [...ids])
    .execute()
}

/** An entry that comes back has the number that it had. */
const idOf = (restored: number | undefined) => (restored === undefined ? {} : { id: restored })

const overlap = () => conflict('price_overlap', priceWords.overlap, {}, { fields: { valid_from: priceWords.overlap } })

async function mustExist(
  tools: Tools,
  company: NamedCompany,
  fields: { agent_code: string; shipping_method: string; zone_id: number | null },
) {
  await methodBy(tools.db, company.id, fields.agent_code, fields.shipping_method)
  if (fields.zone_id !== null) await zoneById(tools.db, company.id, fields.zone_id)
}

async function changed(tools: Tools, company: NamedCompany, id: number): Promise<CourierPrice> {
  const price = await priceById(tools.db, company.id, id)
  const { agent_code, shipping_method, max_g, amount, currency, valid_from } = price
  await tools.recordEvent({
    kind: 'courier_price.set',
    subject: 'courier_price',
    subject_id: id,
    company_id: company.id,
    data: { agent_code, shipping_method, max_g, amount, currency, valid_from },
  })
  tools.notify('price', id, company.id)
  return price
}

export async function mustHaveSpace(tools: Tools, company: NamedCompany, more: number): Promise<void> {
  const count = await countPrices(tools.db, company.id)
  if (count + more > mostPrices)
    throw conflict('prices_full', 'A company can have {{most}} prices. Remove old ones first.', { most: mostPrices })
}

/** `restored` is the number of a price that comes back: it leaves the others as they are. */
export async function createPrice(tools: Tools, company: NamedCompany, fields: PriceFields, restored?: number): Promise<CourierPrice> {
  await lockPrices(tools, company)
  await mustExist(tools, company, fields)
  await mustHaveSpace(tools, company, 1)
  const fit = fitPeriod(await samePrices(tools.db, company.id, fields), fields)
  if (!fit || fit.replaces !== null) throw overlap()
  if (restored !== undefined && (fit.ends.length > 0 || fit.valid_to !== fields.valid_to)) throw overlap()
  await endPrices(tools, fit.ends, fields.valid_from)
  const { id } = await tools.db
    .insertInto('courier_prices')
    .values({ ...fields, ...idOf(restored), valid_to: fit.valid_to, company_id: company.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return changed(tools, company, id)
}

export async function updatePrice(
  tools: Tools,
  company: NamedCompany,
  id: number,
  { version, ...fields }: PriceFields & { version: number },
): Promise<CourierPrice> {
  await lockPrices(tools, company)
  const current = await priceById(tools.db, company.id, id)
  if (current.version !== version) throw stale(current)
  await mustExist(tools, company, fields)
  const others = (await samePrices(tools.db, company.id, fields)).filter(one => one.id !== id)
  const last = fields.valid_to ?? '9999-12-31'
  if (others.some(one => one.valid_from <= last && (one.valid_to ?? '9999-12-31') >= fields.valid_from)) throw overlap()
  await tools.db
    .updateTable('courier_prices')
    .set(eb => ({ ...fields, version: eb('version', '+', 1), updated_at: sql<string>`now()` }))
    .where('id', '=', id)
    .execute()
  return changed(tools, company, id)
}

export async function removePrice(tools: Tools, company: NamedCompany, id: number): Promise<void> {
  const row = await tools.db
    .deleteFrom('courier_prices')
    .where('company_id', '=', company.id)
    .where('id', '=', id)
    .returning(['agent_code', 'shipping_method', 'max_g'])
    .executeTakeFirst()
  if (!row) throw notFound('price_not_found', 'Price not found')
  await tools.recordEvent({ kind: 'courier_price.removed', subject: 'courier_price', subject_id: id, company_id: company.id, data: row })
  tools.notify('price', id, company.id)
}

async function mustBeNewName(tools: Tools, company: NamedCompany, id: number, name: string): Promise<void> {
  const zones = await zonesOf(tools.db, company.id)
  if (zones.some(zone => zone.id !== id && zone.name.toUpperCase() === name.toUpperCase()))
    throw conflict('price_zone_exists', 'There is a zone {{name}} already', { name }, { fields: { name: 'Another zone has this name' } })
}

async function zoneChanged(tools: Tools, company: NamedCompany, id: number): Promise<PriceZoneRow> {
  const zone = await zoneById(tools.db, company.id, id)
  await tools.recordEvent({
    kind: 'price_zone.set',
    subject: 'price_zone',
    subject_id: id,
    company_id: company.id,
    data: { name: zone.name, countries: zone.countries },
  })
  tools.notify('price', undefined, company.id)
  return zone
}

export async function createZone(tools: Tools, company: NamedCompany, fields: ZoneFields, restored?: number): Promise<PriceZoneRow> {
  await lockPrices(tools, company)
  await mustBeNewName(tools, company, 0, fields.name)
  if ((await zonesOf(tools.db, company.id)).length >= mostZones)
    throw conflict('price_zones_full', 'There are {{count}} zones already. Remove one first.', { count: mostZones })
  const { id } = await tools.db
    .insertInto('price_zones')
    .values({ ...fields, ...idOf(restored), company_id: company.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return zoneChanged(tools, company, id)
}

export async function updateZone(
  tools: Tools,
  company: NamedCompany,
  id: number,
  { version, ...fields }: ZoneFields & { version: number },
): Promise<PriceZoneRow> {
  await lockPrices(tools, company)
  const current = await zoneById(tools.db, company.id, id)
  if (current.version !== version) throw stale(current)
  await mustBeNewName(tools, company, id, fields.name)
  await tools.db
    .updateTable('price_zones')
    .set(eb => ({ ...fields, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
  return zoneChanged(tools, company, id)
}

export async function removeZone(tools: Tools, company: NamedCompany, id: number): Promise<void> {
  await lockPrices(tools, company)
  const { name, prices } = await zoneById(tools.db, company.id, id)
  const uses = prices + (await surchargesOf(tools.db, company.id)).filter(surcharge => surcharge.zone_id === id).length
  if (uses > 0) throw conflict('price_zone_in_use', 'Prices and surcharges use this zone: {{count}}. Change them first.', { count: uses })
  await tools.db.deleteFrom('price_zones').where('id', '=', id).execute()
  await tools.recordEvent({ kind: 'price_zone.removed', subject: 'price_zone', subject_id: id, company_id: company.id, data: { name } })
  tools.notify('price', undefined, company.id)
}

/** What the kind does not use is left out. */
async function checkedSurcharge(tools: Tools, company: NamedCompany, fields: SurchargeFields): Promise<SurchargeFields> {
  const { agent_code, shipping_method, zone_id, kind } = fields
  if (!courier(agent_code)) throw unprocessable('courier_unknown', 'There is no courier {{agent_code}}', { agent_code })
  if (shipping_method !== null) await methodBy(tools.db, company.id, agent_code, shipping_method)
  if (zone_id !== null) await zoneById(tools.db, company.id, zone_id)
  return {
    ...fields,
    amount: kind === 'amount' ? fields.amount : null,
    currency: kind === 'amount' ? fields.currency : null,
    percent_milli: kind === 'percent' ? fields.percent_milli : null,
  }
}

async function surchargeChanged(tools: Tools, company: NamedCompany, id: number): Promise<SurchargeRow> {
  const surcharge = await surchargeById(tools.db, company.id, id)
  const { name, agent_code, valid_from } = surcharge
  await tools.recordEvent({
    kind: 'price_surcharge.set',
    subject: 'price_surcharge',
    subject_id: id,
    company_id: company.id,
    data: { name, agent_code, valid_from },
  })
  tools.notify('price', undefined, company.id)
  return surcharge
}

export async function createSurcharge(
  tools: Tools,
  company: NamedCompany,
  fields: SurchargeFields,
  restored?: number,
): Promise<SurchargeRow> {
  await lockPrices(tools, company)
  const values = await checkedSurcharge(tools, company, fields)
  if ((await surchargesOf(tools.db, company.id)).length >= mostSurcharges)
    throw conflict('price_surcharges_full', 'There are {{count}} surcharges already. Remove one first.', { count: mostSurcharges })
  const { id } = await tools.db
    .insertInto('price_surcharges')
    .values({ ...values, ...idOf(restored), company_id: company.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return surchargeChanged(tools, company, id)
}

export async function updateSurcharge(
  tools: Tools,
  company: NamedCompany,
  id: number,
  { version, ...fields }: SurchargeFields & { version: number },
): Promise<SurchargeRow> {
  await lockPrices(tools, company)
  const current = await surchargeById(tools.db, company.id, id)
  if (current.version !== version) throw stale(current)
  const values = await checkedSurcharge(tools, company, fields)
  await tools.db
    .updateTable('price_surcharges')
    .set(eb => ({ ...values, version: eb('version', '+', 1), updated_at: sql<string>`now()` }))
    .where('id', '=', id)
    .execute()
  return surchargeChanged(tools, company, id)
}

export async function removeSurcharge(tools: Tools, company: NamedCompany, id: number): Promise<void> {
  const row = await tools.db
    .deleteFrom('price_surcharges')
    .where('company_id', '=', company.id)
    .where('id', '=', id)
    .returning(['name', 'agent_code'])
    .executeTakeFirst()
  if (!row) throw notFound('price_surcharge_not_found', 'Surcharge not found')
  await tools.recordEvent({
    kind: 'price_surcharge.removed',
    subject: 'price_surcharge',
    subject_id: id,
    company_id: company.id,
    data: row,
  })
  tools.notify('price', undefined, company.id)
}
