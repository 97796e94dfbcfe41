/** Handlers of a customer's page: orders, a copy for the person, and the erasure, which the job of desk/erasure carries out. */
import { forbidden, notFound, orNotFound } from '#contract/errors.ts'
import { logAccess } from '#features/company/access-log/access-log.commands.ts'
import { membersOf, rootOf } from '#features/customers/customers/customers.queries.ts'
import { requestErasure } from '#features/desk/erasure/erasure.commands.ts'
import { dataRequests, endedCustomers, fileOfRequest, hasOpenOrder, nextSubjects } from '#features/desk/erasure/erasure.queries.ts'
import { Counted, eraseAll } from '#features/desk/erasure/erasure.task.ts'
import type { Db } from '#platform/database/database.ts'
import type { ErasurePart } from '#platform/database/erasure.ts'
import { createContext } from '#platform/http/context.ts'
import { type ExternalContext, type FeatureModule, implement } from '#platform/http/feature-module.ts'
import { customerPage } from './customer-page.contract.ts'
import { companiesOfCustomer, ordersOfCustomer } from './customer-page.queries.ts'
import { customerPageSchemas } from './customer-page.schemas.ts'

async function membersOr404(db: Db, id: number): Promise<number[]> {
  const root = orNotFound(await rootOf(db, id), 'customer_not_found', 'Customer not found')
  return membersOf(db, root)
}

/** A company's part of a customer. */
const partOf = (one: { order_ids: readonly number[] }, customer_ids: readonly number[]) => ({
  id: 0,
  kind: 'erase' as const,
  state: 'running' as const,
  shop: null,
  order_ids: [...one.order_ids],
  asked_customer_ids: [...customer_ids],
  done_order_id: 0,
  report: {},
})

const countedAtOnce = 200

/** The parts that an erasure runs, which the composition of the server names. */
export function customerPageServer(parts: readonly ErasurePart[]): FeatureModule {
  const companies = async (outside: ExternalContext, id: number) =>
    outside.transaction(async ({ db }) => {
      const members = await membersOr404(db, id)
      return { members, companies: await companiesOfCustomer(db, members) }
    })

  /** In the scope of each company alone, as the erasure runs. */
  const inCompany = (outside: ExternalContext, company_id: number) =>
    createContext(
      outside.services,
      outside.principal,
      { operator_id: outside.scope.operator_id, company_id, companies: [company_id] },
      outside,
    )

  async function request(outside: ExternalContext, id: number, kind: 'erase' | 'report') {
    const { members, companies: known } = await companies(outside, id)
    const ids: number[] = []
    let waiting = false
    for (const { company_id, order_ids } of known)
      await inCompany(outside, company_id).transaction(async context => {
        ids.push(await requestErasure(context, { kind, reason: '', order_ids, shop: null, customer_ids: members }))
        if (kind === 'erase' && (await hasOpenOrder(context.db, { shop: null, order_ids }, context.now()))) waiting = true
      })
    await outside.transaction(context =>
      logAccess(context, { subject_type: 'customer', subject_id: id, what: kind === 'erase' ? 'customer/delete' : 'customer/export' }),
    )
    return { ids, waiting }
  }

  return implement(customerPage, customerPageSchemas, {
    async orders({ id, all_companies, ...query }, { db, principal }) {
      const all = all_companies === true
      if (all && !principal.company.is_main) throw forbidden('own_company_only', 'You can see the orders of your own company')
      return ordersOfCustomer(db, await membersOr404(db, id), all ? null : principal.company.id, query)
    },

    async erasePreview({ id }, outside) {
      const { members, companies: known } = await companies(outside, id)
      const rows: Record<string, number> = {}
      for (const one of known) {
        const report = await inCompany(outside, one.company_id)
          .transaction(async ({ db, now }): Promise<Record<string, number>> => {
            const part = partOf(one, members)
            const subjects = (await nextSubjects(db, part, countedAtOnce)) ?? { order_ids: [], customer_ids: [], words: [] }
            const ended = one.order_ids.length > countedAtOnce ? [] : await endedAfter(db, part)
            throw new Counted(await eraseAll(parts, db, { ...subjects, customer_ids: ended }, now()))
          })
          .catch(error => {
            if (error instanceof Counted) return error.report
            throw error
          })
        for (const [table, count] of Object.entries(report)) rows[table] = (rows[table] ?? 0) + count
      }
      return {
        orders: known.reduce((sum, one) => sum + one.order_ids.length, 0),
        open: known.reduce((sum, one) => sum + one.open, 0),
        rows,
      }
    },

    erase: ({ id }, outside) => request(outside, id, 'erase'),
    copy: ({ id }, outside) => request(outside, id, 'report'),

    async requests({ id, ...query }, { db }) {
      return dataRequests(db, query, await membersOr404(db, id))
    },

    async file({ id }, { db }) {
      const file = await fileOfRequest(db, id)
      if (!file) throw notFound('job_file_not_found', 'This job has no file, or its time has ended')
      return { bytes: file, media_type: file.media_type, name: file.name }
    },
  })
}

/** Customers who end when these orders are erased: the orders stand in the way until then. */
async function endedAfter(db: Db, part: ReturnType<typeof partOf>): Promise<number[]> {
  const ended = await endedCustomers(db, part)
  return ended.length > 0 ? ended : part.asked_customer_ids
}
