/** Reads messages, sendings, opt-outs and the settings of messages. */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import * as z from 'zod'
import { orNotFound } from '#contract/errors.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import type { MessageSettings } from './message-settings.schemas.ts'
import type { MessageState } from './messages.codes.ts'
import { type AskedMessages, Message, MessageGroup, OptOut } from './messages.schemas.ts'

const joined = (db: Db) =>
  db.selectFrom('messages as m').leftJoin('message_bodies as b', 'b.message_id', 'm.id').leftJoin('orders as o', 'o.id', 'm.order_id')

const selected = (db: Db) =>
  joined(db)
    .select(['m.id', 'm.company_id', 'm.direction', 'm.channel', 'm.state', 'm.reason', 'm.answer', 'm.order_id', 'o.order_no'])
    .select(['m.customer_id', 'm.group_id', 'm.trigger', 'm.parts', 'm.price_micro', 'm.currency', 'm.provider', 'm.send_after'])
    .select(['m.sent_at', 'm.final_at', 'm.handled_at', 'm.handled_by', 'm.actor', 'm.created_at'])
    .select(eb => [
      eb.fn.coalesce('b.address', sql<string>`''`).as('address'),
      eb.fn.coalesce('b.name', sql<string>`''`).as('name'),
      eb.fn.coalesce('b.subject', sql<string>`''`).as('subject'),
      eb.fn.coalesce('b.text', sql<string>`''`).as('text'),
    ])

const asMessages = (rows: unknown): Message[] => z.array(Message).parse(rows)

export async function messageById(db: Db, id: number): Promise<Message> {
  const row = await selected(db).where('m.id', '=', id).executeTakeFirst()
  return Message.parse(orNotFound(row, 'message_not_found', 'Message not found'))
}

const mostOfThread = 500

export const messagesOfOrder = async (db: Db, order_id: number): Promise<Message[]> =>
  asMessages(await selected(db).where('m.order_id', '=', order_id).orderBy('m.id').limit(mostOfThread).execute())

/** Of the customer and of those that were merged into it. */
export const messagesOfCustomer = async (db: Db, customer_id: number): Promise<Message[]> =>
  asMessages(
    await selected(db)
      .where('m.customer_id', 'in', eb =>
        eb
          .selectFrom('customers as c')
          .innerJoin('customers as r', 'r.root_id', 'c.root_id')
          .select('c.id')
          .where('r.id', '=', customer_id),
      )
      .orderBy('m.id', 'desc')
      .limit(mostOfThread)
      .execute(),
  ).toReversed()

const viewConditions = {
  all: sql<SqlBool>`true`,
  unanswered: sql<SqlBool>`m.direction = 'in' and m.handled_at is null`,
  failed: sql<SqlBool>`m.state in ('failed', 'expired', 'unknown')`,
  scheduled: sql<SqlBool>`m.state = 'queued'`,
} as const

