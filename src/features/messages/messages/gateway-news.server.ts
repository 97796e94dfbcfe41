/** What gateways report: states of messages, and answers of recipients. Stored before it is acknowledged; twice the same changes nothing. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { phoneKey } from '#features/customers/customers/customers.rules.ts'
import { credentialsOf } from '#features/deliveries/sms/sms.queries.ts'
import { smsTools } from '#features/deliveries/sms/sms.server.ts'
import { gateways } from '#integrations/messaging/gateways.ts'
import { type IncomingSms, type SmsNews, SmsRefused, type SmsReport } from '#integrations/messaging/sms-gateway.ts'
import type { Db } from '#platform/database/database.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Context, Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { isStart, isStop, stateRanks } from './message-states.rules.ts'
import { longestAnswer, type MessageState, messageStates } from './messages.codes.ts'
import { addOptOut, endOptOuts, storeReceived } from './messages.commands.ts'
import { addressKey } from './write-message.server.ts'

interface Account {
  id: number
  company_id: number
  provider: string
}

export async function takeNews(context: Context, account: Account, { reports, incoming }: SmsNews): Promise<void> {
  for (const report of reports) await takeReport(context, account, report)
  for (const one of incoming) await takeIncoming(context, account, one)
}

const below = (state: SmsReport['state']): MessageState[] =>
  messageStates.filter(one => one !== 'queued' && stateRanks[one] < stateRanks[state])

async function takeReport(
  { db, now, notify, recordEvents }: Context,
  account: Account,
  { provider_id, state, problem, parts }: SmsReport,
): Promise<void> {
  const at = now().toISOString()
  const changed = await db
    .updateTable('messages')
    .set(eb => ({
      state,
      reason: problem,
      final_at: state === 'sent' ? null : at,
      ...(parts !== null && { price_micro: sql<number>`price_micro / greatest(parts, 1) * ${parts}::integer`, parts: eb.val(parts) }),
    }))
    .where('account_id', '=', account.id)
    .where('provider_id', '=', provider_id)
    .where('state', 'in', below(state))
    .returning(['id', 'order_id', 'channel'])
    .execute()
  if (changed.length > 0) {
    notify('message', undefined, account.company_id)
    if (state === 'delivered') await recordEvents(changed.map(row => messageDelivered(account.company_id, row)))
  } else if (!(await isKnown(db, account.id, provider_id)))
    await db
      .insertInto('message_reports')
      .values({ company_id: account.company_id, account_id: account.id, provider_id: provider_id.slice(0, 100), state, problem, at })
      .onConflict(one => one.doNothing())
      .execute()
}

export const messageDelivered = (company_id: number, { id, order_id, channel }: { id: number; order_id: number | null; channel: string }) =>
  ({ kind: 'message.delivered', company_id, order_id, subject: 'message', subject_id: id, data: { channel } }) as const

const isKnown = async (db: Db, account_id: number, provider_id: string): Promise<boolean> =>
  (await db
    .selectFrom('messages')
    .select('id')
    .where('account_id', '=', account_id)
    .where('provider_id', '=', provider_id)
    .executeTakeFirst()) !== undefined

async function takeIncoming(context: Context, account: Account, { provider_id, from, text }: IncomingSms): Promise<void> {
  const { db, services, scope, now, recordEvent, notify } = context
  const { company_id } = account
  const address = phoneKey(from, 'DK') ?? from.slice(0, 254)
  const address_key = addressKey(services, { operator_id: scope.operator_id, company_id }, 'sms', address)
  const asked = await db
    .selectFrom('messages')
    .select(['id', 'order_id', 'customer_id'])
    .where('company_id', '=', company_id)
    .where('address_key', '=', address_key)
    .where('direction', '=', 'out')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const written = text.replaceAll('\0', '').slice(0, longestAnswer)
  const [stops, starts] = [isStop(written), isStart(written)]
  const id = await storeReceived(
    db,
    {
      company_id,
      channel: 'sms',
      address,
      address_key,
      text: written,
      dedupe_key: `in/${account.id}/${provider_id || createHash('sha256').update(`${from}\n${text}`).digest('base64url')}`.slice(0, 120),
      account_id: account.id,
      provider: account.provider,
      order_id: asked?.order_id ?? null,
      customer_id: asked?.customer_id ?? null,
      answers_id: asked?.id ?? null,
      handled: stops || starts,
    },
    now(),
  )
  if (id === undefined) return
  if (stops) await addOptOut(db, { company_id, channel: 'sms', address_key, address, source: 'stop', actor: '' }, now())
  if (starts) await endOptOuts(db, company_id, address_key, now())
  await recordEvent({
    kind: 'message.received',
    company_id,
    order_id: asked?.order_id ?? null,
    subject: 'message',
    subject_id: id,
    data: { channel: 'sms', stops },
  })
  notify('message', id, company_id)
}

interface Polled extends Account {
  operator_id: number
}

/** Gateways whose reports are given once: one server reads them at a time, since schedules run once in a deployment. */
export const pollGateways: ScheduledTask = {
  name: 'ask gateways for reports',
  seconds: 15,
  async run(services) {
    const accounts = await services.database.systemRead('accounts of every operator are asked', async db => {
      const { rows } =
        await sql<Polled>`select a.operator_id, a.id, a.company_id, a.provider from sms_accounts a where a.provider = 'inmobile'`.execute(
          db,
        )
      return rows
    })
    for (const account of accounts) await poll(services, account)
  },
}

async function poll(services: Services, { operator_id, company_id, id, provider }: Polled): Promise<void> {
  const scope = { operator_id, company_id, companies: [company_id] }
  const context = createSystemContext(services, scope)
  const credentials = await context.transaction(({ db }) =>
    credentialsOf(db, services, scope, { api: 'classic', region: 'com', user_name: '' }),
  )
  try {
    const news = await gateways.inmobile.poll?.(credentials, smsTools(services, services.closing))
    if (news && news.reports.length + news.incoming.length > 0)
      await context.transaction(tools => takeNews(tools, { id, company_id, provider }, news))
  } catch (error) {
    if (!(error instanceof SmsRefused)) throw error
    services.log.warn({ account: id, problem: error.problem }, 'the gateway gave no reports')
  }
}
