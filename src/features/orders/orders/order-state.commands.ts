/**
 * The state of an order: the one file that changes it.
 *
 *   new → ready → in_pick → picked → in_pack → packed → handed_over → closed
 *
 * Beside this work state stand facts that may hold at any time: holds, a cancellation, goods to put back, a failed label,
 * missing pieces, the delivery. The status that people see, the column `phase`, follows from both by a fixed precedence and
 * is stored with every change.
 *
 * Each command takes many orders. It is one conditional UPDATE, which skips orders that are not in a state in which this may
 * happen, one event for each changed order, and its notifications. It returns the orders that it changed.
 */
import { type RawBuilder, sql, type UpdateObject } from 'kysely'
import type { NewEvent } from '#contract/events.ts'
import { valueAt } from '#domain/objects.ts'
import { executeWithGenericPlan } from '#platform/database/compiled-query.ts'
import type { Db } from '#platform/database/database.ts'
import type { DB } from '#platform/database/schema.ts'
import type { TransactionContext } from '#platform/http/feature-module.ts'
import { leadsOf, membersOf, returnLines, separableMembers, takeLines } from './combinations/combined-lines.commands.ts'
import { countedOf, insertCountChangesText } from './counts/order-counts.commands.ts'
import type { Phase, WorkState } from './orders.rules.ts'

export type StateTools = Pick<TransactionContext, 'db' | 'recordEvents' | 'notify'>

export interface ChangedOrder {
  id: number
  company_id: number
  order_no: string
  work_state: WorkState
  phase: Phase
  version: number
}

/** What is recorded about an order; which order, and how its phase moved, is added. */
export type OrderEvent = NewEvent extends infer E
  ? E extends { kind: `order.${string}` }
    ? Omit<E, 'order_id' | 'company_id'>
    : never
  : never

// The status

/** The columns from which the status follows. */
type StatusFact = 'work_state' | 'cancelled_at' | 'put_back_due' | 'delivered_at' | 'held' | 'label_error' | 'short' | 'combined_into'

/** The status in SQL, the first that holds. `fact` names where each fact stands; all of it is text of this program, never input. */
const statusText = (fact: (name: StatusFact) => string): string => `case
  when ${fact('cancelled_at')} is not null and ${fact('put_back_due')} then 'cancelled_return_to_stock'
  when ${fact('cancelled_at')} is not null then 'cancelled'
  when ${fact('work_state')} = 'closed' then 'closed'
  when ${fact('delivered_at')} is not null then 'delivered'
  when ${fact('work_state')} = 'handed_over' then 'handed_over'
  when ${fact('held')} then 'held'
  when ${fact('work_state')} <> 'packed' and ${fact('label_error')} then 'label_error'
  when ${fact('work_state')} <> 'packed' and ${fact('short')} then 'short'
  when ${fact('combined_into')} is not null and ${fact('work_state')} in ('new', 'ready') then 'combined'
  else ${fact('work_state')} end`

/** The status of orders that are being created, from the columns of `alias` that they start with. */
export const initialStatus = (alias: string): string =>
  statusText(fact =>
    fact === 'work_state' || fact === 'cancelled_at' || fact === 'held'
      ? `${alias}.${fact}`
      : fact === 'delivered_at'
        ? 'null::timestamptz'
        : fact === 'combined_into'
          ? 'null::bigint'
          : 'false',
  )

/** Stores the status anew where it does not follow from the facts: for rows that no command of this file wrote, as demo data. */
export async function restoreStatus(db: Db, order_ids: readonly number[]): Promise<void> {
  const status = sql.raw(statusText(fact => `o.${fact}`))
  await sql`
    with before as materialized (
      select o.id, ${countedBefore} from orders o
      where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.id = any (${order_ids}::bigint[])
        and o.phase <> ${status} order by o.id for no key update),
    changed as (
      update orders o set phase = ${status} from before where o.operator_id = current_operator_id() and o.id = before.id
      returning ${countedAfter})
    ${countMoves}`.execute(db)
}

