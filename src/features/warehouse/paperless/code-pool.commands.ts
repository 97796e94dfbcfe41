/** The pool of paperless codes in the database: making codes, looking at them, and what people say about them by hand. */
import { sql } from 'kysely'
import { conflict, orNotFound } from '#contract/errors.ts'
import { recordOf } from '#domain/objects.ts'
import { takeOrder } from '#features/orders/orders/order-facts.queries.ts'
import { meantOrders } from '#features/printing/code-sheets/code-sheets.queries.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { firstKnown } from '#platform/database/indexed-choice.ts'
import { beginning } from '#platform/database/like-pattern.ts'
import { bindCode } from './bind-codes.commands.ts'
import { atPacking } from './packing-totes.commands.ts'
import { codeStates } from './paperless.codes.ts'
import { workInTotes } from './paperless.contract.ts'
import { type CodeTools, codeText, unknownCode, type WagonKey } from './paperless.queries.ts'
import type { CodeState, MappedCode } from './paperless.schemas.ts'

/** Codes by state, and the number after the highest. */
export async function poolCounts(db: Db): Promise<{ counts: Record<CodeState, number>; next: number }> {
  const rows = await db
    .selectFrom('paperless_codes')
    .select(eb => ['state', eb.fn.countAll<number>().as('n')])
    .groupBy('state')
    .execute()
  const counts = recordOf(codeStates, state => rows.find(row => row.state === state)?.n ?? 0)
  return { counts, next: await nextNumber(db) }
}

/** Longer numbers than nine digits belong to somebody else's labels: the series goes on below them. */
async function nextNumber(db: Db): Promise<number> {
  const row = await db
    .selectFrom('paperless_codes')
    .select(sql<number>`coalesce(max(digits::bigint), 0) + 1`.as('next'))
    .where(sql<boolean>`length(digits) <= 9`)
    .executeTakeFirstOrThrow()
  return row.next
}

export interface PoolQuestion {
  query: string
  state?: readonly CodeState[] | undefined
}

