/** The gateway of a company's text messages: settings, test and balance. */
import { conflict, unprocessable } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { homeCountry } from '#features/company/companies/companies.rules.ts'
import { notValid, recordOwnedChanges, type SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import { phoneKey } from '#features/customers/customers/customers.rules.ts'
import { sizeOfSms } from '#features/deliveries/sms/sms-text.rules.ts'
import { gateways } from '#integrations/messaging/gateways.ts'
import { SmsRefused, type SmsTools } from '#integrations/messaging/sms-gateway.ts'
import { deleteSecret, storeSecret } from '#platform/crypto/secret-store.ts'
import { type Context, implement, type Services } from '#platform/http/feature-module.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { noteProblem, removeSmsAccount, setSmsAccount, storeBalance } from './sms.commands.ts'
import { sms } from './sms.contract.ts'
import { credentialsOf, smsAccountOf, smsCallbackSecret, smsPrice, smsSecret, storedAccount } from './sms.queries.ts'
import { type SmsAccount, SmsAccountChange, type SmsBalance, smsSchemas } from './sms.schemas.ts'

/** Milliseconds during which a balance is not asked for again. */
const balanceFresh = 60_000

export const smsServer = implement(sms, smsSchemas, {
  account: (_, context) => accountOf(context),

  save: ({ body }, context) => saveAccount(context, body),

  async remove(_, { db, scope, recordEvent }) {
    if (!(await storedAccount(db, scope.company_id))) return
    await removeSmsAccount(db, scope.company_id)
    await recordEvent({ kind: 'sms_account.removed' })
  },

  async test({ body: { to } }, { transaction, principal, scope, services, now, signal }) {
    const { account, credentials, settings } = await transaction(async ({ db }) => {
      const stored = await storedAccount(db, scope.company_id)
      const { operator_id, company_id } = scope
      return {
        account: stored,
        credentials: stored && (await credentialsOf(db, services, { operator_id, company_id }, stored)),
        settings: await companySettings(db, company_id),
      }
    })
    const number = phoneKey(to, homeCountry(settings))
    if (number === null)
      throw unprocessable('bad_number', 'This is no telephone number', {}, { fields: { to: 'This is no telephone number' } })
    if (!account || !credentials) return { problem: null, answer: '' }
    const t = await translatorFor(settings.locale)
    const text = t('Test message of {{company}}', { company: principal.company.name })
    const at = now()
    const [outcome] = await gateways[account.provider].send(
      [{ id: at.getTime(), to: number, text, encoding: sizeOfSms(text).encoding, sender: account.sender, callback_url: null }],
      credentials,
      smsTools(services, signal),
    )
    const problem = outcome && outcome.outcome !== 'sent' ? outcome : null
    await transaction(({ db }) => noteProblem(db, account.id, problem, at))
    return { problem: problem?.problem ?? null, answer: problem?.answer ?? '' }
  },

  async balance({ fresh }, { transaction, scope, services, now, signal }) {
    const { operator_id, company_id } = scope
    const { account, credentials, currency } = await transaction(async ({ db }) => {
      const stored = await storedAccount(db, company_id)
      return {
        account: stored,
        credentials: stored && (await credentialsOf(db, services, { operator_id, company_id }, stored)),
        currency: (await smsPrice(db, company_id)).currency,
      }
    })
    if (!account || !credentials) return { provider: 'log' as const, balance_micro: null, currency, at: null, warn: false, error: null }
    const at = now()
    const age = account.balance_at === null ? Number.POSITIVE_INFINITY : at.getTime() - Date.parse(account.balance_at)
    if (fresh === '0' && age < balanceFresh) return balanceOf(account)
    try {
      const balance = await gateways[account.provider].balance(credentials, smsTools(services, signal))
      await transaction(({ db }) => storeBalance(db, account.id, balance, at))
      return balanceOf({
        ...account,
        balance_micro: balance?.balance_micro ?? null,
        balance_currency: balance?.currency ?? null,
        balance_at: at.toISOString(),
      })
    } catch (error) {
      if (!(error instanceof SmsRefused)) throw error
      return { ...balanceOf(account), error: error.problem }
    }
  },
})

async function saveAccount(context: Context, { secret, callback_secret, version, ...fields }: SmsAccountChange): Promise<SmsAccount> {
  const { db, scope, recordEvent } = context
  const known = await storedAccount(db, scope.company_id)
  const before = await accountOf(context)
  if ((known?.version ?? 0) !== version)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: before })
  await keepSecrets(context, fields, { secret, callback_secret }, known)
  await setSmsAccount(db, known?.id, fields)
  await recordOwnedChanges(context, 'sms_account', historyOf(before), historyOf(fields))
  await recordEvent({ kind: 'sms_account.set', data: { provider: fields.provider, sender: fields.sender } })
  return accountOf(context)
}