/** How orders that are about to change are counted, read from `o`, and the same afterwards, from `o` and `before`. */
const countedBefore = sql.raw('o.phase, o.deadline_id, o.deadline_at, o.item_count')
const countedAfter =
  sql.raw(`${countedOf('o')}, before.phase as was, before.deadline_id as was_deadline_id, before.deadline_at as was_deadline_at,
        before.item_count as was_item_count`)
const isMoved =
  '(c.was, c.was_deadline_id, c.was_deadline_at, c.was_item_count) is distinct from (c.phase, c.deadline_id, c.deadline_at, c.item_count)'

/** Counts the orders of `changed` as they are now instead of as they were. */
const countMoves = sql.raw(
  insertCountChangesText(`select ${countedOf('c')}, 1 as n from changed c where ${isMoved}
    union all select c.company_id, c.was, c.ship_country, c.was_deadline_id, c.was_deadline_at, c.was_item_count, -1 from changed c where ${isMoved}`),
)

// The change that every command makes

/** SQL of this program, in which the order stands as `o`. */
interface Text {
  text: string
}

interface StateChange {
  /** The work states in which the change makes sense; any when absent. */
  from?: readonly WorkState[]
  /** Cancelled orders are left alone, unless they alone or they as well are meant. */
  cancelled?: 'never' | 'too' | 'only'
  /** A further condition. */
  where?: Text
  set: {
    work_state?: WorkState | Text
    cancelled_at?: string | null | Text
    put_back_due?: boolean | Text
    delivered_at?: string | null | Text
    held?: Text
    label_error?: boolean
    short?: boolean
    backorder?: boolean
    packed_at?: string | null | Text
    release_at?: null
    pinned_at?: null
    combined_into?: Text | null
  }
  /** Columns that say nothing about the state. */
  content?: OrderContent
  event?: OrderEvent | ((order: ChangedOrder & { put_back_due: boolean }) => OrderEvent)
  /** Who did it, where it is not the person of the request. */
  actor?: string | undefined
}

type StateColumn =
  | Exclude<keyof StateChange['set'], 'pinned_at'>
  | 'phase'
  | 'version'
  | 'id'
  | 'operator_id'
  | 'company_id'
  // Orders are counted by it.
  | 'ship_country'
type OrderContent = Omit<UpdateObject<DB, 'orders', 'orders'>, StateColumn>

const isText = (value: unknown): value is Text => typeof value === 'object' && value !== null

/** A value as SQL text, for the status; of instants it only matters whether there is one. */
function textOf(value: string | number | boolean | null | Text): string {
  if (isText(value)) return `(${value.text})`
  if (typeof value === 'number') return String(value)
  if (value === null) return 'null::timestamptz'
  return typeof value === 'boolean' ? String(value) : `'${value.replaceAll("'", "''")}'`
}

const columnTypes: Readonly<Record<string, string>> = {
  cancelled_at: 'timestamptz',
  delivered_at: 'timestamptz',
  packed_at: 'timestamptz',
  release_at: 'timestamptz',
  pinned_at: 'timestamptz',
  combined_into: 'bigint',
}

