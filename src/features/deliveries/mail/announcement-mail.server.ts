/** The mail that reminds a person of an announcement. */
import * as z from 'zod'
import { Locale } from '#contract/fields.schemas.ts'
import { titleOfWaiting } from '#features/company/announcements/announcements.queries.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { translatorFor } from '#platform/http/translations.ts'
import type { MailWriter } from './mail-sender.server.ts'
import { writeMail } from './mail-text.rules.ts'

const Payload = z.object({ announcement_id: z.number().int() })

/** Null where the person has read or agreed meanwhile, has left, or has no address. */
export const writeAnnouncementMail: MailWriter = async ({ operator_id, company_id, object_id, payload }, services) => {
  const { announcement_id } = Payload.parse(payload)
  const scope = { operator_id, company_id, companies: [company_id] }
  const { user, company, settings, title } = await services.database.readOnly(scope, async db => ({
    user: await db
      .selectFrom('users')
      .select(['name', 'email', 'locale'])
      .where('id', '=', object_id)
      .where('removed_at', 'is', null)
      .executeTakeFirst(),
    company: await db.selectFrom('companies').select(['code', 'name']).where('id', '=', company_id).executeTakeFirstOrThrow(),
    settings: await companySettings(db, company_id),
    title: await titleOfWaiting(db, { user_id: object_id, company_id }, announcement_id, services.now()),
  }))
  if (!user?.email || title === undefined) return null
  const locale = Locale.nullable().parse(user.locale) ?? settings.locale
  const t = await translatorFor(locale)
  const text = writeMail({
    locale,
    company: company.name,
    subject: t('New announcement: {{title}}', { title }),
    paragraphs: [
      t('Hello {{name}},', { name: user.name }),
      t('An announcement of {{company}} waits for you: {{title}}', { company: company.name, title }),
      t('It is shown when you sign in.'),
    ],
    link: { label: t('Read the announcement'), url: `${publicUrl(services, company.code)}/dashboard` },
    closing: t('Answers to this mail are not read.'),
  })
  return { ...text, to: { name: user.name, address: user.email } }
}
