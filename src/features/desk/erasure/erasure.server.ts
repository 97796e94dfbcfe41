/** Carries out what people and shops ask for about persons; shops ask by Shopify's customers/redact, customers/data_request and shop/redact. */
import { notFound } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { createContext } from '#platform/http/context.ts'
import { implement } from '#platform/http/feature-module.ts'
import { requestErasure } from './erasure.commands.ts'
import { erasures } from './erasure.contract.ts'
import { companiesOfOrders, dataRequests, fileOfRequest, ordersOfPerson } from './erasure.queries.ts'
import { erasureSchemas, mostOrders } from './erasure.schemas.ts'

export const erasureServer = implement(
  erasures,
  erasureSchemas,
  {
    async orders({ query }, { db, principal }) {
      const { home_country, sender } = await companySettings(db, principal.company.id)
      const rows = await ordersOfPerson(db, query, home_country ?? sender.country, mostOrders + 1)
      return { rows: rows.slice(0, mostOrders), more: rows.length > mostOrders }
    },

    list: (query, { db }) => dataRequests(db, query),

    // A request belongs to the company of its orders and runs in its scope alone.
    async request({ body: { kind, order_ids } }, outside) {
      const companies = await outside.transaction(({ db }) => companiesOfOrders(db, order_ids))
      if (companies.reduce((sum, one) => sum + one.order_ids.length, 0) < new Set(order_ids).size)
        throw notFound('order_not_found', 'Order not found')
      const ids: number[] = []
      for (const { company_id, order_ids } of companies) {
        const scope = { operator_id: outside.scope.operator_id, company_id, companies: [company_id] }
        const own = createContext(outside.services, outside.principal, scope, outside)
        ids.push(await own.transaction(context => requestErasure(context, { kind, reason: '', order_ids, shop: null })))
      }
      return { ids }
    },

    async file({ id }, { db }) {
      const file = await fileOfRequest(db, id)
      if (!file) throw notFound('job_file_not_found', 'This job has no file, or its time has ended')
      return { bytes: file, media_type: file.media_type, name: file.name }
    },
  },
  {
    'webhook.privacy': async (events, context) => {
      for (const { data } of events) {
        const { topic, source, shop, order_ids } = data
        const kind = topic === 'customers/data_request' ? 'report' : 'erase'
        await requestErasure(context, { kind, reason: `${source} ${topic}`, order_ids, shop: topic === 'shop/redact' ? shop : null })
      }
    },
  },
)
