/** Reads accounts at gateways of text messages. */

import { isOneOf } from '#domain/objects.ts'
import { smsProblems } from '#domain/sms-codes.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { SmsCredentials } from '#integrations/messaging/sms-gateway.ts'
import { readSecret } from '#platform/crypto/secret-store.ts'
import type { Db } from '#platform/database/database.ts'
import type { Services } from '#platform/http/feature-module.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import type { SmsAccount } from './sms.schemas.ts'

export const smsSecret = 'sms_account'
export const smsCallbackSecret = 'sms_callbacks'

const callbackPurpose = 'message callback'
/** The part of the address by which calls of a gateway are known: it follows from the account and the key of the server. */
const callbackKey = ({ vault }: Services, operator_id: number, account_id: number): string =>
  vault.sign(callbackPurpose, `${operator_id}:${account_id}`)
export const isCallbackKey = ({ vault }: Services, operator_id: number, account_id: number, key: string): boolean =>
  vault.verify(callbackPurpose, `${operator_id}:${account_id}`, key)

/** Where gateways reach this server; null where it has no public address. */
export const callbackUrl = (services: Services, company: { operator_id: number; code: string }, account_id: number): string | null =>
  services.config.public_url === undefined
    ? null
    : `${publicUrl(services, company.code)}/api/${company.code}/message_callbacks/${account_id}/${callbackKey(services, company.operator_id, account_id)}`

const columns = [
  'a.id',
  'a.provider',
  'a.api',
  'a.region',
  'a.user_name',
  'a.sender',
  'a.price_micro',
  'a.currency',
  'a.warn_below_micro',
  'a.balance_micro',
  'a.balance_currency',
  'a.balance_at',
  'a.problem',
  'a.answer',
  'a.problem_at',
  'a.version',
] as const

export type StoredAccount = NonNullable<Awaited<ReturnType<typeof storedAccount>>>
export const storedAccount = (db: Db, company_id: number) =>
  db.selectFrom('sms_accounts as a').select(columns).where('a.company_id', '=', company_id).executeTakeFirst()

export const storedAccountById = (db: Db, id: number) =>
  db
    .selectFrom('sms_accounts as a')
    .innerJoin('companies as c', 'c.id', 'a.company_id')
    .select(columns)
    .select(['a.company_id', 'c.code'])
    .where('a.id', '=', id)
    .executeTakeFirst()

async function lastOf(db: Db, company_id: number, name: string): Promise<string | null> {
  const row = await db
    .selectFrom('secrets')
    .select('last4')
    .where('company_id', '=', company_id)
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.last4 ?? null
}

/** As the settings show it. */
export async function smsAccountOf(
  db: Db,
  services: Services,
  company: { operator_id: number; id: number; code: string },
): Promise<SmsAccount> {
  const row = await storedAccount(db, company.id)
  if (!row) return noAccount((await companySettings(db, company.id)).currency)
  const { id, balance_micro: _, balance_currency: __, balance_at: ___, problem, answer, problem_at, ...fields } = row
  return {
    ...fields,
    secret_last4: await lastOf(db, company.id, smsSecret),
    callback_secret_last4: await lastOf(db, company.id, smsCallbackSecret),
    callback_url: callbackUrl(services, company, id),
    problem: isOneOf(smsProblems, problem) && problem_at !== null ? { problem, answer: answer ?? '', at: problem_at } : null,
  }
}

const noAccount = (currency: string): SmsAccount => ({
  provider: 'log',
  api: 'classic',
  region: 'com',
  user_name: '',
  sender: 'Pakhus',
  price_micro: 0,
  currency,
  warn_below_micro: null,
  secret_last4: null,
  callback_secret_last4: null,
  callback_url: null,
  problem: null,
  version: 0,
})

/** What a message costs and under which name it goes; a company without a gateway logs its messages. */
export async function smsPrice(db: Db, company_id: number) {
  const row = await storedAccount(db, company_id)
  if (row) return row
  return {
    id: null,
    provider: 'log' as const,
    sender: 'Pakhus',
    price_micro: 0,
    currency: (await companySettings(db, company_id)).currency,
  }
}

/** With its secrets opened, for talking to the gateway. */
export async function credentialsOf(
  db: Db,
  { vault }: Services,
  { operator_id, company_id }: { operator_id: number; company_id: number },
  { api, region, user_name }: Pick<StoredAccount, 'api' | 'region' | 'user_name'>,
): Promise<SmsCredentials> {
  const secret = await readSecret(db, vault, { operator_id, company_id, name: smsSecret })
  const callback_secret = await readSecret(db, vault, { operator_id, company_id, name: smsCallbackSecret })
  return { api, region, user_name, secret: secret ?? '', callback_secret: callback_secret ?? '' }
}
