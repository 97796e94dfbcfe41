/** Sends messages that are due. A message is sent once: where the answer is lost its end is unknown, and a person decides. */

import { sql } from 'kysely'
import type { SmsProblem } from '#domain/sms-codes.ts'
import { accountForSending, mailSecret } from '#features/deliveries/mail/mail.queries.ts'
import { domainOf, sendOverSmtp } from '#features/deliveries/mail/smtp.server.ts'
import { noteProblem } from '#features/deliveries/sms/sms.commands.ts'
import { callbackUrl, credentialsOf, storedAccount } from '#features/deliveries/sms/sms.queries.ts'
import { smsTools } from '#features/deliveries/sms/sms.server.ts'
import { sizeOfSms } from '#features/deliveries/sms/sms-text.rules.ts'
import { secretsOfMessages } from '#features/messages/decision-links/decision-links.queries.ts'
import { answerPlace } from '#features/messages/templates/templates.codes.ts'
import { gateways } from '#integrations/messaging/gateways.ts'
import type { SmsOutcome } from '#integrations/messaging/sms-gateway.ts'
import { readSecret } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import { createSystemContext } from '#platform/http/context.ts'
import type { Services } from '#platform/http/feature-module.ts'
import type { ScheduledTask } from '#platform/jobs/scheduler.ts'
import { messageDelivered } from './gateway-news.server.ts'
import { isOutdated } from './message-occasions.rules.ts'
import type { SkipReason } from './messages.codes.ts'
import { addOptOut, forgetOldMessages } from './messages.commands.ts'
import { optedOut } from './messages.queries.ts'

const why = 'messages of every operator are sent'
/** Messages of a company at once, and mails at once. */
const batchSize = 200
const mailsAtOnce = 5
/** Seconds for which a batch is held; longer than gateways and mail servers may take. */
const leaseSeconds = 240
/** Seconds until the next attempt. */
const pauses = [60, 300, 1_800, 7_200, 21_600, 54_000]

interface Due {
  operator_id: number
  company_id: number
}

interface Claimed {
  id: number
  channel: 'sms' | 'email'
  order_id: number | null
  trigger: string
  address_key: string | null
  encoding: string | null
  valid_until: string
  attempts: number
  address: string | null
  name: string | null
  subject: string | null
  text: string | null
  html: string | null
  phase: string | null
  held: boolean | null
  delivered: boolean | null
}

type Ended =
  | { end: 'sent'; provider: string; provider_id: string | null; parts: number | null; price_micro: number | null; currency: string | null }
  | { end: 'failed' | 'later' | 'unknown'; reason: string; answer: string }
  | { end: 'skipped'; reason: SkipReason }

export const sendMessages: ScheduledTask = {
  name: 'send messages',
  seconds: 1,
  async run(services) {
    await services.database.systemTransaction(why, db => endForgottenLeases(db, services.now()))
    while (!services.closing.aborted) {
      const due = await services.database.systemRead(why, db => dueCompanies(db, services.now()))
      if (due.length === 0) return
      await Promise.all(due.map(company => sendOfCompany(services, company)))
    }
  },
}

export const forgetMessages: ScheduledTask = {
  name: 'forget old messages',
  seconds: 3_600,
  run: services =>
    services.database.systemTransaction('texts are kept for as long as each company says', db => forgetOldMessages(db, services.now())),
}

async function endForgottenLeases(db: Db, now: Date): Promise<void> {
  await sql`update messages set state = 'unknown', reason = 'no_answer', leased_until = null
    where state = 'sending' and leased_until < ${now.toISOString()}`.execute(db)
}

async function dueCompanies(db: Db, now: Date): Promise<Due[]> {
  const { rows } =
    await sql<Due>`select m.operator_id, m.company_id from messages m join companies c on c.operator_id = m.operator_id and c.id = m.company_id
    where c.closed_at is null and m.state = 'queued' and m.send_after <= ${now.toISOString()}
    group by m.operator_id, m.company_id order by min(m.send_after) limit 8`.execute(db)
  return rows
}

