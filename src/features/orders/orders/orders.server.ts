/** Orders: found, opened, counted, moved along, edited and kept at hand. */

import { badRequest, conflict, orNotFound } from '#contract/errors.ts'
import { pageOffset } from '#contract/page.ts'
import { definedFields, isKeyOf } from '#domain/objects.ts'
import type { MethodWhy } from '#domain/rules/rule-schemas.ts'
import { errorOf } from '#domain/thrown.ts'
import { tagsNamed } from '#features/company/tags/tags.queries.ts'
import { mustBeCourier } from '#integrations/couriers/couriers.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { toAppError } from '#platform/http/http-errors.ts'
import { combinableIds } from './combinations/combinations.queries.ts'
import { countOrders, shown } from './counts/order-counts.queries.ts'
import { changeShippingAddress } from './delivery-changes.commands.ts'
import { ordersAsCsv } from './export.server.ts'
import { takeOrder } from './order-facts.queries.ts'
import { asChanged, moveOrder } from './order-moves.commands.ts'
import { editOrder, notifyWorkers } from './order-state.commands.ts'
import { orders } from './orders.contract.ts'
import { bypassesOf, type CompanyHome, companyHomes, languageCounts, orderById, orderRows, shippingOptions } from './orders.queries.ts'
import { openPhases, type Phase, type PresetFilter, phases, presets, whyNot } from './orders.rules.ts'
import { type BulkResult, type OrderFilters, ordersSchemas } from './orders.schemas.ts'
import { searchPlain } from './plain-search.queries.ts'
import { recheckSubscriptions } from './recheck-orders.task.ts'
import {
  bypassedIds,
  countIds,
  type Due,
  inBoth,
  listIds,
  type Narrowed,
  ownIds,
  searchOrders,
  type TagNarrowing,
  textIds,
} from './search.queries.ts'
import { staffNamesFor } from './staff-names.server.ts'
import { timelineOf } from './timeline.queries.ts'

export const chosenByPerson = JSON.stringify({ source: 'person', reasons: [] } satisfies MethodWhy)

