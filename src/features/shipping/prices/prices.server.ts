/** Price tables: handlers. */
import { fromMinor } from '#domain/money.ts'
import { companyNamed, companySettings, type NamedCompany } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { addEntry, changeEntry, type SettingList } from '#features/company/companies/setting-lists.server.ts'
import { previewedParcels } from '#features/orders/bulk-jobs/bulk-jobs.queries.ts'
import { methodBy } from '#features/shipping/shipping-methods/shipping-methods.queries.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { ordersOfOneMethod, savingsOf } from './combined-prices.queries.ts'
import { importPrices, rowsOfFile } from './price-import.commands.ts'
import { mostPrices, priceColumns } from './prices.codes.ts'
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
import { prices } from './prices.contract.ts'
import { findPrices, priceTable, surchargesOf, zonesOf } from './prices.queries.ts'
import { priceOf } from './prices.rules.ts'
import { pricesSchemas } from './prices.schemas.ts'
import { changePrices, priceList, surchargeList, zoneList } from './prices-history.server.ts'
import { priceShipments } from './shipment-prices.commands.ts'

interface Commands<F, Row> {
  create(context: Context, named: NamedCompany, fields: F): Promise<Row>
  update(context: Context, named: NamedCompany, id: number, fields: F & { version: number }): Promise<Row>
  remove(context: Context, named: NamedCompany, id: number): Promise<void>
}

/** The writing calls of a list of a named company, each of which leaves its rows in the history. */
function callsOf<F, Row extends { id: number }, H extends Readonly<Record<string, unknown>>>(
  list: SettingList<H>,
  { create, update, remove }: Commands<F, Row>,
) {
  type Of = { company?: string | undefined }
  return {
    async create({ company, body }: Of & { body: F }, context: Context) {
      const named = await companyNamed(context, company)
      return addEntry(
        list,
        context,
        () => create(context, named, body),
        added => added.id,
        named.id,
      )
    },
    async update({ id, company, body }: Of & { id: number; body: F & { version: number } }, context: Context) {
      const named = await companyNamed(context, company)
      return changeEntry(list, context, id, () => update(context, named, id, body), named.id)
    },
    async remove({ id, company }: Of & { id: number }, context: Context) {
      const named = await companyNamed(context, company)
      return changeEntry(list, context, id, () => remove(context, named, id), named.id)
    },
  }
}

const zoneCalls = callsOf(zoneList, { create: createZone, update: updateZone, remove: removeZone })
const surchargeCalls = callsOf(surchargeList, { create: createSurcharge, update: updateSurcharge, remove: removeSurcharge })

export const pricesServer = implement(
  prices,
  pricesSchemas,
  {
    list: async ({ company, ...asked }, context) => findPrices(context.db, (await companyNamed(context, company)).id, asked),
    async create({ company, body }, context) {
      const named = await companyNamed(context, company)
      return changePrices(context, named.id, () => createPrice(context, named, body))
    },
    async update({ id, company, body }, context) {
      const named = await companyNamed(context, company)
      return changeEntry(priceList, context, id, () => updatePrice(context, named, id, body), named.id)
    },
    async remove({ id, company }, context) {
      const named = await companyNamed(context, company)
      return changeEntry(priceList, context, id, () => removePrice(context, named, id), named.id)
    },
    async import({ company, body: { text, rows, save } }, context) {
      const named = await companyNamed(context, company)
      const given = rows ?? (await rowsOfFile(text ?? ''))
      const run = () => importPrices(context, named, given, save)
      return save ? changePrices(context, named.id, run) : run()
    },
    async export({ company, ...asked }, context) {
      const named = await companyNamed(context, company)
      const { rows } = await findPrices(context.db, named.id, { ...asked, page: 1, limit: mostPrices })
      return {
        bytes: csv(
          priceColumns,
          rows.map(({ amount, per_kg_amount, currency, ...row }) =>
            priceColumns.map(column => {
              if (column === 'amount') return fromMinor(amount, currency)
              if (column === 'per_kg_amount') return per_kg_amount === null ? null : fromMinor(per_kg_amount, currency)
              return column === 'currency' ? currency : row[column]
            }),
          ),
        ),
        media_type: 'text/csv; charset=utf-8',
        name: `prices-${named.code}-${context.now().toISOString().slice(0, 10)}.csv`,
      }
    },
    async try({ company, body: { agent_code, shipping_method, on, ...parcel } }, context) {
      const { id } = await companyNamed(context, company)
      await methodBy(context.db, id, agent_code, shipping_method)
      const { time_zone } = await companySettings(context.db, id)
      const table = await priceTable(context.db, id, { agent_code, shipping_method, day: on ?? localDay(context.now(), time_zone) })
      const price = priceOf(table, parcel)
      return typeof price === 'string' ? { price: null, why: price } : { price, why: null }
    },
    async savings({ orders: ids = [], bulk_id }, { db, principal, now }) {
      if (bulk_id === undefined) return savingsOf(db, ids.length < 2 ? [] : [await ordersOfOneMethod(db, [...new Set(ids)])], now())
      const rows = await previewedParcels(db, principal.company.id, bulk_id)
      return savingsOf(db, [...Map.groupBy(rows, row => row.parcel).values()], now())
    },

    zones: async ({ company }, context) => zonesOf(context.db, (await companyNamed(context, company)).id),
    createZone: zoneCalls.create,
    updateZone: zoneCalls.update,
    removeZone: zoneCalls.remove,

    surcharges: async ({ company }, context) => surchargesOf(context.db, (await companyNamed(context, company)).id),
    createSurcharge: surchargeCalls.create,
    updateSurcharge: surchargeCalls.update,
    removeSurcharge: surchargeCalls.remove,
  },
  { 'shipment.booked': priceShipments },
)
