/** The mail with a link to set a password: an invitation, or for a user who forgot theirs. */
import * as z from 'zod'
import { Locale } from '#contract/fields.schemas.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { linkById, linkToken } from '#features/company/users/password-links.queries.ts'
import { passwordLinkPath } from '#features/company/users/password-links.server.ts'
import { loginOf } from '#features/company/users/users.queries.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { translatorFor } from '#platform/http/translations.ts'
import type { MailWriter } from './mail-sender.server.ts'
import { writeMail } from './mail-text.rules.ts'

const Payload = z.object({ link_id: z.number().int() })

/** Null when the link was used or replaced, or its time is over. */
export const writePasswordLinkMail: MailWriter = async ({ operator_id, company_id, payload }, services) => {
  const { link_id } = Payload.parse(payload)
  const scope = { operator_id, company_id, companies: [company_id] }
  const { link, company, settings } = await services.database.readOnly(scope, async db => ({
    link: await linkById(db, link_id, services.now()),
    company: await db.selectFrom('companies').select(['code', 'name']).where('id', '=', company_id).executeTakeFirstOrThrow(),
    settings: await companySettings(db, company_id),
  }))
  if (!link?.email) return null
  const locale = Locale.nullable().parse(link.locale) ?? settings.locale
  const t = await translatorFor(locale)
  const names = { company: company.name, name: link.name, login: loginOf(link) }
  const invited = link.purpose === 'invitation'
  const text = writeMail({
    locale,
    company: company.name,
    subject: invited ? t('Your access to {{company}}', names) : t('New password for {{company}}', names),
    paragraphs: [
      t('Hello {{name}},', names),
      invited
        ? t('{{company}} has set up a user for you. Choose a password, then sign in as {{login}}.', names)
        : t('Someone, probably you, asked for a new password for the user {{login}}.', names),
      t('The link works once and for 30 minutes.'),
    ],
    link: {
      label: t('Choose a password'),
      url: `${publicUrl(services, company.code)}${passwordLinkPath}${linkToken(services.vault, link)}`,
    },
    closing: invited
      ? t('If you did not expect this mail, ignore it. Answers to it are not read.')
      : t('If it was not you, ignore this mail: your password stays as it is. Answers to it are not read.'),
  })
  return { ...text, to: { name: link.name, address: link.email } }
}