type Kept = Omit<SmsAccountChange, 'secret' | 'callback_secret' | 'version'>
/** As the history of settings keeps it; secrets are in no history. */
const historyOf = ({ provider, api, region, user_name, sender, price_micro, currency, warn_below_micro }: Kept) => ({
  ...{ provider, api, region, user_name, sender, price_micro, currency, warn_below_micro },
})

export const smsAccountOwner: SettingOwner = {
  name: 'sms_account',
  async read(context) {
    const { db, scope } = context
    await db.selectFrom('sms_accounts').select('id').where('company_id', '=', scope.company_id).forUpdate().execute()
    const account = await accountOf(context)
    return { ...historyOf(account), version: account.version }
  },
  async save(context, _place, values) {
    const read = SmsAccountChange.safeParse(values)
    if (!read.success) throw notValid()
    return saveAccount(context, read.data)
  },
}

export const smsTools = ({ config }: Services, signal: AbortSignal): SmsTools => ({
  fetch: globalThis.fetch,
  ...(config.sms_url !== undefined && { base_url: config.sms_url }),
  signal,
})

type Balance = NonNullable<Awaited<ReturnType<typeof storedAccount>>>
const balanceOf = (account: Balance): SmsBalance => ({
  provider: account.provider,
  balance_micro: account.balance_micro,
  currency: account.balance_currency ?? account.currency,
  at: account.balance_at,
  warn: account.balance_micro !== null && account.warn_below_micro !== null && account.balance_micro < account.warn_below_micro,
  error: null,
})

const accountOf = ({ db, services, scope, principal }: Context): Promise<SmsAccount> =>
  smsAccountOf(db, services, { operator_id: scope.operator_id, id: scope.company_id, code: principal.company.code })

/** A secret that was stored for one gateway or account is not sent to another. */
async function keepSecrets(
  { db, services, scope, principal, now }: Context,
  { provider, user_name, api }: Pick<SmsAccountChange, 'provider' | 'user_name' | 'api'>,
  { secret, callback_secret }: { secret: string | undefined; callback_secret: string | undefined },
  before: Awaited<ReturnType<typeof storedAccount>>,
): Promise<void> {
  const { operator_id, company_id } = scope
  const by = { user_id: principal.id, at: now() }
  const same = before?.provider === provider && before.user_name === user_name && before.api === api
  const { needs } = gateways[provider]
  if (needs.includes('secret') && secret === undefined && !same)
    throw unprocessable(
      'secret_missing',
      'Enter the secret of this account',
      {},
      { fields: { secret: 'Enter the secret of this account' } },
    )
  if (before && !same) await removeSecrets(db, company_id)
  if (secret !== undefined) await storeSecret(db, services.vault, { operator_id, company_id, name: smsSecret }, secret, by)
  if (callback_secret !== undefined && needs.includes('callback_secret'))
    await storeSecret(db, services.vault, { operator_id, company_id, name: smsCallbackSecret }, callback_secret, by)
}

async function removeSecrets(db: Context['db'], company_id: number): Promise<void> {
  for (const name of [smsSecret, smsCallbackSecret]) await deleteSecret(db, { company_id, name })
}
