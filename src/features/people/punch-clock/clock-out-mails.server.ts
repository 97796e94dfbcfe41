/** Mails about clock-outs that are missing: to the person, and later to the leads, without names. */
import * as z from 'zod'
import { Locale } from '#contract/fields.schemas.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { MailWriter } from '#features/deliveries/mail/mail-sender.server.ts'
import { writeMail } from '#features/deliveries/mail/mail-text.rules.ts'
import type { Db } from '#platform/database/database.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { clockOutsMissing } from './punches.queries.ts'

type Delivery = Parameters<MailWriter>[0]
type Services = Parameters<MailWriter>[1]

const Person = z.object({ punch_id: z.number() })
const Lead = z.object({ work_date: z.string() })

/** Null where the person has left, has no address, or has written the time meanwhile. */
export const writeClockOutMail: MailWriter = async (delivery, services) => {
  const { punch_id } = Person.parse(delivery.payload)
  const letter = await letterTo(delivery, services, db =>
    db
      .selectFrom('punches')
      .select(['work_date', 'started_at'])
      .where('id', '=', punch_id)
      .where('user_id', '=', delivery.object_id)
      .where('state', 'in', ['open', 'missing_out'])
      .where('ended_at', 'is', null)
      .executeTakeFirst(),
  )
  if (!letter?.found) return null
  const { t, locale, company, name, address, time_zone, found } = letter
  const word = new Intl.DateTimeFormat(locale.replace('_', '-'), { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
  const day = word.format(new Date(`${found.work_date}T00:00:00Z`))
  const clock = new Intl.DateTimeFormat(locale.replace('_', '-'), { timeStyle: 'short', timeZone: time_zone })
  const text = writeMail({
    locale,
    company: company.name,
    subject: t('Your clock-out of {{day}} is missing', { day }),
    paragraphs: [
      t('Hello {{name}},', { name }),
      found.started_at === null
        ? t('You have not clocked out.')
        : t('You clocked in at {{time}} and have not clocked out.', { time: clock.format(new Date(found.started_at)) }),
      t('If you have left, write when it was. No time is guessed, and your lead confirms it.'),
    ],
    link: { label: t('Open my hours'), url: `${publicUrl(services, company.code)}/my-hours` },
    closing: t('Answers to this mail are not read.'),
  })
  return { ...text, to: { name, address } }
}

/** Null where the lead has left or has no address, or every time is written. */
export const writeClockOutsMail: MailWriter = async (delivery, services) => {
  const { work_date } = Lead.parse(delivery.payload)
  const letter = await letterTo(delivery, services, clockOutsMissing)
  if (!letter?.found) return null
  const { t, locale, company, name, address, found } = letter
  const text = writeMail({
    locale,
    company: company.name,
    subject: t('Clock-outs are missing: {{count}}', { count: found }),
    paragraphs: [
      t('Hello {{name}},', { name }),
      t('Entries without a clock-out an hour after the shift and more: {{count}}.', { count: found }),
      t('The timesheet shows whose they are. Until the time is written, the day cannot be approved.'),
    ],
    link: { label: t('Open the timesheet'), url: `${publicUrl(services, company.code)}/schedule/timesheet?week=${work_date}&view=missing` },
    closing: t('Answers to this mail are not read.'),
  })
  return { ...text, to: { name, address } }
}

/** Who gets the mail, in which language, and what it is about. */
async function letterTo<T>({ operator_id, company_id, object_id }: Delivery, services: Services, find: (db: Db) => Promise<T>) {
  const scope = { operator_id, company_id, companies: [company_id] }
  const { user, company, settings, found } = await services.database.readOnly(scope, async db => ({
    user: await db
      .selectFrom('users')
      .select(['name', 'email', 'locale'])
      .where('id', '=', object_id)
      .where('removed_at', 'is', null)
      .executeTakeFirst(),
    company: await db.selectFrom('companies').select(['code', 'name']).where('id', '=', company_id).executeTakeFirstOrThrow(),
    settings: await companySettings(db, company_id),
    found: await find(db),
  }))
  if (!user?.email) return null
  const locale = Locale.nullable().parse(user.locale) ?? settings.locale
  const t = await translatorFor(locale)
  return { t, locale, company, name: user.name, address: user.email, time_zone: settings.time_zone, found }
}
