/** What each action of a bulk job does to a batch of orders: who is left alone and why, the change, and its undo. */
import * as z from 'zod'
import { access, isAllowed, type Permission } from '#contract/access.ts'
import type { ErrorCode } from '#contract/error-codes.ts'
import { conflict } from '#contract/errors.ts'
import { applyTags } from '#features/company/tags/tags.commands.ts'
import { tagCodesOfOrders } from '#features/company/tags/tags.queries.ts'
import { comparedOrders } from '#features/orders/orders/combinations/combinations.queries.ts'
import { alone, leadOf, refusalOfOrder, refusalsOf } from '#features/orders/orders/combinations/combinations.rules.ts'
import { addLocks, endLocks, fullOfLocks, mayRelease } from '#features/orders/orders/locks/order-locks.commands.ts'
import type { OrderFacts } from '#features/orders/orders/order-facts.queries.ts'
import {
  cancelOrders,
  closeOrders,
  combineOrders,
  editOrders,
  notifyWorkers,
  releaseOrders,
  reopenOrders,
  separateOrders,
} from '#features/orders/orders/order-state.commands.ts'
import { shippingOptions } from '#features/orders/orders/orders.queries.ts'
import { type Action, type Reason, whyNot } from '#features/orders/orders/orders.rules.ts'
import { chosenByPerson } from '#features/orders/orders/orders.server.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { BulkAction } from './bulk-jobs.codes.ts'
import { methodsOfOrders } from './bulk-jobs.queries.ts'
import type { BulkArgs } from './bulk-jobs.schemas.ts'

const reason = (code: ErrorCode, text: string, values: Reason['values'] = {}): Reason => ({ code, text, values })

export const bulkReasons = {
  gone: reason('order_not_found', 'Order not found'),
  forbidden: reason('permission_missing', 'You do not have permission for this. Ask an administrator.'),
  heldAlready: reason('order_held_already', 'The order is on hold for this reason already, or for very many'),
  tagged: reason('order_tags_set', 'The order has exactly these tags already'),
  methodSet: reason('order_method_set', 'The order goes by this method already'),
  changedSince: reason('changed_since', 'Changed after the job. Not undone.'),
  mayNotRelease: reason('hold_release_forbidden', 'You do not have permission to release this hold. Ask a lead.'),
} as const

const rules: Record<BulkAction, Action | null> = {
  release: 'release',
  reopen: 'reopen',
  close: 'close',
  cancel: 'cancel',
  hold: 'hold',
  lock: 'lock',
  pin: 'pin',
  unpin: 'unpin',
  method: 'set_method',
  tag: null,
  combine: null,
}

/** Why each order is left alone; those that are not named may be changed. */
export async function leftAlone(
  db: Db,
  action: BulkAction,
  args: BulkArgs,
  orders: readonly OrderFacts[],
  permissions: readonly Permission[],
  /** The parcel in which each goes, by the preview. */
  parcelOf: ReadonlyMap<number, number>,
): Promise<Map<number, Reason>> {
  const reasons = new Map<number, Reason>()
  if (!isAllowed(permissions, access.parcels)) {
    for (const order of orders) reasons.set(order.id, bulkReasons.forbidden)
    return reasons
  }
  const rule = rules[action]
  for (const order of orders) {
    const why = rule && whyNot(rule, order, permissions)
    if (why) reasons.set(order.id, why)
  }
  const others = orders.filter(order => !reasons.has(order.id))
  const ids = others.map(order => order.id)
  if (action === 'hold' || action === 'lock')
    for (const id of await fullOfLocks(db, ids, args.reason ?? null)) reasons.set(id, bulkReasons.heldAlready)
  if (action === 'method') {
    const options = await optionsOf(db, others, args)
    const methods = new Map((await methodsOfOrders(db, ids)).map(row => [row.id, row]))
    for (const { id, company_id } of others) {
      const option = options.get(company_id)
      const now = methods.get(id)
      if (!option)
        reasons.set(
          id,
          reason('shipping_method_inactive', '{{method}} is no active shipping method of this company', { method: args.method ?? '' }),
        )
      else if (now?.agent_code === option.agent_code && now.shipping_method === option.shipping_method)
        reasons.set(id, bulkReasons.methodSet)
    }
  }
  if (action === 'combine') {
    const judged = await comparedOrders(db, ids)
    for (const some of Map.groupBy(judged, order => parcelOf.get(order.id)).values()) {
      const grouped = some.every(order => parcelOf.has(order.id))
      const why = grouped ? refusalsOf(some) : new Map(some.map(order => [order.id, refusalOfOrder(order) ?? alone]))
      for (const { id } of some) {
        const one = why.get(id) ?? (some.length - why.size < 2 ? alone : null)
        if (one) reasons.set(id, one)
      }
    }
  }
  if (action === 'tag') {
    const tags = await tagCodesOfOrders(db, ids)
    const has = (id: number) => (name: string) => tags.get(id)?.has(name.toLowerCase()) === true
    for (const id of ids) if (args.add.every(has(id)) && !args.remove.some(has(id))) reasons.set(id, bulkReasons.tagged)
  }
  return reasons
}

