/** Mails about clock-outs that are missing: to the person, and later to the leads, without names. */
import { sql } from 'kysely'
import * as z from 'zod'
import type { MailWriter } from '#features/deliveries/mail/mail-sender.server.ts'
import { writeMail } from '#features/deliveries/mail/mail-text.rules.ts'
import { letterTo } from '#features/deliveries/mail/user-letter.server.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { clockOutsMissing } from './punches.queries.ts'

const Person = z.object({ punch_id: z.number() })
const Lead = z.object({ work_date: z.string() })

/** Null where the person has left, has no address, or has written the time meanwhile. */
export const writeClockOutMail: MailWriter = async (delivery, services) => {
  const { punch_id } = Person.parse(delivery.payload)
  const letter = await letterTo(delivery, services, db =>
    db
      .selectFrom('punches')
      .select(['work_date', 'started_at', 'state'])
      .select(
        sql<string | null>`(select a.name from users a where a.operator_id = punches.operator_id and a.id = punches.asked_by)`.as(
          'asked_by',
        ),
      )
      .where('id', '=', punch_id)
      .where('user_id', '=', delivery.object_id)
      .where(eb =>
        eb.or([eb('state', '=', 'time_unverified'), eb.and([eb('state', 'in', ['open', 'missing_out']), eb('ended_at', 'is', null)])]),
      )
      .executeTakeFirst(),
  )
  if (!letter?.found) return null
  const { t, locale, company, name, address, time_zone, found } = letter
  const unverified = found.state === 'time_unverified'
  const word = new Intl.DateTimeFormat(locale.replace('_', '-'), { weekday: 'long', day: 'numeric', month: 'long', timeZone: 'UTC' })
  const day = word.format(new Date(`${found.work_date}T00:00:00Z`))
  const clock = new Intl.DateTimeFormat(locale.replace('_', '-'), { timeStyle: 'short', timeZone: time_zone })
  const text = writeMail({
    locale,
    company: company.name,
    subject: unverified ? t('Your time of {{day}} is not verified', { day }) : t('Your clock-out of {{day}} is missing', { day }),
    paragraphs: [
      t('Hello {{name}},', { name }),
      ...(found.asked_by === null ? [] : [t('{{name}} asks about it.', { name: found.asked_by })]),
      unverified
        ? t('The clock had no network, so it is not known when you clocked in or out.')
        : found.started_at === null
          ? t('You have not clocked out.')
          : t('You clocked in at {{time}} and have not clocked out.', { time: clock.format(new Date(found.started_at)) }),
      unverified
        ? t('Write when it was. No time is guessed, and your lead confirms it.')
        : t('If you have left, write when it was. No time is guessed, and your lead confirms it.'),
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
