/** The mail to a person whose shifts were published: one for each publication, with the shifts as they are now. */
import * as z from 'zod'
import { Locale } from '#contract/fields.schemas.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { MailWriter } from '#features/deliveries/mail/mail-sender.server.ts'
import { writeMail } from '#features/deliveries/mail/mail-text.rules.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { publishedShifts } from './schedule.queries.ts'

const Payload = z.object({ from: z.string(), to: z.string() })

/** Null where the person has left or has no address. */
export const writeShiftsMail: MailWriter = async ({ operator_id, company_id, object_id, payload }, services) => {
  const { from, to } = Payload.parse(payload)
  const scope = { operator_id, company_id, companies: [company_id] }
  const { user, company, settings, shifts } = await services.database.readOnly(scope, async db => {
    const known = await companySettings(db, company_id)
    return {
      user: await db
        .selectFrom('users')
        .select(['name', 'email', 'locale'])
        .where('id', '=', object_id)
        .where('removed_at', 'is', null)
        .executeTakeFirst(),
      company: await db.selectFrom('companies').select(['code', 'name']).where('id', '=', company_id).executeTakeFirstOrThrow(),
      settings: known,
      shifts: await publishedShifts(db, { from, to, user_id: object_id }, known.time_zone),
    }
  })
  if (!user?.email) return null
  const locale = Locale.nullable().parse(user.locale) ?? settings.locale
  const t = await translatorFor(locale)
  const words = new Intl.DateTimeFormat(locale.replace('_', '-'), { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const day = (date: string) => words.format(new Date(`${date}T00:00:00Z`))
  const text = writeMail({
    locale,
    company: company.name,
    subject: t('Your shifts {{from}} – {{to}}', { from: day(from), to: day(to) }),
    paragraphs: [
      t('Hello {{name}},', { name: user.name }),
      shifts.length === 0 ? t('You have no shifts in these days now.') : t('Your shifts in these days are now:'),
      ...shifts.map(
        shift => `${day(shift.work_date)} ${shift.start_local}–${shift.end_local}${shift.station ? ` · ${shift.station}` : ''}`,
      ),
    ],
    link: { label: t('Open my shifts'), url: `${publicUrl(services, company.code)}/schedule` },
    closing: t('Answers to this mail are not read.'),
  })
  return { ...text, to: { name: user.name, address: user.email } }
}