/** The active method of each company that the arguments name. */
async function optionsOf(db: Db, orders: readonly OrderFacts[], { method }: BulkArgs) {
  const options = await shippingOptions(db, [...new Set(orders.map(order => order.company_id))])
  return new Map(options.filter(option => option.method === method).map(option => [option.company_id, option]))
}

/** Changes orders that may be changed; answers what an undo restores of each that was. */
export async function doBulk(
  context: Context,
  action: BulkAction,
  args: BulkArgs,
  orders: readonly OrderFacts[],
  parcelOf: ReadonlyMap<number, number>,
): Promise<Map<number, object>> {
  const { db, principal } = context
  const ids = orders.map(order => order.id)
  const nothing = (changed: readonly { id: number }[]) => new Map(changed.map(({ id }) => [id, {}]))
  switch (action) {
    case 'release':
      return nothing(await releaseOrders(context, ids))
    case 'close':
      return nothing(await closeOrders(context, ids))
    case 'reopen':
    case 'cancel': {
      const changed =
        action === 'cancel'
          ? await cancelOrders(context, ids, { at: context.now().toISOString() })
          : await reopenOrders(context, ids, { unpack: true })
      for (const order of orders) if (order.work_state !== 'new' && order.work_state !== 'ready') notifyWorkers(context.notify, order)
      return nothing(changed)
    }
    case 'hold':
    case 'lock': {
      const locks = await addLocks(context, orders, {
        kind: action === 'hold' ? 'hold' : 'manual',
        ...(action === 'hold' && { reason: args.reason ?? 'other' }),
        note: args.note,
        by: principal,
      })
      return new Map([...locks].map(([id, lock_id]) => [id, { lock_id }]))
    }
    case 'pin':
    case 'unpin':
      return nothing(await setPinned(context, ids, action === 'pin'))
    case 'method': {
      const options = await optionsOf(db, orders, args)
      const before = new Map((await methodsOfOrders(db, ids)).map(row => [row.id, row]))
      const done = new Map<number, object>()
      for (const [company_id, option] of options) {
        const changed = await editOrders(
          context,
          orders.filter(order => order.company_id === company_id).map(order => order.id),
          {
            from: ['new', 'ready', 'in_pick', 'picked', 'in_pack'],
            content: { agent_code: option.agent_code, shipping_method: option.shipping_method, method_why: chosenByPerson },
            clears_label_error: true,
            event: ({ id }) => ({
              kind: 'order.shipping_set',
              data: {
                method: option.name,
                before: before.get(id)?.shipping_method ?? null,
                agent_code: option.agent_code,
                shipping_method: option.shipping_method,
              },
            }),
          },
        )
        for (const { id } of changed) {
          const { agent_code = null, shipping_method = null, method_why = null } = before.get(id) ?? {}
          done.set(id, { agent_code, shipping_method, method_why })
        }
      }
      for (const order of orders) if (order.work_state === 'in_pack') notifyWorkers(context.notify, order)
      return done
    }
    case 'tag': {
      const tagged = await applyTags(context, { object: 'order', ids, add: args.add, remove: args.remove })
      return new Map(tagged.map(({ id, added, removed }) => [id, { added, removed }]))
    }
    case 'combine': {
      const judged = await comparedOrders(db, ids)
      const parcels = [...Map.groupBy(judged, order => parcelOf.get(order.id)).values()].flatMap(some => {
        const lead = leadOf(some)
        return lead ? [{ lead, members: some.filter(order => order !== lead) }] : []
      })
      const combined = await combineOrders(context, parcels)
      if (combined.length < orders.length) throw conflict('busy', 'Someone else is changing this right now. Try again.')
      return new Map(parcels.flatMap(({ lead, members }) => [lead, ...members].map(({ id }) => [id, { lead_no: lead.order_no }])))
    }
  }
}

