/** The mail about a printer that is offline or back, and the test of it. */
import * as z from 'zod'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { outageForMail } from '#features/printing/printer-alerts/printer-alerts.queries.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { translatorFor } from '#platform/http/translations.ts'
import type { MailWriter } from './mail-sender.server.ts'
import { writeMail } from './mail-text.rules.ts'

const Payload = z.object({ outage_id: z.number().int().nullable(), place: z.number().int(), ended: z.boolean() })

/** Null where the recipient gets no mails any more, or the printer is back before anyone was mailed. */
export const writePrinterAlertMail: MailWriter = async ({ operator_id, company_id, payload }, services) => {
  const { outage_id, place, ended } = Payload.parse(payload)
  const scope = { operator_id, company_id, companies: [company_id] }
  const { found, company, settings } = await services.database.readOnly(scope, async db => ({
    found: await outageForMail(db, company_id, outage_id, place),
    company: await db.selectFrom('companies').select(['code', 'name']).where('id', '=', company_id).executeTakeFirstOrThrow(),
    settings: await companySettings(db, company_id),
  }))
  if (!found) return null
  const { outage, address } = found
  if (outage && !ended && outage.ended_at !== null) return null
  const { locale, time_zone } = settings
  const t = await translatorFor(locale)
  const clock = new Intl.DateTimeFormat(locale.replace('_', '-'), { dateStyle: 'medium', timeStyle: 'short', timeZone: time_zone })
  const values = outage && {
    printer: outage.name,
    computer: outage.computer,
    time: clock.format(new Date(ended ? (outage.ended_at ?? outage.began_at) : outage.began_at)),
  }
  const texts = !values
    ? { subject: t('Test of the printer alert'), paragraphs: [t('This mail works. You are told here when a printer is offline.')] }
    : ended
      ? {
          subject: t('{{printer}} is back', values),
          paragraphs: [t('The printer {{printer}} has been back since {{time}}. What waited is printed now.', values)],
        }
      : {
          subject: t('{{printer}} is offline', values),
          paragraphs: [
            t('The printer {{printer}} has been offline since {{time}}.', values),
            ...(values.computer === '' ? [] : [t('It is connected to {{computer}}.', values)]),
            t('Look at its power, its cable and its paper. Print jobs wait until it is back or go to its fallback printer.'),
          ],
        }
  const text = writeMail({
    locale,
    company: company.name,
    ...texts,
    link: { label: t('Open the printers'), url: `${publicUrl(services, company.code)}/settings/printer?tab=printers` },
    closing: t('Answers to this mail are not read.'),
  })
  return { ...text, to: { name: '', address } }
}