function asked(db: Db, { query, state }: PoolQuestion) {
  let rows = db
    .selectFrom('paperless_codes as c')
    .leftJoin('pick_slots as s', j =>
      j.onRef('s.pick_list_id', '=', 'c.pick_list_id').onRef('s.wagon_no', '=', 'c.wagon_no').onRef('s.slot_no', '=', 'c.slot_no'),
    )
    .leftJoin('orders as o', j => j.on('o.id', '=', sql.raw<number>(firstKnown('c.order_id', 's.order_id'))))
    .leftJoin('companies as k', 'k.id', 'o.company_id')
    .leftJoin('packing_sessions as p', j => j.onRef('p.order_id', '=', 'o.id').on('p.ended_at', 'is', null))
  if (state?.length) rows = rows.where('c.state', '=', sql<string>`any(${state})`)
  const text = query.trim()
  if (text === '') return rows
  const order = /^(\d{1,15}):(\d{1,15})$/.exec(text)
  if (order) return rows.where('o.id', '=', Number(order[2])).where('o.company_id', '=', Number(order[1]))
  const digits = /^(?:PP)?(\d{1,20})$/i.exec(text)?.[1]
  const begins = beginning(text.replace(/^#/, ''))
  return rows.where(eb =>
    eb.or([
      eb('o.order_no', 'like', begins),
      eb('o.order_no', 'like', `#${begins}`),
      ...(digits ? [eb('c.digits', '=', digits)] : []),
      ...(digits && digits.length < 16 && !/^PP/i.test(text) ? [eb('c.pick_list_id', '=', Number(digits))] : []),
    ]),
  )
}

const shown = (rows: ReturnType<typeof asked>) =>
  rows
    .select(['c.id', 'c.digits', 'c.state', 'c.pick_list_id', 'c.wagon_no', 'c.slot_no', 'c.printed_at', 'c.created_at', 'c.version'])
    .select(['o.id as order_id', 'o.order_no', 'o.company_id', 'o.phase', 'k.name as company', 'p.station'])
    .select(sql<string | null>`coalesce(c.lost_at, c.at_packing_at, c.bound_at, c.reserved_at)`.as('since'))
    .select(eb =>
      eb
        .selectFrom('put_backs as t')
        .select(of => of.fn.countAll<number>().as('n'))
        .whereRef('t.pick_list_id', '=', 'c.pick_list_id')
        .whereRef('t.wagon_no', '=', 'c.wagon_no')
        .whereRef('t.slot_no', '=', 'c.slot_no')
        .where('t.done_at', 'is', null)
        .as('put_backs'),
    )

type Row = Awaited<ReturnType<ReturnType<typeof shown>['execute']>>[number]

const asMapped = ({ order_id, order_no, company_id, phase, company, station, put_backs, ...code }: Row): MappedCode => ({
  ...code,
  state: (code.state ?? 'free') as CodeState,
  code: codeText(code.digits),
  order:
    order_id === null || order_no === null || phase === null
      ? null
      : { id: order_id, order_no, company_id: company_id ?? 0, company: company ?? '', phase },
  station: code.state === 'at_packing' ? station : null,
  put_backs: put_backs ?? 0,
})

/** PP9 before PP10. */
const byDigits = (rows: ReturnType<typeof shown>) => rows.orderBy(sql`length(c.digits)`).orderBy('c.digits')

export async function poolPage(
  db: Db,
  question: PoolQuestion,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: MappedCode[]; total: number; total_is_more: boolean }> {
  const rows = asked(db, question)
  const some = await byDigits(shown(rows)).offset(offset).limit(limit).execute()
  const total = await cappedCount(db, rows)
  return { rows: some.map(asMapped), ...total }
}

export async function codeByDigits(db: Db, digits: string): Promise<MappedCode> {
  const row = await shown(asked(db, { query: '' }))
    .where('c.digits', '=', digits)
    .executeTakeFirst()
  if (!row) throw unknownCode(digits)
  return asMapped(row)
}

/** Numbers as new codes would get them. @throws {Refusal} 409 where one of them exists */
export async function newDigits(db: Db, { first, count }: { first: number | null; count: number }): Promise<string[]> {
  const from = first ?? (await nextNumber(db))
  const digits = Array.from({ length: count }, (_, i) => `${from + i}`)
  const there = await db
    .selectFrom('paperless_codes')
    .select('digits')
    .where('digits', '=', sql<string>`any(${digits}::text[])`)
    .orderBy(sql`length(digits)`)
    .orderBy('digits')
    .limit(1)
    .executeTakeFirst()
  if (there)
    throw conflict('tote_code_taken', '{{code}} exists already. Begin with {{next}}, or print it again.', {
      code: codeText(there.digits),
      next: await nextNumber(db),
    })
  return digits
}

/** @throws {Refusal} 404 for the first that does not exist */
export async function mustExist(db: Db, digits: readonly string[]): Promise<void> {
  const rows = await db.selectFrom('paperless_codes').select('digits').where('digits', '=', sql<string>`any(${digits}::text[])`).execute()
  const there = new Set(rows.map(row => row.digits))
  const missing = digits.find(one => !there.has(one))
  if (missing !== undefined) throw unknownCode(missing)
}

export interface Batch {
  key: string
  first: number | null
  count: number
  digits: readonly string[] | null
  user_id: number
  now: Date
}

/** The codes that were asked for under this key: made now, or those that it made before. Codes that exist are only looked up. */
export async function codesOfBatch({ db, recordEvent, notify }: CodeTools, batch: Batch): Promise<string[]> {
  // One at a time for an operator: two who ask for the next numbers get different ones.
  await sql`select pg_advisory_xact_lock(hashtextextended('paperless', current_operator_id()))`.execute(db)
  const before = await db.selectFrom('paperless_batches').select('digits').where('key', '=', batch.key).executeTakeFirst()
  if (before) return before.digits
  const digits = batch.digits ? [...new Set(batch.digits)] : await newDigits(db, batch)
  if (batch.digits) await mustExist(db, digits)
  else {
    await db
      .insertInto('paperless_codes')
      .values(digits.map(one => ({ digits: one, created_at: batch.now.toISOString() })))
      .execute()
    await recordEvent({
      kind: 'paperless.made',
      subject: 'paperless_code',
      data: { first: codeText(digits[0] ?? ''), count: digits.length },
    })
    notify('paperless')
  }
  await db
    .insertInto('paperless_batches')
    .values({ key: batch.key, digits, created_by: batch.user_id || null, created_at: batch.now.toISOString() })
    .execute()
  return digits
}

/** Their labels exist on paper. */
export async function notePrinted({ db, notify }: Pick<CodeTools, 'db' | 'notify'>, digits: readonly string[], now: Date): Promise<void> {
  await db
    .updateTable('paperless_codes')
    .set({ printed_at: now.toISOString() })
    .where('digits', '=', sql<string>`any(${digits}::text[])`)
    .execute()
  notify('paperless')
}

/**
 * The tote is missing, or its label cannot be read. It is kept for no slot any more; which order was in it stays known, so that the
 * tote can be given back to it when it turns up.
 */
export async function loseCode(tools: CodeTools, digits: string, now: Date): Promise<WagonKey | null> {
  const { db, recordEvent, notify } = tools
  const code = await takeCode(db, digits)
  if (code.lost_at !== null) throw conflict('tote_code_reported_lost', '{{code}} was reported lost already', { code: codeText(digits) })
  await db
    .updateTable('paperless_codes')
    .set(eb => ({
      lost_at: now.toISOString(),
      pick_list_id: null,
      wagon_no: null,
      slot_no: null,
      reserved_at: null,
      at_packing_at: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', code.id)
    .execute()
  await recordEvent({
    kind: code.order_id === null ? 'paperless.lost' : 'order.tote_lost',
    order_id: code.order_id,
    ...(code.order_company_id !== null && { company_id: code.order_company_id }),
    subject: 'paperless_code',
    subject_id: code.id,
    data: { code: codeText(digits), list: code.pick_list_id, wagon: code.wagon_no, slot: code.slot_no },
  })
  notify('paperless', code.id)
  return wagonOf(code)
}

const wagonOf = ({ pick_list_id, wagon_no }: { pick_list_id: number | null; wagon_no: number | null }): WagonKey | null =>
  pick_list_id === null || wagon_no === null ? null : { pick_list_id, wagon_no }

/** The tote is back: with its order, while that one is still picked or packed; else it is free. */
export async function findCode(tools: CodeTools, digits: string): Promise<WagonKey | null> {
  const { db, recordEvent, notify } = tools
  const code = await takeCode(db, digits)
  if (code.lost_at === null) throw conflict('tote_code_not_lost', '{{code}} is not lost', { code: codeText(digits) })
  const order =
    code.order_id === null
      ? undefined
      : await db
          .selectFrom('orders as o')
          .leftJoin('pick_slots as s', j => j.onRef('s.order_id', '=', 'o.id').on('s.live', '=', true))
          .select(['o.id', 'o.company_id', 's.pick_list_id', 's.wagon_no', 's.slot_no'])
          .where('o.id', '=', code.order_id)
          .where('o.cancelled_at', 'is', null)
          .where('o.work_state', 'in', ['in_pick', 'picked', 'in_pack'])
          .executeTakeFirst()
  await db
    .updateTable('paperless_codes')
    .set(eb => ({
      lost_at: null,
      pick_list_id: order?.pick_list_id ?? null,
      wagon_no: order?.wagon_no ?? null,
      slot_no: order?.slot_no ?? null,
      ...(!order && { order_id: null, order_company_id: null, bound_at: null }),
      version: eb('version', '+', 1),
    }))
    .where('id', '=', code.id)
    .execute()
  await recordEvent({
    kind: order ? 'order.tote_found' : 'paperless.found',
    order_id: order?.id ?? null,
    ...(order && { company_id: order.company_id }),
    subject: 'paperless_code',
    subject_id: code.id,
    data: { code: codeText(digits) },
  })
  notify('paperless', code.id)
  return order ? wagonOf(order) : null
}

/** The code with its row taken; the order in it first, as everywhere. */
async function takeCode(db: Db, digits: string) {
  const seen = await db.selectFrom('paperless_codes').select('order_id').where('digits', '=', digits).executeTakeFirst()
  if (seen?.order_id) await takeOrder(db, seen.order_id)
  const code = await db.selectFrom('paperless_codes').selectAll().where('digits', '=', digits).forUpdate().executeTakeFirst()
  if (!code) throw unknownCode(digits)
  return code
}

/** Says which order lies in a free tote. On a list, the tote stands in its slot from now on. */
export async function bindByHand(tools: CodeTools, digits: string, text: string): Promise<WagonKey | null> {
  const { db } = tools
  const [meant] = await meantOrders(db, [text])
  if (!meant?.length) throw conflict('orders_not_found', 'There is no order {{orders}}', { orders: text })
  if (meant.length > 1)
    throw conflict('order_number_ambiguous', 'Several orders have the number {{order}}. Write the order code instead.', { order: text })
  const order = orNotFound(await takeOrder(db, meant[0]?.id ?? 0), 'order_not_found', 'Order not found')
  if (order.cancelled_at !== null)
    throw conflict('order_cancelled_by_number', 'Order {{order_no}} is cancelled', { order_no: order.order_no })
  if (!workInTotes.some(state => state === order.work_state))
    throw conflict('order_needs_no_tote', 'Order {{order_no}} is not picked or packed now: it needs no tote', { order_no: order.order_no })
  const slot = await db
    .selectFrom('pick_slots')
    .select(['pick_list_id', 'wagon_no', 'slot_no'])
    .where('order_id', '=', order.id)
    .where('live', '=', true)
    .executeTakeFirst()
  await bindCode(tools, digits, {
    pick_list_id: slot?.pick_list_id ?? null,
    wagon_no: slot?.wagon_no ?? null,
    slot_no: slot?.slot_no ?? null,
    order_id: order.id,
    company_id: order.company_id,
  })
  if (order.work_state === 'in_pack') await atPacking(tools, order.id, true)
  return slot ? wagonOf(slot) : null
}

/** Takes a code out of the pool for good: only where nothing depends on it. */
export async function removeCode({ db, recordEvent, notify }: CodeTools, digits: string): Promise<void> {
  const code = await takeCode(db, digits)
  if (code.order_id !== null || code.pick_list_id !== null)
    throw conflict('tote_code_in_use', '{{code}} is in use: only free and lost codes can be taken out of the pool', {
      code: codeText(digits),
    })
  await db.deleteFrom('paperless_codes').where('id', '=', code.id).execute()
  await recordEvent({ kind: 'paperless.removed', subject: 'paperless_code', subject_id: code.id, data: { code: codeText(digits) } })
  notify('paperless', code.id)
}
