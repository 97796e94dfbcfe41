/** Writes messages: queued, cancelled, settled, answered; and who wants none. */
import { sql } from 'kysely'
import * as z from 'zod'
import { conflict, notFound } from '#contract/errors.ts'
import { notValid, recordOwnedChanges, type SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import { issueLinks } from '#features/messages/decision-links/decision-links.commands.ts'
import { type AnswerChoice, answerPlace, type MessageChannel, type MessageTrigger } from '#features/messages/templates/templates.codes.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context, TransactionContext } from '#platform/http/feature-module.ts'
import { MessageSettings } from './message-settings.schemas.ts'
import type { SkipReason } from './messages.codes.ts'
import { messageById, messageSettings } from './messages.queries.ts'
import type { Message } from './messages.schemas.ts'
import type { WrittenMessage } from './write-message.server.ts'

const hour = 3_600_000
/** After this time what a message says is not news any more. */
const validFor = 72 * hour

export interface NewMessage {
  company_id: number
  order_id: number | null
  customer_id: number | null
  group_id?: number | null
  template_id?: number | null
  channel: MessageChannel
  trigger: MessageTrigger
  dedupe_key: string
  country: string | null
  urgent: boolean
  currency: string | null
  send_after: Date
  answers_id?: number | null
  /** What the recipient can answer, where the text holds the place of a link. */
  choices?: readonly AnswerChoice[]
  actor: string
  /** What is sent, or why nothing is. */
  written: WrittenMessage | { skip: SkipReason }
}

type QueueTools = Pick<Context, 'db' | 'services' | 'scope' | 'now'>

/** Queues messages; those whose key is known are left out. Answers how many are new, the skipped ones included. */
export async function queueMessages(
  { db, services, scope, now: clock }: QueueTools,
  messages: readonly NewMessage[],
): Promise<{ id: number; dedupe_key: string }[]> {
  const now = clock()
  if (messages.length === 0) return []
  const created_at = now.toISOString()
  const rows = await db
    .insertInto('messages')
    .values(
      messages.map(({ written, send_after, choices: _choices, ...message }) => {
        const skipped = 'skip' in written
        return {
          ...message,
          group_id: message.group_id ?? null,
          template_id: message.template_id ?? null,
          answers_id: message.answers_id ?? null,
          state: skipped ? ('skipped' as const) : ('queued' as const),
          reason: skipped ? written.skip : null,
          final_at: skipped ? created_at : null,
          address_key: skipped ? null : written.address_key,
          encoding: skipped ? null : written.encoding,
          parts: skipped ? null : written.parts,
          price_micro: skipped ? null : written.price_micro,
          send_after: send_after.toISOString(),
          valid_until: new Date(send_after.getTime() + validFor).toISOString(),
          created_at,
        }
      }),
    )
    .onConflict(one => one.columns(['operator_id', 'company_id', 'dedupe_key']).doNothing())
    .returning(['id', 'company_id', 'dedupe_key'])
    .execute()
  const ids = new Map(rows.map(row => [`${row.company_id} ${row.dedupe_key}`, row.id]))
  const bodies = messages.flatMap(({ written, company_id, dedupe_key }) => {
    const message_id = ids.get(`${company_id} ${dedupe_key}`)
    if (message_id === undefined || 'skip' in written) return []
    const { address, name, subject, text, html } = written
    return [{ company_id, message_id, address, name, subject, text, html, created_at }]
  })
  if (bodies.length > 0) await db.insertInto('message_bodies').values(bodies).execute()
  await issueLinks(
    { db, vault: services.vault, now },
    scope.operator_id,
    messages.flatMap(({ company_id, order_id, channel, choices = [], send_after, actor, dedupe_key, written }) => {
      const message_id = ids.get(`${company_id} ${dedupe_key}`)
      const asks = !('skip' in written) && `${written.text} ${written.html ?? ''}`.includes(answerPlace) && choices.length > 0
      return message_id === undefined || order_id === null || !asks
        ? []
        : [{ company_id, order_id, message_id, channel, choices, from: send_after, actor }]
    }),
  )
  return rows
}

type Tools = Pick<TransactionContext, 'db' | 'recordEvents' | 'notify'>

/** The timeline of each order says who was written to. */
export const recordQueued = (
  { recordEvents }: Tools,
  messages: readonly (Pick<NewMessage, 'company_id' | 'order_id' | 'channel' | 'trigger'> & { id: number })[],
) =>
  recordEvents(
    messages.map(({ id, company_id, order_id, channel, trigger }) => ({
      kind: 'message.queued' as const,
      company_id,
      order_id,
      subject: 'message',
      subject_id: id,
      data: { channel, trigger },
    })),
  )

export interface NewGroup {
  client_id: string
  channel: MessageChannel
  title: string
  template_id: number | null
  asked: number
  price_micro: number
  currency: string
  actor: string
}

/** The group of a sending; the one that was made before where the client asks again. */
export async function startGroup(db: Db, company_id: number, group: NewGroup, now: Date): Promise<number> {
  const made = await db
    .insertInto('message_groups')
    .values({ ...group, company_id, created_at: now.toISOString() })
    .onConflict(one => one.columns(['operator_id', 'company_id', 'client_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) return made.id
  const { id } = await db
    .selectFrom('message_groups')
    .select('id')
    .where('company_id', '=', company_id)
    .where('client_id', '=', group.client_id)
    .executeTakeFirstOrThrow()
  return id
}

export const isStarted = async (db: Db, company_id: number, client_id: string): Promise<boolean> =>
  (await db
    .selectFrom('message_groups')
    .select('id')
    .where('company_id', '=', company_id)
    .where('client_id', '=', client_id)
    .executeTakeFirst()) !== undefined

/** Cancels what is not sent yet; answers how many messages that were. */
export async function cancelGroup({ db, now }: Context, group_id: number): Promise<number> {
  const at = now().toISOString()
  await db.updateTable('message_groups').set({ cancelled_at: at }).where('id', '=', group_id).where('cancelled_at', 'is', null).execute()
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({ state: 'cancelled', final_at: at })
    .where('group_id', '=', group_id)
    .where('state', '=', 'queued')
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

const tooLate = () => conflict('message_sent', 'The message is sent already')

export async function cancelMessage({ db, now, notify }: Context, id: number): Promise<Message> {
  const { company_id } = await messageById(db, id)
  const { numUpdatedRows } = await db
    .updateTable('messages')
    .set({ state: 'cancelled', final_at: now().toISOString() })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw tooLate()
  notify('message', id, company_id)
  return messageById(db, id)
}

/** A person says of a message whose end is not known that it was sent, or sends it again; a failed one too. */
export async function settleMessage({ db, now, notify }: Context, id: number, sent: boolean): Promise<Message> {
  const message = await messageById(db, id)
  const at = now()
  const row = db.updateTable('messages').where('id', '=', id)
  if (message.address === '') throw conflict('message_erased', 'The text of this message is deleted')
  const { numUpdatedRows } = sent
    ? await row
        .set(eb => ({ state: 'sent', reason: null, sent_at: eb.fn.coalesce('sent_at', eb.val(at.toISOString())), final_at: null }))
        .where('state', '=', 'unknown')
        .executeTakeFirstOrThrow()
    : await row
        .set({
          state: 'queued',
          reason: null,
          answer: null,
          attempts: 0,
          provider_id: null,
          final_at: null,
          sent_at: null,
          send_after: at.toISOString(),
          valid_until: new Date(at.getTime() + validFor).toISOString(),
        })
        .where('state', 'in', ['unknown', 'failed', 'expired'])
        .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw tooLate()
  notify('message', id, message.company_id)
  return messageById(db, id)
}

export async function handleMessage({ db, now, notify, principal }: Context, id: number): Promise<Message> {
  const { company_id } = await messageById(db, id)
  await db
    .updateTable('messages')
    .set({ handled_at: now().toISOString(), handled_by: principal.name.slice(0, 200) })
    .where('id', '=', id)
    .where('direction', '=', 'in')
    .where('handled_at', 'is', null)
    .execute()
  notify('message', id, company_id)
  return messageById(db, id)
}

/** As the history of settings keeps them. */
const historyOf = ({ quiet_from, quiet_to, keep_days }: Omit<MessageSettings, 'version'>) => ({
  quiet_hours: [quiet_from, quiet_to],
  keep_days,
})
const { quiet_from: clock, ...others } = MessageSettings.omit({ quiet_to: true }).shape
const Stored = z.object({ quiet_hours: z.tuple([clock, clock]), ...others })

export const messageSettingsOwner: SettingOwner = {
  name: 'message_settings',
  async read({ db, scope }) {
    await db.selectFrom('message_settings').select('version').where('company_id', '=', scope.company_id).forUpdate().execute()
    const settings = await messageSettings(db, scope.company_id)
    return { ...historyOf(settings), version: settings.version }
  },
  async save(context, _place, values) {
    const read = Stored.safeParse(values)
    if (!read.success) throw notValid()
    const { quiet_hours, ...fields } = read.data
    const [quiet_from, quiet_to] = quiet_hours
    await saveMessageSettings(context, { ...fields, quiet_from, quiet_to })
  },
}

export async function saveMessageSettings(context: Context, { version, ...fields }: MessageSettings): Promise<void> {
  const { db, scope, recordEvent } = context
  const current = await messageSettings(db, scope.company_id)
  if (current.version !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current })
  await db
    .insertInto('message_settings')
    .values(fields)
    .onConflict(one =>
      one.columns(['operator_id', 'company_id']).doUpdateSet(eb => ({ ...fields, version: eb('message_settings.version', '+', 1) })),
    )
    .execute()
  await recordOwnedChanges(context, 'message_settings', historyOf(current), historyOf(fields))
  await recordEvent({ kind: 'message_settings.set', subject: 'company', subject_id: scope.company_id })
}

interface NewOptOut {
  company_id: number
  channel: MessageChannel
  address_key: string
  address: string
  source: 'stop' | 'gateway' | 'person'
  actor: string
}

/** Once for each address: an open one stays as it is. */
export async function addOptOut(db: Db, optOut: NewOptOut, now: Date): Promise<void> {
  await db
    .insertInto('message_opt_outs')
    .values({ ...optOut, at: now.toISOString() })
    .onConflict(one => one.columns(['operator_id', 'company_id', 'channel', 'address_key']).where('ended_at', 'is', null).doNothing())
    .execute()
}

export async function endOptOuts(db: Db, company_id: number, address_key: string, now: Date): Promise<void> {
  await db
    .updateTable('message_opt_outs')
    .set({ ended_at: now.toISOString() })
    .where('company_id', '=', company_id)
    .where('address_key', '=', address_key)
    .where('ended_at', 'is', null)
    .execute()
}

export async function endOptOut({ db, scope, now }: Context, id: number): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('message_opt_outs')
    .set({ ended_at: now().toISOString() })
    .where('id', '=', id)
    .where('company_id', '=', scope.company_id)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw notFound('opt_out_not_found', 'Opt-out not found')
}

export interface ReceivedMessage {
  company_id: number
  channel: MessageChannel
  address: string
  address_key: string
  name?: string
  subject?: string
  text: string
  dedupe_key: string
  account_id: number | null
  provider: string
  order_id: number | null
  customer_id: number | null
  answers_id: number | null
  /** Nothing is left to do: it only stopped or started messages. */
  handled: boolean
}

/** Undefined where it came before. */
export async function storeReceived(
  db: Db,
  { text, address, handled, name = '', subject = '', ...message }: ReceivedMessage,
  now: Date,
): Promise<number | undefined> {
  const at = now.toISOString()
  const row = await db
    .insertInto('messages')
    .values({
      ...message,
      direction: 'in',
      state: 'received',
      send_after: at,
      valid_until: at,
      created_at: at,
      final_at: at,
      handled_at: handled ? at : null,
    })
    .onConflict(one => one.columns(['operator_id', 'company_id', 'dedupe_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!row) return undefined
  await db
    .insertInto('message_bodies')
    .values({ company_id: message.company_id, message_id: row.id, address, name, subject, text, created_at: at })
    .execute()
  return row.id
}

/** Texts that are older than their company keeps them, and messages of more than two years. */
export async function forgetOldMessages(db: Db, now: Date): Promise<void> {
  await sql`delete from message_bodies b using companies c
    left join message_settings s on s.operator_id = c.operator_id and s.company_id = c.id
    where b.operator_id = c.operator_id and b.company_id = c.id
      and b.created_at < ${now.toISOString()}::timestamptz - make_interval(days => coalesce(s.keep_days, 180))`.execute(db)
  await sql`delete from messages where created_at < ${now.toISOString()}::timestamptz - interval '24 months'`.execute(db)
  await sql`delete from message_reports where at < ${now.toISOString()}::timestamptz - interval '7 days'`.execute(db)
}