export const ordersServer = implement(
  orders,
  ordersSchemas,
  {
    async search({ page, limit, sort, ...filters }, context) {
      const { db, scope } = context
      const offset = pageOffset({ page, limit })
      const plain = await searchPlain(db, scope, filters, { sort, offset, limit })
      if (plain) return { ...plain, offset, limit }
      const { ids, total, total_is_more } = await searchOrders(db, scope, await narrow(context, filters), { sort, offset, limit })
      return { rows: await orderRows(db, ids), total, total_is_more, offset, limit }
    },

    async export({ locale, ...filters }, outside) {
      const by = await outside.transaction(context => narrow(context, filters))
      const spoken = locale ?? (await outside.transaction(({ db, principal }) => localeOf(db, principal.id)))
      const day = outside.now().toISOString().slice(0, 10)
      return { bytes: ordersAsCsv(outside, by, spoken), media_type: 'text/csv; charset=utf-8', name: `orders-${day}.csv` }
    },

    async count({ company_id }, context) {
      const { db, scope } = context
      const homes = await companyHomes(db)
      const ofCompany = { query: '', ...(company_id !== undefined && { company_id }) }
      const all = await narrow(context, ofCompany, homes)
      const [{ inPhases, abroad }, ...others] = await Promise.all([
        countOrders(db, scope, all),
        ...searchedPresets.map(
          async name => [name, shown(await countIds(db, await narrow(context, { ...ofCompany, view: name }, homes)))] as const,
        ),
      ])
      return {
        open: inPhases(openPhases),
        phases: Object.fromEntries(phases.map(phase => [phase, inPhases([phase])])),
        views: {
          all: inPhases(phases),
          to_pick: inPhases(['ready']),
          held: inPhases(['held']),
          short: inPhases(['short']),
          label_error: inPhases(['label_error']),
          abroad,
          ...Object.fromEntries(others),
        },
      }
    },

    countLanguages: (_, { db }) => languageCounts(db),
    async countLanguage({ x }, { db }) {
      const [row] = await languageCounts(db, x)
      return { count: row?.count ?? 0, is_more: false }
    },
    async countState({ x }, context) {
      const phase = phases.find(one => one === x)
      if (!phase) throw badRequest('order_status_unknown', '{{state}} is no state of an order', { state: x })
      const { db, scope } = context
      return (await countOrders(db, scope, await narrow(context, { query: '' }))).inPhases([phase])
    },

    get: async ({ id }, { db, principal }) =>
      orNotFound(await orderById(db, id, principal.permissions), 'order_not_found', 'Order not found'),

    async timeline({ id, page, limit, kind }, context) {
      const { db, scope } = context
      orNotFound(await db.selectFrom('orders').select('id').where('id', '=', id).executeTakeFirst(), 'order_not_found', 'Order not found')
      const staff = await staffNamesFor(context)
      return timelineOf(db, scope, id, { kinds: kind ?? [], staff, offset: pageOffset({ page, limit }), limit })
    },

    setState: ({ id, state, version }, context) => moveOrder(context, id, state, { version }),

    /** A transaction for each order: one that is refused leaves the others alone, and none waits for the rest. */
    async setStateBulk({ state, body }, outside) {
      const results: BulkResult[] = []
      for (const id of new Set(body.orders))
        results.push(
          await outside
            .transaction(context => moveOrder(context, id, state))
            .then(
              ({ order_no, phase }) => ({ id, order_no, done: true, phase, message: null, key: null, values: {} }),
              async (error: unknown) => {
                const { refusal, unexpected } = toAppError(error, `order ${id}`)
                if (unexpected)
                  outside.services.log.error({ order: id, error: String(errorOf(error).stack ?? error) }, 'one of many failed')
                // A state that no one sets by hand is no matter of one order.
                if (refusal.status === 400) throw refusal
                const order = await outside.transaction(({ db }) =>
                  db.selectFrom('orders').select(['order_no', 'phase']).where('id', '=', id).executeTakeFirst(),
                )
                return {
                  id,
                  order_no: order?.order_no ?? null,
                  done: false,
                  phase: order?.phase ?? null,
                  message: refusal.message,
                  key: refusal.key,
                  values: Object.fromEntries(Object.entries(refusal.values).map(([name, value]) => [name, value ?? null])),
                }
              },
            ),
        )
      return { results }
    },

    async setAddress({ order_id, body: { version, ...change } }, context) {
      const { db, principal } = context
      const order = orNotFound(await takeOrder(db, order_id), 'order_not_found', 'Order not found')
      await mustBeCurrent(context, order, version)
      const why = whyNot('edit_address', order, principal.permissions)
      if (why) throw conflict(why.code, why.text, why.values)
      return (await changeShippingAddress(context, order, change)) ?? asChanged(order)
    },

    pin: ({ id }, context) => setPinned(context, id, true),
    unpin: ({ id }, context) => setPinned(context, id, false),

    async shippingOptions({ company }, { db, scope }) {
      const known = await companyHomes(db)
      const asked = company === undefined ? scope.company_id : (known.find(one => one.id === company || one.code === company)?.id ?? null)
      if (asked === null) throw badRequest('company_unknown', 'There is no company {{company}} here', { company: String(company) })
      return shippingOptions(db, [asked])
    },

    async setShipping({ method, id, version }, context) {
      const { db, principal, notify } = context
      const order = orNotFound(await takeOrder(db, id), 'order_not_found', 'Order not found')
      await mustBeCurrent(context, order, version)
      const why = whyNot('set_method', order, principal.permissions)
      if (why) throw conflict(why.code, why.text, why.values)
      const options = await shippingOptions(db, [order.company_id])
      const option = options.find(one => one.method === method)
      const stored = await db
        .selectFrom('orders')
        .select(['agent_code', 'shipping_method', 'shipping_title'])
        .where('id', '=', id)
        .executeTakeFirst()
      const old = options.find(one => one.agent_code === stored?.agent_code && one.shipping_method === stored.shipping_method)
      const before = old?.name ?? stored?.shipping_method ?? stored?.shipping_title ?? null
      if (!option) throw conflict('shipping_method_inactive', '{{method}} is no active shipping method of this company', { method })
      const changed = await editOrder(context, id, {
        from: ['new', 'ready', 'in_pick', 'picked', 'in_pack'],
        content: { agent_code: option.agent_code, shipping_method: option.shipping_method, method_why: chosenByPerson },
        clears_label_error: true,
        event: {
          kind: 'order.shipping_set',
          data: { method: option.name, before, agent_code: option.agent_code, shipping_method: option.shipping_method },
        },
      })
      if (!changed) throw conflict('busy', 'Someone else is changing this right now. Try again.')
      if (order.work_state === 'in_pack') notifyWorkers(notify, order)
      return changed
    },

    async bypassUsed({ body }, { db }) {
      const rows = await bypassesOf(db, body)
      return [...new Set(rows.map(row => row.order_id))].map(order_id => ({
        order_id,
        bypasses: rows.filter(row => row.order_id === order_id).map(({ order_id: _order_id, ...bypass }) => bypass),
      }))
    },
  },
  recheckSubscriptions,
)

/** Lists whose orders are counted along an index; there are few of them, or the clock says which. */
const searchedPresets = ['overdue', 'due_today', 'pinned', 'mine'] as const

async function localeOf(db: Context['db'], user_id: number): Promise<string> {
  const user = await db.selectFrom('users').select('locale').where('id', '=', user_id).executeTakeFirst()
  return user?.locale ?? 'en_GB'
}

