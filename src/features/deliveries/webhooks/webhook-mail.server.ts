/** The mail about a webhook that was paused. */
import * as z from 'zod'
import { Locale } from '#contract/fields.schemas.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { MailWriter } from '#features/deliveries/mail/mail-sender.server.ts'
import { writeMail } from '#features/deliveries/mail/mail-text.rules.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { webhookForMail } from './webhooks.queries.ts'

const Payload = z.object({ user_id: z.number().int(), gone: z.boolean() })

/** Null where the webhook goes on already, or the person has left. */
export const writeWebhookMail: MailWriter = async ({ operator_id, company_id, object_id, payload }, services) => {
  const { user_id, gone } = Payload.parse(payload)
  const scope = { operator_id, company_id, companies: [company_id] }
  const { webhook, user, company, settings } = await services.database.readOnly(scope, async db => ({
    webhook: await webhookForMail(db, object_id),
    user: await db
      .selectFrom('users')
      .select(['name', 'email', 'locale'])
      .where('id', '=', user_id)
      .where('removed_at', 'is', null)
      .executeTakeFirst(),
    company: await db.selectFrom('companies').select(['code', 'name']).where('id', '=', company_id).executeTakeFirstOrThrow(),
    settings: await companySettings(db, company_id),
  }))
  if (!user?.email || webhook?.state !== 'paused') return null
  const locale = Locale.nullable().parse(user.locale) ?? settings.locale
  const t = await translatorFor(locale)
  const clock = new Intl.DateTimeFormat(locale.replace('_', '-'), {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: settings.time_zone,
  })
  const since = clock.format(new Date(webhook.failing_since ?? webhook.paused_at ?? services.now()))
  const text = writeMail({
    locale,
    company: company.name,
    subject: t('Webhook paused: {{name}}', { name: webhook.name }),
    paragraphs: [
      t('Hello {{name}},', { name: user.name }),
      gone
        ? t('The receiver of the webhook {{name}} answered that it wants no more events (410).', { name: webhook.name })
        : t('The receiver of the webhook {{name}} has taken no event since {{time}}.', { name: webhook.name, time: since }),
      t('The webhook is paused. Its events are kept for 14 days and are sent in their order when you resume it.'),
    ],
    link: { label: t('Open the webhook'), url: `${publicUrl(services, company.code)}/settings/webhooks?id=${object_id}` },
    closing: t('Answers to this mail are not read.'),
  })
  return { ...text, to: { name: user.name, address: user.email } }
}