async function claim(db: Db, now: Date): Promise<Claimed[]> {
  const until = new Date(now.getTime() + leaseSeconds * 1_000).toISOString()
  const { rows } = await sql<Claimed>`
    with taken as (select m.id from messages m where m.operator_id = current_operator_id() and m.company_id = current_company_id()
        and m.state = 'queued' and m.send_after <= ${now.toISOString()} order by m.send_after, m.id limit ${batchSize} for update skip locked),
      claimed as (update messages m set state = 'sending', attempts = m.attempts + 1, leased_until = ${until}
        from taken t where m.operator_id = current_operator_id() and m.company_id = current_company_id() and m.id = t.id
        returning m.*)
    select c.id, c.channel, c.order_id, c.trigger, c.address_key, c.encoding, c.valid_until, c.attempts, b.address, b.name, b.subject, b.text, b.html,
      o.phase, o.held, o.delivered_at is not null as delivered
    from claimed c left join message_bodies b on b.operator_id = c.operator_id and b.message_id = c.id
      left join orders o on o.operator_id = c.operator_id and o.id = c.order_id order by c.id`.execute(db)
  return rows
}

async function sendOfCompany(services: Services, { operator_id, company_id }: Due): Promise<void> {
  const scope = { operator_id, company_id, companies: [company_id] }
  const now = services.now()
  const { claimed, gone, secrets, account, credentials, company } = await services.database.transaction(scope, async db => {
    const rows = await claim(db, now)
    const stored = await storedAccount(db, company_id)
    return {
      claimed: rows,
      gone: await optedOut(
        db,
        rows.flatMap(row => row.address_key ?? []),
      ),
      secrets: await secretsOfMessages(
        db,
        services.vault,
        scope,
        rows.flatMap(row => (holdsLink(row) ? [row.id] : [])),
        now,
      ),
      account: stored,
      credentials: stored && (await credentialsOf(db, services, scope, stored)),
      company: await db.selectFrom('companies').select('code').where('id', '=', company_id).executeTakeFirstOrThrow(),
    }
  })
  const ends = new Map<number, Ended>()
  const skip = (row: Claimed): SkipReason | null => {
    if (row.address === null || row.text === null) return 'erased'
    if (row.address_key !== null && gone.has(row.address_key)) return 'opt_out'
    if (Date.parse(row.valid_until) < now.getTime()) return 'outdated'
    // The question is settled.
    if (holdsLink(row) && !secrets.has(row.id)) return 'outdated'
    return isOutdated(row.trigger, { phase: row.phase, held: row.held === true, delivered: row.delivered === true }) ? 'outdated' : null
  }
  const sendable: Claimed[] = []
  for (const row of claimed) {
    const reason = skip(row)
    if (reason === null) sendable.push(withSecret(row, secrets.get(row.id)))
    else ends.set(row.id, { end: 'skipped', reason })
  }
  const texts = sendable.filter(row => row.channel === 'sms')
  const provider = account?.provider ?? 'log'
  const gateway = gateways[provider]
  const callback_url = account ? callbackUrl(services, { operator_id, code: company.code }, account.id) : null
  let said: { problem: SmsProblem; answer: string } | null | undefined
  for (let from = 0; from < texts.length; from += gateway.most_at_once) {
    const batch = texts.slice(from, from + gateway.most_at_once)
    const outcomes = await gateway.send(
      batch.map(row => ({
        id: row.id,
        to: row.address ?? '',
        text: row.text ?? '',
        encoding: sizeOfSms(row.text ?? '').encoding,
        sender: account?.sender ?? '',
        callback_url,
      })),
      credentials ?? { api: 'classic', region: 'com', user_name: '', secret: '', callback_secret: '' },
      smsTools(services, services.closing),
    )
    for (const [at, row] of batch.entries()) {
      const outcome = outcomes[at]
      ends.set(row.id, endOf(outcome, provider))
      if (outcome?.outcome === 'sent') said = null
      else if (outcome?.outcome === 'later') said = { problem: outcome.problem, answer: outcome.answer }
      if (provider === 'log') services.log.info({ message: row.id, characters: row.text?.length }, 'a text message was logged, not sent')
    }
  }
  const mails = sendable.filter(row => row.channel === 'email')
  for (let from = 0; from < mails.length; from += mailsAtOnce)
    await Promise.all(mails.slice(from, from + mailsAtOnce).map(async row => void ends.set(row.id, await sendMail(services, scope, row))))
  await createSystemContext(services, scope).transaction(async context => {
    const arrived = await writeEnds(context.db, claimed, ends, account?.id ?? null, services.now())
    if (account && said !== undefined) await noteProblem(context.db, account.id, said, services.now())
    for (const row of texts) {
      const end = ends.get(row.id)
      if (end?.end === 'failed' && end.reason === 'opted_out' && row.address !== null && row.address_key !== null)
        await addOptOut(
          context.db,
          { company_id, channel: 'sms', address_key: row.address_key, address: row.address, source: 'gateway', actor: '' },
          services.now(),
        )
    }
    const sent = claimed.filter(row => ends.get(row.id)?.end === 'sent')
    await context.recordEvents(
      sent.map(row => ({
        kind: 'message.sent' as const,
        company_id,
        order_id: row.order_id,
        subject: 'message',
        subject_id: row.id,
        data: { channel: row.channel },
      })),
    )
    // What is only logged has no report to wait for.
    await context.recordEvents(
      [...sent.filter(row => isLogged(ends.get(row.id))), ...arrived].map(row => messageDelivered(company_id, row)),
    )
    const failed = claimed.filter(row => ends.get(row.id)?.end === 'failed')
    await context.recordEvents(
      failed.map(row => ({
        kind: 'message.failed' as const,
        company_id,
        order_id: row.order_id,
        subject: 'message',
        subject_id: row.id,
        data: { channel: row.channel, reason: reasonOf(ends.get(row.id)) },
      })),
    )
    if (claimed.length > 0) context.notify('message', undefined, company_id)
  })
}

