/**
 * Storing orders: every order is stored here, no matter who sent it. A hot path.
 *
 * A batch is two statements however many orders it holds: one looks at what is known already, one writes all that is new.
 * Changed and cancelled orders take a few statements more, never some per order.
 */

import { createHash } from 'node:crypto'
import { elementAt } from '#domain/objects.ts'
import { mostLines } from '#domain/order/canonical-order.ts'
import { fingerprint, type ImportedOrder } from '#domain/order/canonical-order-checks.ts'
import type { Problem } from '#domain/order/validation-issues.ts'
import type { Db } from '#platform/database/database.ts'
import { retryOnConflict } from '#platform/database/retry-on-conflict.ts'
import { countedOf, insertCountChangesText } from '../counts/order-counts.commands.ts'
import { cancel } from './cancel-orders.commands.ts'
import { create } from './create-orders.commands.ts'
import { look } from './existing-orders.queries.ts'
import { type Draft, type Known, type Stored, stepFor, storingSentences } from './order-upsert.rules.ts'
import { ours, run, type StoringOptions, type StoringTools } from './sql.queries.ts'
import { unfolded } from './unfolded-orders.rules.ts'
import { update } from './update-orders.commands.ts'

/**
 * Stores orders of the company in scope and answers one result for each, in their order. The same content again changes nothing;
 * an older version than the stored one is passed over. Runs inside the caller's transaction: collisions are the caller's to try again.
 */
export async function storeOrders(tools: StoringTools, orders: readonly ImportedOrder[], options: StoringOptions = {}): Promise<Stored[]> {
  const results = new Array<Stored>(orders.length)
  let waiting: Draft[] = orders.map((order, at) => ({
    at,
    order,
    key: `${order.shop}\n${order.external_id}`,
    hash: createHash('sha256').update(fingerprint(order)).digest('hex'),
  }))
  const touched = new Set<number>()
  const done = ({ at, order }: Draft, result: Stored['result'], order_id: number | null, problem?: Problem) => {
    results[at] = { external_id: order.external_id, order_no: order.order_no, order_id, result, problems: problem ? [problem] : [] }
    if (order_id !== null && (result === 'created' || result === 'updated')) touched.add(order_id)
  }

  // The one that loses a race looks again and finds what the winner stored; an order that stands twice in a batch waits for its first self.
  for (let attempt = 0; waiting.length > 0; attempt++) {
    if (attempt === 8) {
      for (const draft of waiting) done(draft, 'refused', null, { field: '', text: storingSentences.busy, values: {} })
      break
    }
    const batch = new Map<string, Draft>()
    const later: Draft[] = []
    for (const draft of waiting) {
      if (batch.has(draft.key)) later.push(draft)
      else batch.set(draft.key, draft)
    }
    const drafts = [...batch.values()]
    const seen = await look(tools, drafts, options)
    let fresh: Draft[] = []
    const changed: Known[] = []
    const cancelled: Known[] = []
    const noted: Known[] = []
    for (const found of drafts) {
      const draft = options.as_sent ? found : { ...found, order: unfolded(found.order, seen.bundles) }
      const known = seen.known.get(draft.key)
      const count = draft.order.lines.length
      if (count > mostLines) {
        done(draft, 'refused', known?.id ?? null, { field: 'lines', text: storingSentences.long, values: { count, most: mostLines } })
        continue
      }
      if (!known) {
        fresh.push(draft)
        continue
      }
      const step = stepFor(draft, known)
      if (typeof step === 'object') done(draft, 'refused', known.id, step)
      else if (step === 'update') changed.push({ ...draft, known })
      else if (step === 'cancel' || step === 'ask') cancelled.push({ ...draft, known })
      else {
        if (step === 'note') noted.push({ ...draft, known })
        const mine = options.import_id !== undefined && known.import_id === options.import_id && known.version === 1
        done(draft, mine ? 'created' : 'unchanged', known.id)
      }
    }
    // A file knows orders by their numbers: one that came with an id of its shop would be packed twice.
    for (const draft of fresh) {
      const taken = seen.taken.get(draft.at)
      if (taken)
        done(draft, 'refused', taken.id, {
          field: 'order_no',
          text: storingSentences.taken,
          values: { order_no: draft.order.order_no, external_id: taken.external_id },
        })
    }
    fresh = fresh.filter(draft => !seen.taken.has(draft.at))
    const lost: Draft[] = []
    if (fresh.length > 0) {
      const made = await create(tools, fresh, seen, { ...options, ends: options.ends === true && fresh.length === waiting.length })
      for (const draft of fresh) {
        const id = made.get(draft.at)
        if (id === undefined) lost.push(draft)
        else done(draft, 'created', id)
      }
    }
    if (noted.length > 0) await note(tools, noted)
    for (const [some, change] of [
      [changed, update],
      [cancelled, cancel],
    ] as const) {
      if (some.length === 0) continue
      const made = await change(tools, some, seen, options)
      for (const draft of some) {
        if (made.has(draft.known.id)) done(draft, 'updated', draft.known.id)
        else lost.push(draft)
      }
    }
    waiting = [...lost.map(({ at, key, hash }) => ({ at, key, hash, order: elementAt(orders, at) })), ...later].sort(
      (one, other) => one.at - other.at,
    )
  }
  // A screen that lists orders asks once, however many came.
  if (touched.size > 20) tools.notify('order')
  else for (const id of touched) tools.notify('order', id)
  return results
}

/** A newer version that says nothing new: remembered, so that an older one that comes later is passed over. */
async function note({ db }: StoringTools, drafts: readonly Known[]): Promise<void> {
  await run(
    db,
    `update orders o set source_version = greatest(o.source_version, r.version) from unnest($1::bigint[], $2::bigint[]) as r(id, version)
      where ${ours('o')} and o.id = r.id and r.version is not null`,
    [drafts.map(draft => draft.known.id), drafts.map(draft => draft.order.version)],
  )
}

/** Repeats a transaction that stores orders when a concurrent one made the same order or stood in its way. */
export const retryOrderConflict = <T>(work: () => Promise<T>): Promise<T> => retryOnConflict(work, ['orders_external'])

/** Removes the orders that an import created, with everything of them but their events. Returns how many there were. */
export async function deleteImported(db: Db, import_id: number): Promise<number> {
  const [row] = await run<{ n: number }>(
    db,
    `with gone as (delete from orders o where o.operator_id = current_operator_id() and o.company_id = any (current_company_ids()) and o.import_id = $1::bigint
      returning o.id, ${countedOf('o')}),
      words as (delete from order_words w using gone where w.operator_id = current_operator_id() and w.order_id = gone.id),
      counted as (${insertCountChangesText(`select ${countedOf('g')}, -1 as n from gone g`)})
      select count(*) as n from gone`,
    [import_id],
  )
  return row?.n ?? 0
}
