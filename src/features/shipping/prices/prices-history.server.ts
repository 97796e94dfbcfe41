/** Prices, zones and surcharges in the history of settings, and setting them back. The history calls a zone by its name. */
import * as z from 'zod'
import { unprocessable } from '#contract/errors.ts'
import { changeEntries, type SettingList } from '#features/company/companies/setting-lists.server.ts'
import { notValid } from '#features/company/companies/setting-owners.server.ts'
import type { Context } from '#platform/http/feature-module.ts'
import {
  createPrice,
  createSurcharge,
  createZone,
  removePrice,
  removeSurcharge,
  removeZone,
  updatePrice,
  updateSurcharge,
  updateZone,
} from './prices.commands.ts'
import { allPrices, findPrice, findSurcharge, findZone, zonesOf } from './prices.queries.ts'
import { CourierPrice, PriceFields, SurchargeFields, SurchargeRow, ZoneFields } from './prices.schemas.ts'

async function withZone({ db, principal }: Context, { zone, ...fields }: { zone: string | null }): Promise<object> {
  if (zone === null) return { ...fields, zone_id: null }
  const known = (await zonesOf(db, principal.company.id)).find(one => one.name.toUpperCase() === zone.toUpperCase())
  if (!known) throw unprocessable('price_zone_not_found', 'Price zone not found')
  return { ...fields, zone_id: known.id }
}

async function written<T>(schema: z.ZodType<T>, context: Context, fields: { zone: string | null }): Promise<T> {
  const read = schema.safeParse(await withZone(context, fields))
  if (!read.success) throw notValid()
  return read.data
}

const Price = z.object(CourierPrice.shape).omit({ id: true, zone_id: true, version: true })
type Price = z.output<typeof Price>

const priceEntry = ({ id: _id, zone_id: _zone, version, ...fields }: CourierPrice) => ({ fields, version })

export const priceList: SettingList<Price> = {
  name: 'prices',
  Fields: Price,
  title: ({ shipping_method, zone, max_g, valid_from }) =>
    [shipping_method, zone, `${max_g} g`, valid_from].filter(part => part !== null).join(' · '),
  async find({ db }, place) {
    const price = await findPrice(db, Number(place))
    return price && priceEntry(price)
  },
  add: async (context, place, fields) =>
    createPrice(context, context.principal.company, await written(PriceFields, context, fields), Number(place)),
  change: async (context, place, fields, version) =>
    updatePrice(context, context.principal.company, Number(place), { ...(await written(PriceFields, context, fields)), version }),
  remove: (context, place) => removePrice(context, context.principal.company, Number(place)),
}

/** A new price ends earlier ones, and a file adds, replaces and ends many. */
export const changePrices = <T>(context: Context, company_id: number, change: () => Promise<T>): Promise<T> =>
  changeEntries(
    priceList,
    context,
    async () => new Map((await allPrices(context.db, company_id)).map(price => [String(price.id), priceEntry(price)])),
    change,
    company_id,
  )

export const zoneList: SettingList<ZoneFields> = {
  name: 'price_zones',
  Fields: ZoneFields,
  title: fields => fields.name,
  async find({ db }, place) {
    const zone = await findZone(db, Number(place))
    if (!zone) return undefined
    const { name, countries, postcodes, version } = zone
    return { fields: { name, countries, postcodes }, version }
  },
  add: (context, place, fields) => createZone(context, context.principal.company, fields, Number(place)),
  change: (context, place, fields, version) => updateZone(context, context.principal.company, Number(place), { ...fields, version }),
  remove: (context, place) => removeZone(context, context.principal.company, Number(place)),
}

const Surcharge = z.object(SurchargeRow.shape).omit({ id: true, zone_id: true, version: true })
type Surcharge = z.output<typeof Surcharge>

export const surchargeList: SettingList<Surcharge> = {
  name: 'surcharges',
  Fields: Surcharge,
  title: fields => fields.name,
  async find({ db }, place) {
    const surcharge = await findSurcharge(db, Number(place))
    if (!surcharge) return undefined
    const { id: _id, zone_id: _zone, version, ...fields } = surcharge
    return { fields, version }
  },
  add: async (context, place, fields) =>
    createSurcharge(context, context.principal.company, await written(SurchargeFields, context, fields), Number(place)),
  change: async (context, place, fields, version) =>
    updateSurcharge(context, context.principal.company, Number(place), { ...(await written(SurchargeFields, context, fields)), version }),
  remove: (context, place) => removeSurcharge(context, context.principal.company, Number(place)),
}