async function changeState(
  { db, recordEvents, notify }: StateTools,
  ids: readonly number[],
  { from, cancelled = 'never', where, set, content = {}, event, actor }: StateChange,
): Promise<ChangedOrder[]> {
  if (ids.length === 0) return []
  const facts = set
  const sets = Object.entries(facts).map(([name, value]) => {
    const type = columnTypes[name]
    const written = isText(value) ? sql.raw(`(${value.text})`) : type ? sql`${value}::${sql.raw(type)}` : sql.raw(textOf(value))
    return sql`${sql.raw(name)} = ${written}`
  })
  const contents = Object.entries(content).map(([name, value]) => sql`${sql.raw(name)} = ${value}`)
  // Orders that go in the parcel of another one follow its work.
  const leads = facts.work_state !== undefined || facts.delivered_at !== undefined || facts.cancelled_at !== undefined
  const status = sql.raw(statusText(fact => (facts[fact] === undefined ? `o.${fact}` : textOf(facts[fact]))))
  const conditions: RawBuilder<unknown>[] = [
    ...(from ? [sql`o.work_state = any (${from}::text[])`] : []),
    ...(cancelled === 'never' ? [sql`o.cancelled_at is null`] : cancelled === 'only' ? [sql`o.cancelled_at is not null`] : []),
    ...(where ? [sql.raw(`(${where.text})`)] : []),
  ]
  // The rows are locked in the order of their ids, so that two commands that share orders do not deadlock.
  // Of a plan for just many orders the database expects few of the company, and reads an index of them to the end.
  const changed = await executeWithGenericPlan(
    db,
    sql<ChangedOrder & { was: Phase; put_back_due: boolean; leads: boolean }>`
    with before as materialized (
      select o.id, ${countedBefore} from orders o
      where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.id = any (${ids}::bigint[])
        ${sql.join(
          conditions.map(condition => sql`and ${condition}`),
          sql` `,
        )}
      order by o.id for no key update),
    changed as (
      update orders o set ${sql.join([...sets, ...contents, sql`phase = ${status}`, sql`version = o.version + 1`])}
      from before where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.id = before.id
      returning o.id, o.order_no, o.work_state, o.version, o.put_back_due, ${countedAfter},
        ${leads ? hasMembers : sql`false`} as leads),
    counted as (${countMoves})
    select id, company_id, order_no, work_state, phase, version, put_back_due, was, leads from changed`,
  )
  if (event && changed.length > 0)
    await recordEvents(
      changed.map(({ was, leads: _leads, ...order }) => {
        const { data, ...about } = typeof event === 'function' ? event(order) : event
        const moved = was === order.phase ? {} : { from: was, to: order.phase }
        return { ...about, order_id: order.id, company_id: order.company_id, data: { ...moved, ...data } } as NewEvent
      }),
      { actor },
    )
  // A screen that lists orders reloads once, however many changed.
  if (changed.length > 100) for (const company_id of new Set(changed.map(order => order.company_id))) notify('order', undefined, company_id)
  else for (const { id, company_id } of changed) notify('order', id, company_id)
  const leading = changed.filter(order => order.leads)
  if (leading.length > 0) await moveMembers({ db, recordEvents, notify }, leading, set, event)
  return changed.map(({ was: _was, put_back_due: _due, leads: _leads, ...order }) => order)
}

// Orders in the parcel of another one

/** Whether other orders go in the parcel of the order `o`. */
const hasMembers = sql<boolean>`exists (select from orders m where m.operator_id = o.operator_id and m.combined_into = o.id)`

const ofLead = (column: string): Text => ({
  text: `select l.${column} from orders l where l.operator_id = o.operator_id and l.id = o.combined_into`,
})

/** What is recorded of a member when it happens to its lead; the rest says only what is done with the parcel. */
const sharedKinds: readonly string[] = [
  'order.picked',
  'order.packed',
  'order.packed_in_part',
  'order.reopened',
  'order.handed_over',
  'order.hand_over_undone',
  'order.delivered',
  'order.closed',
  'order.cancelled',
]

