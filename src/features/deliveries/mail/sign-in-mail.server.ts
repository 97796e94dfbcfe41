/** Mails to a user about signing in: a session on a new device, and a second factor that an administrator has reset. */
import * as z from 'zod'
import { browserOf } from '#features/company/users/browsers.rules.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import type { MailWriter } from './mail-sender.server.ts'
import { writeMail } from './mail-text.rules.ts'
import { letterTo } from './user-letter.server.ts'

const NewDevice = z.object({ session_id: z.number().int() })

/** Null where the user has left, has no address, or has ended the session meanwhile. */
export const writeNewDeviceMail: MailWriter = async (delivery, services) => {
  const { session_id } = NewDevice.parse(delivery.payload)
  const letter = await letterTo(delivery, services, db =>
    db
      .selectFrom('sessions')
      .select(['created_at', 'ip', 'user_agent'])
      .where('id', '=', session_id)
      .where('user_id', '=', delivery.object_id)
      .where('ended_at', 'is', null)
      .executeTakeFirst(),
  )
  if (!letter?.found) return null
  const { t, locale, company, name, time_zone, address, found: session } = letter
  const when = new Intl.DateTimeFormat(locale.replace('_', '-'), { dateStyle: 'medium', timeStyle: 'short', timeZone: time_zone })
  const place = [when.format(new Date(session.created_at)), browserOf(session.user_agent) ?? t('Unknown program'), session.ip]
  const text = writeMail({
    locale,
    company: company.name,
    subject: t('New sign-in to {{company}}', { company: company.name }),
    paragraphs: [
      t('Hello {{name}},', { name }),
      t('Your user was signed in on a device or in a network that is new here:'),
      place.filter(part => part !== null).join(' · '),
      t('If it was you, there is nothing to do. If not, end this session and change your password now.'),
    ],
    link: { label: t('Open my settings'), url: `${publicUrl(services, company.code)}/settings/me` },
    closing: t('Answers to this mail are not read.'),
  })
  return { ...text, to: { name, address } }
}

/** Null where the user has left or has no address. */
export const writeFactorsResetMail: MailWriter = async (delivery, services) => {
  const letter = await letterTo(delivery, services, async () => null)
  if (!letter) return null
  const { t, locale, company, name, address } = letter
  const text = writeMail({
    locale,
    company: company.name,
    subject: t('Second factor reset at {{company}}', { company: company.name }),
    paragraphs: [
      t('Hello {{name}},', { name }),
      t('An administrator has removed your code app and your passkeys. You sign in with your password now.'),
      t('If you did not ask for this, tell an administrator at once.'),
    ],
    link: { label: t('Sign in'), url: `${publicUrl(services, company.code)}/login` },
    closing: t('Answers to this mail are not read.'),
  })
  return { ...text, to: { name, address } }
}