const all = (conditions: readonly (RawBuilder<SqlBool> | false)[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${sql.join(
    conditions.filter(one => one !== false),
    sql` and `,
  )})`

const ofStates = (states: readonly MessageState[] = []): RawBuilder<SqlBool>[] =>
  states.length > 0 ? [sql<SqlBool>`m.state = any(${states})`] : []

/** `keys` are the codes of the asked text as an address, in each company that the reader sees. */
export async function findMessages(
  db: Db,
  { view, query, channel, state, trigger, company, sort, ...paging }: AskedMessages & { page: number; limit: number },
  keys: readonly string[],
): Promise<Page<Message>> {
  const matching = all([
    viewConditions[view],
    query !== '' && sql<SqlBool>`(o.order_no = ${query} or m.address_key = any(${keys}))`,
    channel !== undefined && sql<SqlBool>`m.channel = ${channel}`,
    ...ofStates(state),
    trigger !== undefined && trigger.length > 0 && sql<SqlBool>`m.trigger = any(${trigger})`,
    company !== undefined && sql<SqlBool>`m.company_id = ${company}`,
  ])
  const rows = await selected(db)
    .where(matching)
    .orderBy('m.id', sort === 'newest' ? 'desc' : 'asc')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return {
    rows: asMessages(rows),
    ...(await cappedCount(db, joined(db).where(matching))),
    offset: pageOffset(paging),
    limit: paging.limit,
  }
}

export async function countMessages(db: Db): Promise<{ unanswered: number; failed: number; scheduled: number }> {
  const count = async (view: 'unanswered' | 'failed' | 'scheduled') =>
    (await cappedCount(db, db.selectFrom('messages as m').where(viewConditions[view]))).total
  return { unanswered: await count('unanswered'), failed: await count('failed'), scheduled: await count('scheduled') }
}

const groupColumns = [
  'g.id',
  'g.company_id',
  'g.title',
  'g.channel',
  'g.asked',
  'g.actor',
  'g.created_at',
  'g.cancelled_at',
  'g.currency',
] as const

const groupsOf = (db: Db) =>
  db
    .selectFrom('message_groups as g')
    .select(groupColumns)
    .select([
      sql<object>`(select coalesce(jsonb_object_agg(c.state, c.n), '{}') from (select m.state, count(*)::integer n from messages m
        where m.operator_id = g.operator_id and m.company_id = any (current_company_ids()) and m.group_id = g.id group by m.state) c)`.as(
        'counts',
      ),
      sql<number>`(select coalesce(sum(m.price_micro) filter (where m.sent_at is not null), 0)::bigint from messages m
        where m.operator_id = g.operator_id and m.company_id = any (current_company_ids()) and m.group_id = g.id)`.as('price_micro'),
    ])

export async function findGroups(db: Db, paging: { page: number; limit: number }): Promise<Page<MessageGroup>> {
  const rows = await groupsOf(db).orderBy('g.id', 'desc').limit(paging.limit).offset(pageOffset(paging)).execute()
  return {
    rows: z.array(MessageGroup).parse(rows),
    ...(await cappedCount(db, db.selectFrom('message_groups as g'))),
    offset: pageOffset(paging),
    limit: paging.limit,
  }
}

export async function groupById(db: Db, id: number): Promise<MessageGroup> {
  const row = await groupsOf(db).where('g.id', '=', id).executeTakeFirst()
  return MessageGroup.parse(orNotFound(row, 'message_group_not_found', 'Sending not found'))
}

export async function messagesOfGroup(
  db: Db,
  group_id: number,
  { state, ...paging }: { state?: readonly MessageState[] | undefined; page: number; limit: number },
): Promise<Page<Message>> {
  const within = all([sql<SqlBool>`m.group_id = ${group_id}`, ...ofStates(state)])
  const rows = await selected(db).where(within).orderBy('m.id').limit(paging.limit).offset(pageOffset(paging)).execute()
  return {
    rows: asMessages(rows),
    ...(await cappedCount(db, joined(db).where(within))),
    offset: pageOffset(paging),
    limit: paging.limit,
  }
}

const usual: MessageSettings = { quiet_from: '21:00', quiet_to: '08:00', keep_days: 180, version: 0 }

export async function messageSettings(db: Db, company_id: number): Promise<MessageSettings> {
  const row = await db
    .selectFrom('message_settings')
    .select(['quiet_from', 'quiet_to', 'keep_days', 'version'])
    .where('company_id', '=', company_id)
    .executeTakeFirst()
  return row ?? usual
}

/** Quiet hours with the zone of the company, for recipients whose country is not known. */
export async function quietHoursOf(db: Db, company_id: number) {
  const { quiet_from, quiet_to } = await messageSettings(db, company_id)
  return { quiet_from, quiet_to, time_zone: (await companySettings(db, company_id)).time_zone }
}

/** The codes of a company's addresses that want no messages, among these; all of them are asked at once. */
export async function optedOut(db: Db, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .selectFrom('message_opt_outs')
    .select('address_key')
    .where('address_key', '=', sql<string>`any(${keys})`)
    .where('ended_at', 'is', null)
    .execute()
  return new Set(rows.map(row => row.address_key))
}

export async function findOptOuts(
  db: Db,
  company_id: number,
  { keys, ...paging }: { keys: readonly string[] | null; page: number; limit: number },
): Promise<Page<OptOut>> {
  let from = db.selectFrom('message_opt_outs').where('company_id', '=', company_id).where('ended_at', 'is', null)
  if (keys) from = from.where('address_key', '=', sql<string>`any(${keys})`)
  const rows = await from
    .select(['id', 'channel', 'address', 'source', 'actor', 'at'])
    .orderBy('id', 'desc')
    .limit(paging.limit)
    .offset(pageOffset(paging))
    .execute()
  return { rows: z.array(OptOut).parse(rows), ...(await cappedCount(db, from)), offset: pageOffset(paging), limit: paging.limit }
}