const setPinned = (context: Context, ids: readonly number[], pinned: boolean) =>
  editOrders(context, ids, {
    cancelled: 'too',
    content: { pinned_at: pinned ? context.now().toISOString() : null },
    event: { kind: pinned ? 'order.pinned' : 'order.unpinned' },
  })

const Locked = z.object({ lock_id: z.number().int() })
const Method = z.object({ agent_code: z.string().nullable(), shipping_method: z.string().nullable(), method_why: z.unknown() })
const Tagged = z.object({ added: z.array(z.string()), removed: z.array(z.string()) })

/** Why the change of an order is not undone, by what the person may do and what the order has become. */
export function undoLeftAlone(action: BulkAction, args: BulkArgs, order: OrderFacts, permissions: readonly Permission[]): Reason | null {
  if (!isAllowed(permissions, access.parcels)) return bulkReasons.forbidden
  if (action === 'hold' && !mayRelease({ kind: 'hold', reason: args.reason ?? 'other' }, permissions)) return bulkReasons.mayNotRelease
  return action === 'method' ? whyNot('set_method', order, permissions) : null
}

/** Restores orders that are as the job left them; answers those that it restored. */
export async function undoBulk(
  context: Context,
  action: BulkAction,
  orders: readonly { order: OrderFacts; before: unknown }[],
): Promise<Set<number>> {
  const { principal, now } = context
  const ids = orders.map(({ order }) => order.id)
  switch (action) {
    case 'hold':
    case 'lock':
      return new Set(
        await endLocks(
          context,
          orders.map(({ order, before }) => ({ order, lock_id: Locked.parse(before).lock_id })),
          { by: principal.id || null, now: now() },
        ),
      )
    case 'pin':
    case 'unpin':
      return new Set((await setPinned(context, ids, action === 'unpin')).map(({ id }) => id))
    case 'method': {
      const done = new Set<number>()
      for (const [key, some] of Map.groupBy(orders, ({ before }) => JSON.stringify(before))) {
        const { agent_code, shipping_method, method_why } = Method.parse(JSON.parse(key))
        const changed = await editOrders(
          context,
          some.map(({ order }) => order.id),
          {
            from: ['new', 'ready', 'in_pick', 'picked', 'in_pack'],
            content: { agent_code, shipping_method, method_why: method_why === null ? null : JSON.stringify(method_why) },
            clears_label_error: true,
            event: {
              kind: 'order.shipping_set',
              data: { method: shipping_method ?? '–', before: null, agent_code: agent_code ?? '', shipping_method: shipping_method ?? '' },
            },
          },
        )
        for (const { id } of changed) done.add(id)
      }
      return done
    }
    case 'tag': {
      const done = new Set<number>()
      for (const [key, some] of Map.groupBy(orders, ({ before }) => JSON.stringify(before))) {
        const { added, removed } = Tagged.parse(JSON.parse(key))
        const changed = await applyTags(context, { object: 'order', ids: some.map(({ order }) => order.id), add: removed, remove: added })
        for (const { id } of changed) done.add(id)
      }
      return done
    }
    case 'combine':
      return new Set((await separateOrders(context, ids)).map(({ id }) => id))
    default:
      return new Set()
  }
}
