/** Templates of messages: handlers. */
import { notFound } from '#contract/errors.ts'
import type { Locale } from '#contract/limits.ts'
import { keysOf } from '#domain/objects.ts'
import { companyById } from '#features/company/companies/companies.queries.ts'
import { addEntry, changeEntry } from '#features/company/companies/setting-lists.server.ts'
import { smsPrice } from '#features/deliveries/sms/sms.queries.ts'
import { costlyCharacters } from '#features/deliveries/sms/sms-price.rules.ts'
import { sizeOfSms } from '#features/deliveries/sms/sms-text.rules.ts'
import { type Context, implement, type Services } from '#platform/http/feature-module.ts'
import { type EmailFacts, fillLayout, layoutOf } from './email-layout.server.ts'
import { fillTemplateText, missingWords, type WordValues } from './liquid-text.server.ts'
import { messageOrders } from './message-facts.queries.ts'
import { checkTexts, layoutFor } from './template-texts.server.ts'
import { templateWords } from './templates.codes.ts'
import { createTemplate, listen, removeTemplate, updateTemplate } from './templates.commands.ts'
import { templates } from './templates.contract.ts'
import { templateById, templateByIndex, templatesOf, withoutLayout } from './templates.queries.ts'
import { type EmailBlock, type MessagePreview, templatesSchemas } from './templates.schemas.ts'
import { templateList } from './templates-history.server.ts'

const previewPurpose = 'template preview'
const previewMinutes = 30

export const templatesServer = implement(
  templates,
  templatesSchemas,
  {
    list: async (asked, { db, scope }) => ({ rows: (await templatesOf(db, scope.company_id, asked)).map(withoutLayout) }),
    get: async ({ id }, { db, scope }) => withoutLayout(await templateById(db, scope.company_id, id)),

    async create({ body }, { transaction }) {
      checkTexts(body)
      const layout = await layoutFor(body)
      return transaction(context =>
        addEntry(
          templateList,
          context,
          () => createTemplate(context, body, layout),
          template => template.id,
        ),
      )
    },

    async update({ id, body: { version, ...fields } }, { transaction }) {
      checkTexts(fields)
      const layout = await layoutFor(fields)
      return transaction(context => changeEntry(templateList, context, id, () => updateTemplate(context, id, version, fields, layout)))
    },

    remove: ({ id }, context) => changeEntry(templateList, context, id, () => removeTemplate(context, id)),

    async preview({ index, body }, { transaction, scope, services }) {
      checkTexts({ body: body.body ?? '', subject: body.subject ?? '', blocks: body.blocks ?? [] })
      const { stored, order, sample, price } = await transaction(async ({ db }) => {
        const [found] = body.order_id === null ? [] : await messageOrders(db, services, [body.order_id])
        if (body.order_id !== null && !found) throw notFound('order_not_found', 'Order not found')
        return {
          stored: index === 0 ? null : await templateByIndex(db, scope.company_id, index),
          order: found,
          sample: await inventedFacts(db, scope.company_id, body.locale ?? 'en_GB'),
          price: await smsPrice(db, found?.company_id ?? scope.company_id),
        }
      })
      const facts = order?.facts ?? { ...sample, locale: body.locale ?? stored?.locale ?? sample.locale }
      const channel = stored?.channel ?? body.channel
      return channel === 'email'
        ? previewEmail(body.subject ?? stored?.subject ?? '', body.blocks ?? stored?.blocks ?? [], facts)
        : previewSms(body.body ?? stored?.body ?? '', facts, price)
    },

    async link({ id }, { db, scope, services, now }) {
      await templateById(db, scope.company_id, id)
      const until = Math.floor(now().getTime() / 1_000 + previewMinutes * 60).toString(36)
      const text = `${scope.company_id}.${id}.${until}`
      return { path: `/email/template/preview#${id}.${until}.${services.vault.sign(previewPurpose, text)}` }
    },

    async page({ body: { token } }, { transaction, scope, services }) {
      const id = templateOfToken(services, scope.company_id, token)
      const { template, sample } = await transaction(async ({ db }) => {
        const one = await templateById(db, scope.company_id, id)
        return { template: one, sample: await inventedFacts(db, scope.company_id, one.locale) }
      })
      const shown = await previewEmail(template.subject, template.blocks, sample)
      return { ...shown, company: sample.company, name: template.name }
    },
  },
  { 'courier_events.set': (_, { db, scope }) => listen(db, scope.company_id) },
)

/** @throws {AppError} 404 for a token that is forged or too old */
function templateOfToken(services: Services, company_id: number, token: string): number {
  const [id = '', until = '', signature = ''] = token.split('.')
  const fits = services.vault.verify(previewPurpose, `${company_id}.${id}.${until}`, signature)
  if (!fits || Number.parseInt(until, 36) * 1_000 < services.now().getTime())
    throw notFound('preview_expired', 'This preview has expired. Open it again from the template.')
  return Number(id)
}

async function inventedFacts(db: Context['db'], company_id: number, locale: Locale): Promise<EmailFacts> {
  const { name, settings } = await companyById(db, company_id)
  const values: WordValues = { ...templateWords, shop_name: name }
  return {
    values,
    locale,
    company: name,
    color: settings.color,
    homepage: settings.homepages[locale] ?? settings.homepage,
    items: [
      { qty: 1, name: 'Wool socks' },
      { qty: 2, name: 'Water bottle' },
    ],
    parcels: [{ name: values.courier, tracking_no: values.tracking_no, url: values.tracking_url }],
    foot: [name, settings.support_phone, settings.support_email].filter(Boolean).join(' · '),
  }
}

const noSize = { encoding: null, characters: 0, parts: 0, price_micro: 0 }

function previewSms(body: string, facts: EmailFacts, { price_micro, currency }: { price_micro: number; currency: string }): MessagePreview {
  const text = fillTemplateText(body, facts.values).normalize('NFC')
  const size = sizeOfSms(text)
  return {
    subject: '',
    text,
    html: null,
    ...size,
    price_micro: size.parts * price_micro,
    currency,
    locale: facts.locale,
    missing: missingWords(body, facts.values),
    replaced: costlyCharacters(text),
  }
}

async function previewEmail(subject: string, blocks: readonly EmailBlock[], facts: EmailFacts): Promise<MessagePreview> {
  const filled = fillLayout(await layoutOf(blocks), subject, blocks, facts)
  const texts = [subject, ...blocks.flatMap(block => ('text' in block ? [block.text] : []))]
  const missing = keysOf(templateWords).filter(word => texts.some(text => missingWords(text, facts.values).includes(word)))
  return {
    ...noSize,
    subject: filled.subject,
    text: filled.text,
    html: filled.html,
    currency: 'XXX',
    locale: facts.locale,
    missing,
    replaced: [],
  }
}