/** The members of these orders follow their work. Their lines are with the lead as long as the parcel is in the warehouse. */
async function moveMembers(
  tools: StateTools,
  leads: readonly (ChangedOrder & { put_back_due: boolean })[],
  set: StateChange['set'],
  event: StateChange['event'],
): Promise<void> {
  const members = await membersOf(
    tools.db,
    leads.map(lead => lead.id),
  )
  if (set.work_state === 'handed_over') await returnLines(tools.db, members, { shipped: true })
  if (set.work_state === 'packed') await takeLines(tools.db, members)
  const leadOf = new Map(members.map(member => [member.id, valueAt(new Map(leads.map(lead => [lead.id, lead])), member.combined_into)]))
  const eventOf = (lead: ChangedOrder & { put_back_due: boolean }) => (typeof event === 'function' ? event(lead) : event)
  const [first] = leads
  const shared = first && sharedKinds.includes(eventOf(first)?.kind ?? '')
  await changeState(
    tools,
    members.map(member => member.id),
    {
      cancelled: 'too',
      set: {
        work_state: ofLead('work_state'),
        cancelled_at: ofLead('cancelled_at'),
        packed_at: ofLead('packed_at'),
        delivered_at: ofLead('delivered_at'),
      },
      ...(shared && {
        event: ({ id }) => {
          const one = eventOf(valueAt(leadOf, id))
          if (!one) throw new Error('An event was to be shared that does not exist')
          // The goods are unpacked from the parcel of the lead.
          return one.kind === 'order.reopened' ? { ...one, data: { unpack: false } } : one
        },
      }),
    },
  )
}

/** Screens on which somebody works on this order learn at once that something stands in the way. */
export function notifyWorkers(notify: TransactionContext['notify'], order: Pick<ChangedOrder, 'id' | 'company_id' | 'work_state'>): void {
  notify('packing', order.id, order.company_id)
  if (order.work_state === 'in_pick') notify('picking', order.id, order.company_id)
}

// Holds

/** One event for all orders, or what each of them records. */
type EventOf = OrderEvent | ((order: ChangedOrder) => OrderEvent)

/** A lock of an order stops the parcel, and with it all orders in it. */
const hasOpenLock: Text = {
  text: `(exists (select from order_locks l where l.operator_id = o.operator_id and l.order_id = o.id and l.released_at is null)
    or exists (select from orders m join order_locks l on l.operator_id = m.operator_id and l.order_id = m.id and l.released_at is null
      where m.operator_id = o.operator_id and m.combined_into = o.id))`,
}

/** The orders in whose parcels these go are stopped and freed with them. */
async function followMembers(tools: StateTools, changed: readonly ChangedOrder[], event: EventOf | undefined): Promise<void> {
  const ids = changed.map(order => order.id)
  const rows = await leadsOf(tools.db, ids)
  const byLead = new Map(rows.map(row => [row.combined_into, row.id]))
  const byId = new Map(changed.map(order => [order.id, order]))
  await changeState(tools, [...byLead.keys()], {
    cancelled: 'too',
    where: { text: `o.held <> ${hasOpenLock.text}` },
    set: { held: hasOpenLock },
    ...(event && {
      event: ({ id }) => (typeof event === 'function' ? event(valueAt(byId, valueAt(byLead, id))) : event),
    }),
  })
  for (const { combined_into, company_id, work_state } of rows) notifyWorkers(tools.notify, { id: combined_into, company_id, work_state })
}

/** The orders have a lock more. */
export async function holdOrders(tools: StateTools, ids: readonly number[], event: EventOf, { actor }: { actor?: string } = {}) {
  const changed = await changeState(tools, ids, { set: { held: hasOpenLock }, event, actor })
  await followMembers(tools, changed, event)
  return changed
}

/** The orders have a lock less: they are held as long as another one is open. */
export async function endHolds(tools: StateTools, ids: readonly number[], event: EventOf) {
  const changed = await changeState(tools, ids, { cancelled: 'too', set: { held: hasOpenLock }, event })
  await followMembers(tools, changed, event)
  return changed
}

/** The shop has sent other holds; the change of the order that they came with is recorded. */
export const followHolds = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, { where: { text: `o.held <> ${hasOpenLock.text}` }, set: { held: hasOpenLock } })

// Several orders in one parcel

interface CombinedOrder {
  id: number
  order_no: string
  item_count: number
  weight_g: number
}

export interface CombinedParcel {
  lead: CombinedOrder
  members: readonly CombinedOrder[]
}

/**
 * The members of each parcel go in that of the lead, which has their lines until it is handed over. The caller has locked all of them and judged
 * them by `refusalsOf`. Answers what was changed: the leads first.
 */
