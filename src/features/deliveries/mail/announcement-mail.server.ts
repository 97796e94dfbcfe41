/** The mail that reminds a person of an announcement. */
import * as z from 'zod'
import { titleOfWaiting } from '#features/company/announcements/announcements.queries.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import type { MailWriter } from './mail-sender.server.ts'
import { writeMail } from './mail-text.rules.ts'
import { letterTo } from './user-letter.server.ts'

const Payload = z.object({ announcement_id: z.number().int() })

/** Null where the person has read or agreed meanwhile, has left, or has no address. */
export const writeAnnouncementMail: MailWriter = async (delivery, services) => {
  const { announcement_id } = Payload.parse(delivery.payload)
  const { object_id: user_id, company_id } = delivery
  const letter = await letterTo(delivery, services, db => titleOfWaiting(db, { user_id, company_id }, announcement_id, services.now()))
  if (letter?.found === undefined) return null
  const { t, locale, company, name, address, found: title } = letter
  const text = writeMail({
    locale,
    company: company.name,
    subject: t('New announcement: {{title}}', { title }),
    paragraphs: [
      t('Hello {{name}},', { name }),
      t('An announcement of {{company}} waits for you: {{title}}', { company: company.name, title }),
      t('It is shown when you sign in.'),
    ],
    link: { label: t('Read the announcement'), url: `${publicUrl(services, company.code)}/dashboard` },
    closing: t('Answers to this mail are not read.'),
  })
  return { ...text, to: { name, address } }
}
