/** The mail about a pickup that will be missed, and the one about those that were missed in a day. */
import * as z from 'zod'
import { boundsOfDay } from '#domain/local-days.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { MailWriter } from '#features/deliveries/mail/mail-sender.server.ts'
import { writeMail } from '#features/deliveries/mail/mail-text.rules.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { missedIn, type Words } from './board-words.rules.ts'
import { alarmForMail, alarmSettings, missedPickups } from './deadline-alarms.queries.ts'
import { boardOf } from './deadline-board.queries.ts'

const Payload = z.object({ alarm_id: z.number().int().nullable(), day: z.string(), place: z.number().int() })

/** Null where the recipient gets no mails any more, or the alarm has ended meanwhile. */
export const writeDeadlineAlarmMail: MailWriter = async ({ operator_id, company_id, payload }, services) => {
  const { alarm_id, day, place } = Payload.parse(payload)
  const companies = await services.database.systemRead('the pickups of a warehouse are of all its companies', db =>
    db.selectFrom('companies').select('id').where('operator_id', '=', operator_id).execute(),
  )
  const scope = { operator_id, company_id, companies: companies.map(row => row.id) }
  return services.database.readOnly(scope, async db => {
    const address = (await alarmSettings(db, company_id)).recipients[place]
    if (address === undefined) return null
    const company = await db.selectFrom('companies').select(['code', 'name']).where('id', '=', company_id).executeTakeFirstOrThrow()
    const { locale, time_zone } = await companySettings(db, company_id)
    const t = await translatorFor(locale)
    const language = locale.replace('_', '-')
    const clock = new Intl.DateTimeFormat(language, { timeStyle: 'short', timeZone: time_zone })
    const words: Words = {
      t,
      number: value => new Intl.NumberFormat(language).format(value),
      time: at => clock.format(new Date(at)),
      either: items => new Intl.ListFormat(language, { type: 'disjunction' }).format(items),
    }
    const mail = (subject: string, paragraphs: readonly string[]) => ({
      ...writeMail({
        ...{ locale, company: company.name, subject, paragraphs },
        link: { label: t('Open the deadlines'), url: `${publicUrl(services, company.code)}/dashboard/deadlines` },
        closing: t('Answers to this mail are not read.'),
      }),
      to: { name: '', address },
    })
    if (alarm_id === null) {
      const { from, to } = boundsOfDay(day, time_zone)
      const missed = await missedPickups(db, from, to)
      const said = missed.map(one =>
        t('{{name}} {{time}}: {{n}} late', { name: one.name, time: words.time(one.due_at), n: words.number(one.missed) }),
      )
      return said.length === 0 ? null : mail(t('Pickups missed today'), said)
    }
    const alarm = await alarmForMail(db, alarm_id)
    if (!alarm || alarm.ended_at !== null) return null
    // What would help now, not what would have helped when the alarm was raised.
    const board = await boardOf(db, {
      now: services.now(),
      deadline_ids: [alarm.deadline_id],
      figures: false,
      name: '',
      owner: { id: company_id, is_main: true },
    })
    const row = board.rows.find(one => one.due_at !== null && Date.parse(one.due_at) === Date.parse(alarm.due_at))
    if (!row) return null
    return mail(t('{{name}} {{time}}: {{n}} late', { name: alarm.name, time: words.time(alarm.due_at), n: words.number(alarm.missed) }), [
      missedIn(words, row, alarm.missed),
    ])
  })
}