export async function combineOrders(tools: StateTools, parcels: readonly CombinedParcel[]): Promise<ChangedOrder[]> {
  const leads = new Map(parcels.map(({ lead, members }) => [lead.id, members]))
  const leadOf = new Map(parcels.flatMap(({ lead, members }) => members.map(member => [member.id, lead] as const)))
  await takeLines(
    tools.db,
    [...leadOf].map(([id, lead]) => ({ id, combined_into: lead.id })),
  )
  const first = await changeState(tools, [...leads.keys()], {
    from: ['ready'],
    where: { text: `not o.held and ${isLead.text}` },
    set: {},
    event: ({ id }) => ({
      kind: 'order.combined',
      data: {
        order_nos: valueAt(leads, id)
          .map(member => member.order_no)
          .join(', '),
      },
    }),
  })
  const list = (ids: Iterable<number>) => `'{${[...ids].join(',')}}'::bigint[]`
  const others = await changeState(tools, [...leadOf.keys()], {
    from: ['ready'],
    where: { text: `not o.held and ${isAlone.text}` },
    set: {
      combined_into: {
        text: `(${list([...leadOf.values()].map(lead => lead.id))})[array_position(${list(leadOf.keys())}, o.id)]`,
      },
      pinned_at: null,
    },
    event: ({ id }) => ({ kind: 'order.combined_into', data: { order_no: valueAt(leadOf, id).order_no } }),
  })
  return [...first, ...others]
}

/**
 * Takes orders out of the parcel that they go in with others, where no work on it has begun; a lead with all its members. Those that are in no
 * such parcel are left alone. Answers the orders that go by themselves again.
 */
export async function separateOrders(tools: StateTools, ids: readonly number[]): Promise<ChangedOrder[]> {
  const members = await separableMembers(tools.db, ids)
  if (members.length === 0) return []
  await returnLines(tools.db, members)
  const leadNo = new Map(members.map(member => [member.id, member.lead_no]))
  const out = await changeState(
    tools,
    members.map(member => member.id),
    {
      cancelled: 'too',
      set: { combined_into: null },
      event: ({ id }) => ({ kind: 'order.combination_undone', data: { order_no: valueAt(leadNo, id) } }),
    },
  )
  const byLead = Map.groupBy(members, member => member.combined_into)
  const leads = await changeState(tools, [...byLead.keys()], {
    cancelled: 'too',
    // The lock of a member stops it no more.
    set: { held: hasOpenLock },
    event: ({ id }) => ({
      kind: 'order.combination_undone',
      data: {
        order_no: valueAt(byLead, id)
          .map(member => member.order_no)
          .join(', '),
      },
    }),
  })
  return [...leads, ...out]
}

// From the shop to the pick list

/** New orders that nothing holds may be picked and packed. */
export const releaseOrders = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, {
    from: ['new'],
    where: { text: 'not o.held' },
    set: { work_state: 'ready', release_at: null },
    event: { kind: 'order.released' },
  })

/** The shop takes its cancellation back. */
export const restoreOrders = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, { cancelled: 'only', set: { cancelled_at: null } })

// Picking

/** It is picked and packed itself, and not in the parcel of another order. */
const isLead: Text = { text: 'o.combined_into is null' }

export interface OrderSlot {
  order_id: number
  list: number
  wagon: number
  slot: number
}

const slotEvent = (slots: readonly OrderSlot[], kind: 'order.on_pick_list' | 'order.picked') => {
  const slotOf = new Map(slots.map(slot => [slot.order_id, slot]))
  return ({ id }: ChangedOrder): OrderEvent => {
    const { list, wagon, slot } = valueAt(slotOf, id)
    return { kind, subject: 'pick_list', subject_id: list, data: { list, wagon, slot } }
  }
}

/** The orders are put on a pick list. */
export const startPicking = (tools: StateTools, slots: readonly OrderSlot[]) =>
  changeState(
    tools,
    slots.map(slot => slot.order_id),
    { from: ['ready'], where: isLead, set: { work_state: 'in_pick' }, event: slotEvent(slots, 'order.on_pick_list') },
  )