const holdsLink = ({ text, html }: Pick<Claimed, 'text' | 'html'>): boolean => `${text ?? ''} ${html ?? ''}`.includes(answerPlace)

/** The link as it is sent. It is stored nowhere, so that no one who reads the message can answer in the recipient's place. */
const withSecret = (row: Claimed, secret: string | undefined): Claimed =>
  secret === undefined
    ? row
    : { ...row, text: row.text?.replaceAll(answerPlace, secret) ?? null, html: row.html?.replaceAll(answerPlace, secret) ?? null }

const reasonOf = (end: Ended | undefined): string => (end && end.end !== 'sent' ? end.reason : '')

const isLogged = (ended: Ended | undefined): boolean => ended?.end === 'sent' && ended.provider === 'log'

function endOf(outcome: SmsOutcome | undefined, provider: string): Ended {
  if (!outcome) return { end: 'unknown', reason: 'no_answer', answer: '' }
  if (outcome.outcome !== 'sent') return { end: outcome.outcome, reason: outcome.problem, answer: outcome.answer }
  const { provider_id, parts, price_micro, currency } = outcome
  return { end: 'sent', provider, provider_id, parts, price_micro, currency }
}

/** Sent again under the same id where the answer is lost: mailboxes show it once. */
async function sendMail(
  services: Services,
  scope: { operator_id: number; company_id: number; companies: number[] },
  row: Claimed,
): Promise<Ended> {
  const { account, password } = await services.database.readOnly(scope, async db => ({
    account: await accountForSending(db, scope.company_id),
    password: await readSecret(db, services.vault, { ...scope, name: mailSecret }),
  }))
  if (!account) return { end: 'skipped', reason: 'no_mail_account' }
  if (account.user_name !== null && password === null) return { end: 'later', reason: 'no_password', answer: '' }
  const signal = AbortSignal.any([services.closing, AbortSignal.timeout(20_000)])
  const language = /<html lang="(\w+)"/.exec(row.html ?? '')?.[1] ?? 'en'
  const { problem, answer } = await sendOverSmtp(
    account,
    password,
    {
      to: { name: row.name ?? '', address: row.address ?? '' },
      subject: row.subject ?? '',
      text: row.text ?? '',
      html: row.html ?? '',
      language,
      message_id: `message.${scope.operator_id}.${row.id}@${domainOf(account.from_address)}`,
      date: services.now(),
    },
    { allowedNetworks: services.config.allowed_networks, signal },
  )
  if (problem === null) return { end: 'sent', provider: 'smtp', provider_id: null, parts: null, price_micro: null, currency: null }
  const final = problem === 'sender_refused' || problem === 'recipient_refused' || problem === 'message_refused'
  return { end: final ? 'failed' : 'later', reason: problem, answer }
}

