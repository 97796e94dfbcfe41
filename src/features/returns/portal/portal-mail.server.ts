/** The mails about returns: confirmed, waiting, rejected, withdrawn from the contract, not sent yet, something missing, money back. */
import * as z from 'zod'
import { Locale } from '#contract/fields.schemas.ts'
import { decimalsOf } from '#domain/money.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { MailWriter } from '#features/deliveries/mail/mail-sender.server.ts'
import { writeMail } from '#features/deliveries/mail/mail-text.rules.ts'
import { returnForProgress } from '#features/returns/returns/returns.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { type PortalMail, portalMails } from './portal.codes.ts'
import { isConfirmedByTemplate, progressUrl, textsOfReturn } from './portal.queries.ts'
import { withoutLinks } from './portal.rules.ts'

const Payload = z.object({ mail: z.enum(portalMails) })

/**
 * What a company may write itself as templates of messages. The acknowledgement of a withdrawal is always ours, because the law says what
 * stands in it, and so is the confirmation of a template that does not lead to the return's page.
 */
const templateOf: Readonly<Partial<Record<PortalMail, string>>> = {
  rejected: 'return_rejected',
  missing: 'return_item_missing',
  refunded: 'refund_confirmed',
  ending: 'return_ends_soon',
}

async function isTemplateActive(db: Db, company_id: number, mail: PortalMail): Promise<boolean> {
  if (mail === 'approved') return isConfirmedByTemplate(db, company_id)
  const trigger = templateOf[mail]
  if (trigger === undefined) return false
  const found = await db
    .selectFrom('message_templates')
    .select('id')
    .where('company_id', '=', company_id)
    .where('active', '=', true)
    .where('channel', '=', 'email')
    .where('trigger', '=', trigger)
    .where('removed_at', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

const tagOf = (locale: Locale): string => locale.replace('_', '-').replace('no-', 'nb-')

/** Null where the customer is erased or has no address, or a template of the company says it. */
export const writeReturnMail: MailWriter = async ({ operator_id, company_id, object_id, payload }, services) => {
  const { mail } = Payload.parse(payload)
  const scope = { operator_id, company_id, companies: [company_id] }
  const found = await services.database.readOnly(scope, async db => {
    const row = await db
      .selectFrom('returns')
      .select(['contact_name', 'contact_email', 'claimed_order_no', 'shop', 'noticed_at'])
      .where('id', '=', object_id)
      .executeTakeFirst()
    const one = await returnForProgress(db, object_id)
    if (!row?.contact_email || !one || (await isTemplateActive(db, company_id, mail))) return undefined
    // Sent meanwhile, or ended.
    if (mail === 'ending' && one.expires_at === null) return undefined
    const locale = Locale.catch('en_GB').parse(one.language)
    return {
      row,
      one,
      locale,
      texts: await textsOfReturn(db, company_id, row.shop, locale),
      company: await db.selectFrom('companies').select(['code', 'name']).where('id', '=', company_id).executeTakeFirstOrThrow(),
      settings: await companySettings(db, company_id),
    }
  })
  const address = found?.row.contact_email
  if (!found || !address) return null
  const { row, one, locale, texts, company, settings } = found
  const t = await translatorFor(locale)
  const tag = tagOf(locale)
  const day = (at: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: settings.time_zone }).format(new Date(at))
  const instant = (at: string) =>
    new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeStyle: 'long', timeZone: settings.time_zone }).format(new Date(at))
  const money = (minor: number) =>
    new Intl.NumberFormat(tag, { style: 'currency', currency: one.currency }).format(minor / 10 ** decimalsOf(one.currency))
  const counted = (items: readonly { name: string }[]): string =>
    [...Map.groupBy(items, ({ name }) => name)].map(([name, pieces]) => `${pieces.length} × ${name}`).join(', ')
  const listed = counted(one.items.filter(({ custody }) => mail !== 'missing' || custody === 'missing'))
  const order = one.order_no ?? withoutLinks(row.claimed_order_no ?? '')
  const names = { company: company.name, rma_no: one.rma_no, order, name: withoutLinks(row.contact_name ?? ''), items: listed }
  const keptItems = one.items.filter(({ custody }) => custody === 'kept')
  const keptAll = keptItems.length > 0 && keptItems.length === one.items.length
  const kept = counted(keptItems)
  const items = listed === '' ? [] : [t('Items: {{items}}', names)]
  const address_of = one.address ?? texts.return_address
  const where = one.method === 'own_label' && address_of !== '' ? [t('Send the parcel to: {{address}}', { address: address_of })] : []
  const paid = one.money.filter(({ state }) => state === 'confirmed').reduce((sum, { paid: given, total }) => sum + (given ?? total), 0)
  const written = {
    requested: {
      subject: t('We have your return {{rma_no}}', names),
      paragraphs: [texts.confirmation, t('The shop checks it first. You get another e-mail then.'), ...items],
    },
    approved: {
      subject: t('Your return {{rma_no}} is registered', names),
      paragraphs: [
        texts.confirmation,
        ...items,
        ...where,
        ...(keptAll
          ? [t('You keep these items and send nothing.')]
          : [kept === '' ? '' : t('You keep: {{items}}', { items: kept }), t('Write {{rma_no}} on the parcel.', names)]),
        ...(one.expires_at === null ? [] : [t('Send it by {{day}}.', { day: day(one.expires_at) })]),
      ],
    },
    label:
      one.method === 'qr'
        ? {
            subject: t('The QR code for your return {{rma_no}} is ready', names),
            paragraphs: [t('Open the page of your return and show the QR code where you hand the parcel in.'), ...items],
          }
        : {
            subject: t('The label for your return {{rma_no}} is ready', names),
            paragraphs: [t('Open the page of your return, print the label and put it on the parcel.'), ...items],
          },
    withdrawn: {
      subject: t('We have received your withdrawal'),
      paragraphs: [
        t('{{name}} has withdrawn from the contract of order {{order}}. We received it on {{time}}.', {
          ...names,
          time: instant(row.noticed_at ?? one.requested_at),
        }),
        ...items,
        ...(one.order_id === null ? [t('The shop looks for the order and writes to you.')] : where),
        ...(one.order_id === null || one.refund_due_at === null
          ? []
          : [
              t('Your money comes back by {{day}} at the latest, once we have the items or a proof that they were sent.', {
                day: day(one.refund_due_at),
              }),
            ]),
      ],
    },
    rejected: {
      subject: t('Your return {{rma_no}} cannot be accepted', names),
      paragraphs: [...items, ...(one.reject_reason ? [one.reject_reason] : [])],
    },
    missing: {
      subject: t('Items are missing from your return {{rma_no}}', names),
      paragraphs: [
        t('These items were not in the parcel: {{items}}', names),
        t('If you sent them separately or find them, write to the shop.'),
      ],
    },
    ending: {
      subject: t('Send your return {{rma_no}} soon', names),
      paragraphs: [
        ...items,
        ...(one.expires_at === null
          ? []
          : [t('Send it by {{day}}. After that the return ends, and you would have to ask again.', { day: day(one.expires_at) })]),
        t('If you have sent it already, you need to do nothing.'),
      ],
    },
    refunded: {
      subject: t('Money back for your return {{rma_no}}', names),
      paragraphs: [t('{{amount}} is on its way back to you.', { amount: money(paid) })],
    },
  }[mail]
  const hello = row.contact_name && mail !== 'withdrawn' ? [t('Hello {{name}},', names)] : []
  const text = writeMail({
    locale,
    company: company.name,
    subject: written.subject,
    paragraphs: [...hello, ...written.paragraphs].filter(Boolean),
    link: {
      label: t('Follow your return'),
      url: progressUrl(services, { id: company_id, code: company.code }, object_id, locale),
    },
    closing: [company.name, settings.support_phone, settings.support_email].filter(Boolean).join(' · '),
  })
  return { ...text, to: { name: names.name, address } }
}
