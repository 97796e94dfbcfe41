/** Customers: handlers. What is read of a person is written to the access log. */
import { badRequest, orNotFound } from '#contract/errors.ts'
import { countCap, pageOffset } from '#contract/page.ts'
import { logAccess } from '#features/company/access-log/access-log.commands.ts'
import { accessesTo } from '#features/company/access-log/access-log.queries.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, type FeatureModule, implement } from '#platform/http/feature-module.ts'
import { customerChangeSteps } from './customer-changes.commands.ts'
import {
  addLookup,
  addNote,
  createCustomer,
  customerOr404,
  dismissPair,
  mergeCustomers,
  readLookup,
  removeLookup,
  removeNote,
  undoMerge,
  updateCustomer,
} from './customer-edits.commands.ts'
import { listCustomers } from './customer-list.queries.ts'
import { type CheckType, checkTypes } from './customers.codes.ts'
import { customers } from './customers.contract.ts'
import { customerOfOrder, customerRows, membersOf, ownerOfLookup, rootOf, suggestionsOf } from './customers.queries.ts'
import { type AskedCustomers, customersSchemas } from './customers.schemas.ts'

/** Who may merge sees which customers may be one person: what two shops know of them stays with the main company. */
const mayMerge = ({ principal }: Pick<Context, 'principal'>) => principal.company.is_main

const wanted = (asked: AskedCustomers, { scope }: Pick<Context, 'scope'>) => ({
  ...asked,
  companies: asked.company_id === undefined ? scope.companies : scope.companies.filter(company => company === asked.company_id),
})

const mostExported = 10 * countCap
const exportedAtOnce = 500

const isCheckType = (type: string): type is CheckType => checkTypes.some(known => known === type)

const module = implement(customers, customersSchemas, {
  get: ({ id }, outside) =>
    outside.transaction(async context => {
      const customer = await customerOr404(context, id)
      await logAccess(context, { subject_type: 'customer', subject_id: customer.customer_id, what: 'customer/get' })
      return mayMerge(context) ? customer : { ...customer, suggestions: [], merges: [] }
    }),

  search: ({ page, limit, ...asked }, outside) =>
    outside.transaction(async context => {
      const { db } = context
      const offset = pageOffset({ page, limit })
      const found = await listCustomers(db, wanted(asked, context), offset, limit)
      const rows = await customerRows(db, found.ids)
      // Shorter texts are the beginnings of longer ones.
      if (asked.query.length > 2)
        await logAccess(context, { subject_type: 'customer', subject_id: null, what: 'customer/search', criteria: asked.query })
      return {
        rows: mayMerge(context) ? rows : rows.map(row => ({ ...row, has_double: false })),
        total: found.total,
        total_is_more: found.total_is_more,
        offset,
        limit,
      }
    }),

  async export(asked, outside) {
    await outside.transaction(context =>
      logAccess(context, { subject_type: 'customer', subject_id: null, what: 'customer/export', criteria: asked.query }),
    )
    return {
      bytes: exported(asked, outside),
      media_type: 'text/csv; charset=utf-8',
      name: `customers-${outside.now().toISOString().slice(0, 10)}.csv`,
    }
  },

  async find({ check_type, check_value }, context) {
    if (!isCheckType(check_type))
      throw badRequest('check_type_unknown', 'Search by e-mail, phone or shop number: email, phone or shop_customer')
    const { db } = context
    const lookup = await readLookup(context, { check_type, check_value })
    const owner = lookup && (await ownerOfLookup(db, lookup))
    if (!owner?.seen) return { customer: null, suggestions: [] }
    const [customer = null] = await customerRows(db, [owner.root_id])
    const suggestions = customer && mayMerge(context) ? await suggestionsOf(db, owner.root_id, await membersOf(db, owner.root_id)) : []
    return { customer, suggestions }
  },

  create: ({ body }, context) => createCustomer(context, body),
  update: ({ id, body }, context) => updateCustomer(context, id, body),
  addLookup: ({ id, body }, context) => addLookup(context, id, body),
  removeLookup: ({ id }, context) => removeLookup(context, id),
  addNote: ({ id, body }, context) => addNote(context, id, body),
  removeNote: ({ id }, context) => removeNote(context, id),

  async mergePreview({ root_id, member_id }, { db }) {
    const roots = await Promise.all([rootOf(db, root_id), rootOf(db, member_id)])
    const [root, member] = await customerRows(
      db,
      roots.map(id => id ?? 0),
    )
    const found = orNotFound(root && member ? { root, member } : null, 'customer_not_found', 'Customer not found')
    const suggestions = await suggestionsOf(db, found.root.customer_id, await membersOf(db, found.root.customer_id))
    return { ...found, reasons: suggestions.filter(one => one.customer_id === found.member.customer_id).map(one => one.reason) }
  },
  merge: ({ body }, context) => mergeCustomers(context, body),
  undoMerge: ({ id }, context) => undoMerge(context, id),
  dismiss: ({ body }, context) => dismissPair(context, body),

  async ofOrder({ id }, { db }) {
    const order = orNotFound(
      await db.selectFrom('orders').select(['customer_id', 'company_id']).where('id', '=', id).executeTakeFirst(),
      'order_not_found',
      'Order not found',
    )
    return customerOfOrder(db, order)
  },

  async accessLog({ id, ...query }, context) {
    const { customer_id } = await customerOr404(context, id)
    return accessesTo(context.db, { type: 'customer', ids: await membersOf(context.db, customer_id) }, query)
  },
})

async function* exported(asked: AskedCustomers, outside: { transaction<T>(step: (context: Context) => Promise<T>): Promise<T> }) {
  const head = ['customer_id', 'name', 'email', 'phone', 'orders', 'last_order_at', 'flags', 'tags']
  for (let offset = 0; offset < mostExported; offset += exportedAtOnce) {
    const rows = await outside.transaction(async context => {
      const found = await listCustomers(context.db, wanted(asked, context), offset, exportedAtOnce)
      return customerRows(context.db, found.ids)
    })
    const lines = csv(
      head,
      rows.map(row => [
        row.customer_id,
        row.name,
        row.email,
        row.phone,
        row.order_count,
        row.last_order_at,
        row.flags.join(' '),
        row.tags.join(', '),
      ]),
    )
    yield offset === 0 ? lines : withoutHead(lines)
    if (rows.length < exportedAtOnce) return
  }
}

/** The lines of a page behind its first line. */
const withoutHead = (lines: Uint8Array): Uint8Array => lines.subarray(lines.indexOf(0x0a) + 1)

export const customersServer: FeatureModule = { ...module, eventSteps: customerChangeSteps }
