/** Price tables: handlers. */
import { fromMinor } from '#domain/money.ts'
import { companyNamed, companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { previewedParcels } from '#features/orders/bulk-jobs/bulk-jobs.queries.ts'
import { methodBy } from '#features/shipping/shipping-methods/shipping-methods.queries.ts'
import { csv } from '#platform/http/csv.ts'
import { implement } from '#platform/http/feature-module.ts'
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
import { priceShipments } from './shipment-prices.commands.ts'

export const pricesServer = implement(
  prices,
  pricesSchemas,
  {
    list: async ({ company, ...asked }, context) => findPrices(context.db, (await companyNamed(context, company)).id, asked),
    create: async ({ company, body }, context) => createPrice(context, await companyNamed(context, company), body),
    update: async ({ id, company, body }, context) => updatePrice(context, await companyNamed(context, company), id, body),
    remove: async ({ id, company }, context) => removePrice(context, await companyNamed(context, company), id),
    async import({ company, body: { text, rows, save } }, context) {
      const named = await companyNamed(context, company)
      return importPrices(context, named, rows ?? (await rowsOfFile(text ?? '')), save)
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
    createZone: async ({ company, body }, context) => createZone(context, await companyNamed(context, company), body),
    updateZone: async ({ id, company, body }, context) => updateZone(context, await companyNamed(context, company), id, body),
    removeZone: async ({ id, company }, context) => removeZone(context, await companyNamed(context, company), id),

    surcharges: async ({ company }, context) => surchargesOf(context.db, (await companyNamed(context, company)).id),
    createSurcharge: async ({ company, body }, context) => createSurcharge(context, await companyNamed(context, company), body),
    updateSurcharge: async ({ id, company, body }, context) => updateSurcharge(context, await companyNamed(context, company), id, body),
    removeSurcharge: async ({ id, company }, context) => removeSurcharge(context, await companyNamed(context, company), id),
  },
  { 'shipment.booked': priceShipments },
)
