/** The mail to a person whose shifts were published: one for each publication, with the shifts as they are now. */
import * as z from 'zod'
import type { MailWriter } from '#features/deliveries/mail/mail-sender.server.ts'
import { writeMail } from '#features/deliveries/mail/mail-text.rules.ts'
import { letterTo } from '#features/deliveries/mail/user-letter.server.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { publishedShifts } from './schedule.queries.ts'

const Payload = z.object({ from: z.string(), to: z.string() })

/** Null where the person has left or has no address. */
export const writeShiftsMail: MailWriter = async (delivery, services) => {
  const { from, to } = Payload.parse(delivery.payload)
  const letter = await letterTo(delivery, services, (db, { time_zone }) =>
    publishedShifts(db, { from, to, user_id: delivery.object_id }, time_zone),
  )
  if (!letter) return null
  const { t, locale, company, name, address, found: shifts } = letter
  const words = new Intl.DateTimeFormat(locale.replace('_', '-'), { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })
  const day = (date: string) => words.format(new Date(`${date}T00:00:00Z`))
  const text = writeMail({
    locale,
    company: company.name,
    subject: t('Your shifts {{from}} – {{to}}', { from: day(from), to: day(to) }),
    paragraphs: [
      t('Hello {{name}},', { name }),
      shifts.length === 0 ? t('You have no shifts in these days now.') : t('Your shifts in these days are now:'),
      ...shifts.map(
        shift => `${day(shift.work_date)} ${shift.start_local}–${shift.end_local}${shift.station ? ` · ${shift.station}` : ''}`,
      ),
    ],
    link: { label: t('Open my shifts'), url: `${publicUrl(services, company.code)}/schedule` },
    closing: t('Answers to this mail are not read.'),
  })
  return { ...text, to: { name, address } }
}