async function writeEnds(
  db: Db,
  claimed: readonly Claimed[],
  ends: ReadonlyMap<number, Ended>,
  account_id: number | null,
  now: Date,
): Promise<Delivered[]> {
  const at = now.toISOString()
  for (const row of claimed) {
    const end = ends.get(row.id) ?? { end: 'unknown', reason: 'no_answer', answer: '' }
    const update = db.updateTable('messages').where('id', '=', row.id).where('state', '=', 'sending')
    if (end.end === 'sent') {
      const { provider, provider_id, parts, price_micro, currency } = end
      // What is only logged has no report to wait for.
      const done = provider === 'log'
      await update
        .set(eb => ({
          state: done ? 'delivered' : 'sent',
          sent_at: at,
          final_at: done ? at : null,
          leased_until: null,
          provider,
          provider_id,
          account_id: provider === 'smtp' ? null : account_id,
          parts: parts ?? eb.ref('parts'),
          price_micro: price_micro ?? eb.ref('price_micro'),
          currency: price_micro === null ? eb.ref('currency') : (currency ?? eb.ref('currency')),
          reason: null,
          answer: null,
        }))
        .execute()
    } else if (end.end === 'later') {
      const pause = pauses[row.attempts - 1]
      const next = new Date(now.getTime() + (pause ?? 0) * 1_000)
      const over = pause === undefined || next.getTime() > Date.parse(row.valid_until)
      await update
        .set({
          state: over ? 'failed' : 'queued',
          reason: end.reason,
          answer: end.answer.slice(0, 300),
          leased_until: null,
          ...(over ? { final_at: at } : { send_after: next.toISOString() }),
        })
        .execute()
    } else
      await update
        .set({
          state: end.end,
          reason: end.reason,
          answer: end.end === 'skipped' ? null : end.answer.slice(0, 300),
          leased_until: null,
          final_at: end.end === 'unknown' ? null : at,
        })
        .execute()
  }
  return account_id === null ? [] : applyWaitingReports(db, account_id, at)
}

interface Delivered {
  id: number
  order_id: number | null
  channel: string
}

/** Reports that were faster than the answer to their message; answers those that have arrived. */
async function applyWaitingReports(db: Db, account_id: number, at: string): Promise<Delivered[]> {
  const { rows } = await sql<
    Delivered & { state: string }
  >`with waiting as (delete from message_reports r using messages m where r.operator_id = current_operator_id() and r.account_id = ${account_id}
      and m.operator_id = r.operator_id and m.account_id = r.account_id and m.provider_id = r.provider_id returning m.id, r.state, r.problem),
    last as (select distinct on (id) * from waiting order by id, state = 'sent')
    update messages m set state = w.state, reason = w.problem, final_at = case when w.state = 'sent' then null else ${at}::timestamptz end
    from last w where m.operator_id = current_operator_id() and m.company_id = current_company_id() and m.id = w.id and m.state in ('sent', 'unknown')
    returning m.id, m.order_id, m.channel, m.state`.execute(db)
  return rows.filter(row => row.state === 'delivered')
}