/** Every line of the orders is decided. */
export const finishPicking = (tools: StateTools, slots: readonly OrderSlot[]) =>
  changeState(
    tools,
    slots.map(slot => slot.order_id),
    { from: ['in_pick'], set: { work_state: 'picked' }, event: slotEvent(slots, 'order.picked') },
  )

/** A piece of the orders has to be fetched after all. */
export const resumePicking = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, { from: ['picked'], set: { work_state: 'in_pick' } })

/** The orders leave their pick list; the list records it. */
export const returnToReady = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, { from: ['in_pick', 'picked'], set: { work_state: 'ready' } })

/** The orders wait for pieces that were not found. */
export const waitForStock = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, { from: ['ready', 'in_pick', 'picked'], set: { work_state: 'ready', backorder: true } })

/** Whether missing pieces of the orders wait for a decision. */
export const setShort = (tools: StateTools, ids: readonly number[], short: boolean, event?: OrderEvent) =>
  changeState(tools, ids, { cancelled: 'too', set: { short }, ...(event && { event }) })

// Packing

export const packable = ['ready', 'picked', 'in_pack'] as const satisfies readonly WorkState[]

/** Packing begins; the packing session records it. */
export const startPacking = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, { from: packable, where: isLead, set: { work_state: 'in_pack' } })

/** Packing is given up; the packing session records it. */
export const stopPacking = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, {
    from: ['in_pack'],
    set: {
      work_state: {
        text: `case when exists (select from order_lines l where l.operator_id = o.operator_id and l.order_id = o.id and l.picked_qty > 0)
          then 'picked' else 'ready' end`,
      },
      label_error: false,
    },
  })

/** A label could not be had; the booking records why. */
export const failLabel = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, { from: ['in_pack'], cancelled: 'too', set: { label_error: true } })

/** Everything is packed and has its label. */
export const finishPacking = (tools: StateTools, ids: readonly number[], { at, event }: { at: string; event: OrderEvent }) =>
  changeState(tools, ids, {
    from: ['in_pack'],
    set: { work_state: 'packed', backorder: false, label_error: false, packed_at: at },
    content: { goods_at: null },
    event,
  })

/** A part is packed and has its label; the rest is picked and packed later, or held where it has a lock. */
export const finishPackingInPart = (tools: StateTools, ids: readonly number[], { event }: { event: OrderEvent }) =>
  changeState(tools, ids, {
    from: ['in_pack'],
    set: { work_state: 'ready', backorder: true, label_error: false, held: hasOpenLock },
    content: { goods_at: null },
    event,
  })

/** The station at which the order was packed last. */
const packedAt = sql<string | null>`(select nullif(s.station, '') from packing_sessions s
  where s.operator_id = o.operator_id and s.order_id = o.id and s.state = 'done' order by s.id desc limit 1)`

/** Packed orders go back to the packing station. `unpack`: everything that has not left is taken out of its parcels. */
export const reopenOrders = (tools: StateTools, ids: readonly number[], { unpack }: { unpack: boolean }) =>
  changeState(tools, ids, {
    from: ['packed'],
    where: isLead,
    set: { work_state: 'picked', packed_at: null, label_error: false },
    content: { goods_at: packedAt },
    event: { kind: 'order.reopened', data: { unpack } },
  })

// On the way

/** All parcels of the orders are with their couriers. */
export const handOverOrders = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, { from: ['packed'], set: { work_state: 'handed_over' }, event: { kind: 'order.handed_over' } })

/** A collect list is reopened: its parcels are back in the warehouse. */
export const undoHandOver = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, { from: ['handed_over'], set: { work_state: 'packed' }, event: { kind: 'order.hand_over_undone' } })

/** All parcels of the orders have arrived. */
export const deliverOrders = (tools: StateTools, ids: readonly number[], { at }: { at: string }) =>
  changeState(tools, ids, { from: ['handed_over'], set: { delivered_at: at }, event: { kind: 'order.delivered' } })