type Asked = Partial<Omit<OrderFilters, 'phase'>> & { phase?: readonly Phase[] | undefined; query: string }

/** Ids of the orders that filters find, the newest first; at most so many. */
export async function filteredIds(context: Context, filters: Partial<OrderFilters>, most: number): Promise<number[]> {
  const by = await narrow(context, { query: '', ...filters })
  const found = await textIds(context.db, context.scope, by, most)
  return listIds(context.db, { ...by, among: inBoth(found, by.among) }, { sort: 'newest', offset: 0, limit: most })
}

/** Fills in what only the database, the clock and the asking person know. */
export async function narrow({ db, scope, principal, now }: Context, asked: Asked, known?: readonly CompanyHome[]): Promise<Narrowed> {
  const preset: PresetFilter = asked.view && isKeyOf(presets, asked.view) ? presets[asked.view] : {}
  const filters = { ...preset, ...definedFields(asked), query: asked.query }
  const homes = known ?? (await companyHomes(db))
  const own = homes.find(company => company.id === scope.company_id)
  const seen = filters.company_id === undefined ? homes : homes.filter(company => company.id === filters.company_id)
  if (seen.length === 0)
    throw badRequest('company_unknown', 'There is no company {{company}} here', { company: String(filters.company_id) })
  const companies = seen.map(company => company.id)
  const sets = await Promise.all([
    filters.mine ? ownIds(db, principal.id) : null,
    filters.bypass ? bypassedIds(db) : null,
    filters.combinable ? combinableIds(db, companies) : null,
  ])
  const among = sets.reduce(inBoth, null)
  const open: readonly Phase[] = openPhases
  const phase = filters.open ? (filters.phase ?? openPhases).filter(one => open.includes(one)) : (filters.phase ?? [])
  // Closed orders that are still in the warehouse: there are none.
  const none = filters.open && phase.length === 0
  if (filters.agent_code !== undefined) mustBeCourier(filters.agent_code)
  return {
    companies,
    homes: seen.map(company => company.home),
    text: filters.query,
    phases: phase,
    due: filters.due ? dueWithin(filters.due, now(), own?.time_zone ?? 'Europe/Copenhagen') : null,
    abroad: filters.abroad ?? false,
    countries: (filters.country ?? []).map(code => code.toUpperCase()),
    agent_code: filters.agent_code,
    shipping_method: filters.shipping_method,
    shop: filters.shop,
    tag: filters.tag ? await tagNarrowing(db, filters.tag) : undefined,
    badge: filters.badge,
    deadline_id: filters.deadline_id,
    pickup_from: filters.pickup_from,
    pickup_until: filters.pickup_until,
    received: spanBetween(filters.received_from, filters.received_until),
    packed: spanBetween(filters.packed_from, filters.packed_until),
    packed_in_time: filters.packed_in_time,
    hold_reason: filters.hold_reason,
    pinned: filters.pinned ?? false,
    among: none ? [] : among,
    among_seen: filters.combinable === true,
  }
}

/** An end that is not given is open. */
const spanBetween = (from: string | undefined, until: string | undefined) =>
  from === undefined && until === undefined ? undefined : { from: from ?? '-infinity', until: until ?? 'infinity' }

async function tagNarrowing(db: Context['db'], word: string): Promise<TagNarrowing> {
  const named = await tagsNamed(db, word)
  return { word, ids: named.map(tag => tag.id), companies: named.map(tag => tag.company_id) }
}

/** Late is past its time; today is the day of the company's own clock, from midnight to midnight. */
function dueWithin(due: 'late' | 'today', now: Date, time_zone: string): Due {
  if (due === 'late') return { from: null, before: now.toISOString() }
  const day = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(time_zone).toPlainDate()
  const midnight = (date: Temporal.PlainDate) => new Date(date.toZonedDateTime(time_zone).epochMilliseconds).toISOString()
  return { from: midnight(day), before: midnight(day.add({ days: 1 })) }
}

/** The order is as it was when the person saw it, where the call says which version that was. */
async function mustBeCurrent(
  { db, principal }: Context,
  order: { id: number; version: number },
  version: number | undefined,
): Promise<void> {
  if (version === undefined || version === order.version) return
  throw conflict(
    'order_changed',
    'Someone else changed this order. Check it and try again.',
    {},
    { current: await orderById(db, order.id, principal.permissions) },
  )
}

async function setPinned(context: Context, id: number, pinned: boolean): Promise<void> {
  const order = orNotFound(await takeOrder(context.db, id), 'order_not_found', 'Order not found')
  if ((order.pinned_at !== null) === pinned) return
  await editOrder(context, id, {
    cancelled: 'too',
    content: { pinned_at: pinned ? context.now().toISOString() : null },
    event: { kind: pinned ? 'order.pinned' : 'order.unpinned' },
  })
}
