/** The mail of an alert: the orders that met it since its last mail, without a name or an address of anyone. */
import * as z from 'zod'
import { decimalsOf, isCurrency } from '#domain/money.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { MailWriter } from '#features/deliveries/mail/mail-sender.server.ts'
import { writeMail } from '#features/deliveries/mail/mail-text.rules.ts'
import { signalLabels } from '#features/orders/order-alerts/order-alerts.labels.ts'
import { mailedHits } from '#features/orders/order-alerts/order-alerts.queries.ts'
import { publicUrl } from '#platform/http/public-url.ts'
import { translatorFor } from '#platform/http/translations.ts'

const Payload = z.object({ at: z.string(), companies: z.array(z.number().int()) })

/** Orders that one mail names; the rest is counted. */
const mostNamed = 50

/** Null where the alert was removed meanwhile. */
export const writeAlertMail: MailWriter = async ({ operator_id, company_id, object_id, payload }, services) => {
  const { at, companies } = Payload.parse(payload)
  const scope = { operator_id, company_id, companies: [...new Set([company_id, ...companies])] }
  const { mailed, company, settings } = await services.database.readOnly(scope, async db => ({
    mailed: await mailedHits(db, company_id, object_id, at),
    company: await db.selectFrom('companies').select(['code', 'name']).where('id', '=', company_id).executeTakeFirstOrThrow(),
    settings: await companySettings(db, company_id),
  }))
  const [first] = mailed?.hits ?? []
  if (!mailed || !first) return null
  const { locale } = settings
  const language = locale.replace('_', '-')
  const t = await translatorFor(locale)
  const countries = new Intl.DisplayNames(language, { type: 'region' })
  const money = (minor: number | null, currency: string) =>
    minor === null || !isCurrency(currency)
      ? ''
      : new Intl.NumberFormat(language, { style: 'currency', currency }).format(minor / 10 ** decimalsOf(currency))
  const line = (hit: typeof first) =>
    [
      t('Order {{number}}', { number: hit.order_no }),
      money(hit.total_incl_vat, hit.currency),
      countries.of(hit.ship_country) ?? hit.ship_country,
      hit.signals
        .split(',')
        .map(signal => t(signalLabels[signal] ?? signal))
        .join(', '),
    ]
      .filter(Boolean)
      .join(' · ')
  const { hits, email, note, mode, from_name } = mailed
  const count = hits.length
  const text = writeMail({
    locale,
    company: company.name,
    subject: count === 1 ? t('Order alert: {{number}}', { number: first.order_no }) : t('Order alerts: {{count}} orders', { count }),
    paragraphs: [
      ...(note === '' ? [] : [note]),
      ...(mode === 'hold' ? [t('These orders wait until someone releases their hold.')] : []),
      ...hits.slice(0, mostNamed).map(line),
      ...(count > mostNamed ? [t('and {{count}} more', { count: count - mostNamed })] : []),
    ],
    link: {
      label: count === 1 ? t('Open the order') : t('Show the orders'),
      url: `${publicUrl(services, company.code)}/parcels/orders${count === 1 ? `?id=${first.order_id}` : '?badge=alert'}`,
    },
    closing: t('This mail comes from Order alerts in the settings. Answers to it are not read.'),
  })
  return { ...text, to: { name: '', address: email }, ...(from_name !== '' && { from_name }) }
}