// The end

/** Nothing more will happen to the orders. */
export const closeOrders = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, { from: ['handed_over'], where: isLead, set: { work_state: 'closed' }, event: { kind: 'order.closed' } })

/** The shop says that orders are finished which no one here has begun to pick. */
export async function closeUnstarted(tools: StateTools, ids: readonly number[]) {
  await separateOrders(tools, ids)
  return changeState(tools, ids, { from: ['new', 'ready'], set: { work_state: 'closed' } })
}

/** No other order goes in its parcel, nor it in that of another one. */
const isAlone: Text = {
  text: `${isLead.text} and not exists (select from orders m where m.operator_id = o.operator_id and m.combined_into = o.id)`,
}

/** Pieces that were taken from their bins and have not left: they have to go back. */
const takenFromBins: Text = {
  text: `o.work_state in ('in_pick', 'picked', 'in_pack') or exists (select from order_lines l where l.operator_id = o.operator_id
    and l.order_id = o.id and greatest(l.picked_qty, l.packed_qty) > l.shipped_qty)`,
}

/**
 * The orders are not sent. What was taken from its bins goes back first. One that goes in a parcel with others leaves it, and stays where the
 * work on the parcel has begun; `together`: nothing is left of the parcel, and all its orders are cancelled.
 */
export async function cancelOrders(
  tools: StateTools,
  ids: readonly number[],
  { at, note, by, actor, together = false }: { at: string; note?: string; by?: 'shop'; actor?: string; together?: boolean },
) {
  if (!together) await separateOrders(tools, ids)
  return changeState(tools, ids, {
    from: ['new', 'ready', 'in_pick', 'picked', 'in_pack'],
    where: together ? isLead : isAlone,
    set: { cancelled_at: at, put_back_due: takenFromBins, release_at: null, pinned_at: null, label_error: false },
    event: ({ put_back_due }) => ({
      kind: 'order.cancelled',
      data: { put_back_due, ...(note !== undefined && { note }), ...(by !== undefined && { by }) },
    }),
    actor,
  })
}

/** Everything of the cancelled orders is back in its bins. */
export const finishPutBack = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, {
    cancelled: 'only',
    set: { put_back_due: false },
    content: { goods_at: null },
    event: { kind: 'order.put_back' },
  })

/** Nothing of the cancelled orders was taken from its bins. */
export const skipPutBack = (tools: StateTools, ids: readonly number[]) =>
  changeState(tools, ids, {
    from: ['in_pick'],
    cancelled: 'only',
    where: { text: 'o.put_back_due' },
    set: { put_back_due: false },
  })

// What does not move the state

export interface OrderEdit {
  from?: readonly WorkState[]
  cancelled?: 'never' | 'too'
  content: OrderContent
  /** What is sent by another address or method deserves another try for its label. */
  clears_label_error?: boolean
  event?: EventOf
}

/** Changes what an order says. Undefined when it is not in a state in which it may be edited. */
export async function editOrder(tools: StateTools, id: number, edit: OrderEdit): Promise<ChangedOrder | undefined> {
  const [changed] = await editOrders(tools, [id], edit)
  return changed
}

/** Changes what many orders say, the same in each. */
export const editOrders = (
  tools: StateTools,
  ids: readonly number[],
  { clears_label_error, ...edit }: OrderEdit,
): Promise<ChangedOrder[]> =>
  changeState(tools, ids, {
    ...edit,
    ...(sharedContent.some(name => edit.content[name] !== undefined)
      ? { where: isAlone }
      : leadContent.some(name => edit.content[name] !== undefined) && { where: isLead }),
    set: clears_label_error ? { label_error: false } : {},
  })

/** What all orders in one parcel have in common. */
const sharedContent = ['ship_to', 'agent_code', 'shipping_method', 'customs'] as const
/** What the order says for the whole parcel that carries it. */
const leadContent = ['service_point', 'ship_by'] as const
