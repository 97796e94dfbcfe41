/** The mail account of a company, and its test mail. */
import { conflict, notFound, orNotFound, unprocessable } from '#contract/errors.ts'
import type { Locale } from '#contract/limits.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { notValid, recordOwnedChanges, type SettingOwner } from '#features/company/companies/setting-owners.server.ts'
import { userById } from '#features/company/users/users.queries.ts'
import { deleteSecret, readSecret, storeSecret } from '#platform/crypto/secret-store.ts'
import { type Context, implement } from '#platform/http/feature-module.ts'
import { mayBeOutside } from '#platform/http/outside-request.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { mailPorts } from './mail.codes.ts'
import { addMailAccount, changeMailAccount, removeMailAccount } from './mail.commands.ts'
import { mail } from './mail.contract.ts'
import { accountForSending, mailAccountOf, mailSecret, type SendingAccount } from './mail.queries.ts'
import { type MailAccount, MailAccountChange, mailSchemas } from './mail.schemas.ts'
import { writeMail } from './mail-text.rules.ts'
import { domainOf, sendOverSmtp } from './smtp.server.ts'

const missing = () => notFound('no_mail_account', 'No e-mail account yet.')

export const mailServer = implement(mail, mailSchemas, {
  account: async (_, { db, scope }) => ({ account: (await mailAccountOf(db, scope.company_id))?.account ?? null }),

  save: async ({ body }, context) => ({ account: await saveAccount(context, body) }),

  async remove(_, { db, scope, recordEvent }) {
    const known = await mailAccountOf(db, scope.company_id)
    if (!known) throw missing()
    await removeMailAccount(db, known.id)
    await deleteSecret(db, { company_id: scope.company_id, name: mailSecret })
    await recordEvent({ kind: 'mail_account.removed' })
  },

  async test(_, { transaction, principal, scope, services, now, signal }) {
    const { company_id, operator_id } = scope
    const { account, password, user, locale } = await transaction(async ({ db }) => ({
      account: await accountForSending(db, company_id),
      password: await readSecret(db, services.vault, { operator_id, company_id, name: mailSecret }),
      user: orNotFound(await userById(db, principal.id), 'user_not_found', 'User not found'),
      locale: (await companySettings(db, company_id)).locale,
    }))
    if (!account) throw missing()
    if (!user.email)
      throw unprocessable('no_own_address', 'Your user has no e-mail address. Enter one under Users: the test mail goes there.')
    if (account.user_name !== null && password === null) return { to: user.email, problem: 'no_password' as const, answer: '' }
    const text = await testMail(user.locale ?? locale, principal.company.name)
    const at = now()
    const { problem, answer } = await sendOverSmtp(
      account,
      password,
      {
        ...text,
        to: { name: user.name, address: user.email },
        message_id: `test.${operator_id}.${principal.id}.${at.getTime()}@${domainOf(account.from_address)}`,
        date: at,
      },
      { allowedNetworks: services.config.allowed_networks, signal: AbortSignal.any([signal, AbortSignal.timeout(20_000)]) },
    )
    return { to: user.email, problem, answer }
  },
})

async function saveAccount(context: Context, { password, version, ...fields }: MailAccountChange): Promise<MailAccount> {
  const { db, scope, recordEvent } = context
  const known = await mailAccountOf(db, scope.company_id)
  if (known ? known.account.version !== version : version !== null)
    throw conflict('settings_changed', 'Someone else changed this. Check the saved version.', {}, { current: known?.account ?? null })
  refuseAddress(fields, context.services.config.allowed_networks)
  await keepPassword(context, fields, password, known?.account)
  if (known) {
    await changeMailAccount(db, known.id, fields)
    await recordOwnedChanges(context, 'mail_account', historyOf(known.account), historyOf(fields))
  } else await addMailAccount(db, fields)
  await recordEvent({ kind: 'mail_account.set', data: { host: fields.host, from_address: fields.from_address } })
  return accountOf(context)
}

/** As the history of settings keeps it; the password is in no history. */
const historyOf = ({ host, port, security, user_name, from_name, from_address, reply_to }: SendingAccount) => ({
  ...{ host, port, security, user_name, from_name, from_address, reply_to },
})
const Stored = MailAccountChange.omit({ password: true })

export const mailAccountOwner: SettingOwner = {
  name: 'mail_account',
  async read(context) {
    const { db, scope } = context
    await db.selectFrom('mail_accounts').select('id').where('company_id', '=', scope.company_id).forUpdate().execute()
    const account = await accountOf(context)
    return { ...historyOf(account), version: account.version }
  },
  async save(context, _place, values) {
    const read = Stored.safeParse(values)
    if (!read.success) throw notValid()
    return saveAccount(context, read.data)
  },
}

async function testMail(locale: Locale, company: string) {
  const t = await translatorFor(locale)
  return writeMail({
    locale,
    company,
    subject: t('Test mail of {{company}}', { company }),
    paragraphs: [t('The e-mail account of {{company}} works: this mail was sent through it.', { company })],
    closing: t('This mail was sent by the program. Answers to it are not read.'),
  })
}

const accountOf = async ({ db, scope }: Context): Promise<MailAccount> => {
  const known = await mailAccountOf(db, scope.company_id)
  if (!known) throw missing()
  return known.account
}

/** A password that was stored for one server is not sent to another. */
async function keepPassword(
  { db, services, scope, principal, now }: Context,
  { host, user_name }: Pick<MailAccountChange, 'host' | 'user_name'>,
  password: string | undefined,
  before: MailAccount | undefined,
): Promise<void> {
  const place = { operator_id: scope.operator_id, company_id: scope.company_id, name: mailSecret }
  if (user_name === null) await deleteSecret(db, place)
  else if (password !== undefined) await storeSecret(db, services.vault, place, password, { user_id: principal.id, at: now() })
  else if (!before?.has_password || before.host !== host || before.user_name !== user_name)
    throw unprocessable(
      'password_missing',
      'Enter the password of this mail account',
      {},
      invalid('password', 'Enter the password of this mail account'),
    )
}

/** Names are resolved when a mail is sent; here only the address itself is read. */
function refuseAddress({ host, port }: Pick<MailAccountChange, 'host' | 'port'>, allowedNetworks: readonly string[]): void {
  if (!mayBeOutside(host, allowedNetworks))
    throw unprocessable('host_not_public', 'This is not a public mail server', {}, invalid('host', 'This is not a public mail server'))
  if (allowedNetworks.length === 0 && !mailPorts.includes(port))
    throw unprocessable(
      'port_not_allowed',
      'Mail servers answer on the ports 25, 465, 587 and 2525',
      {},
      invalid('port', 'Mail servers answer on the ports 25, 465, 587 and 2525'),
    )
}

const invalid = (field: string, sentence: string) => ({ fields: { [field]: sentence } })
