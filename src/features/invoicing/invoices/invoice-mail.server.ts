/** The mail with an invoice, and the sample that a configuration sends to its recipients. */
import * as z from 'zod'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import type { MailWriter } from '#features/deliveries/mail/mail-sender.server.ts'
import { writeMail } from '#features/deliveries/mail/mail-text.rules.ts'
import { invoiceFormats } from '#features/invoicing/bulk-invoicing/bulk-invoicing.codes.ts'
import { configById, type OwnedConfig } from '#features/invoicing/bulk-invoicing/bulk-invoicing.queries.ts'
import type { Db } from '#platform/database/database.ts'
import { translatorFor } from '#platform/http/translations.ts'
import type { InvoiceContent } from './invoice-content.rules.ts'
import { type Drawn, invoiceFile } from './invoice-documents.server.ts'
import { frozenContent, printedFooter, storedInvoice } from './invoices.queries.ts'

const Formats = z.array(z.enum(invoiceFormats))

async function attached(of: Drawn, formats: readonly string[]) {
  const files = await Promise.all(Formats.parse(formats).map(format => invoiceFile(of, format)))
  return files.map(({ bytes, media_type, name }) => ({ filename: name, content: Buffer.from(bytes), contentType: media_type }))
}

const companyOf = async (db: Db, id: number) => ({
  name: (await db.selectFrom('companies').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name,
  locale: (await companySettings(db, id)).locale,
})

const InvoicePayload = z.object({ delivery_id: z.number().int() })

export const writeInvoiceMail: MailWriter = async ({ operator_id, company_id, object_id, payload }, services) => {
  const { delivery_id } = InvoicePayload.parse(payload)
  const scope = { operator_id, company_id, companies: [company_id] }
  const found = await services.database.readOnly(scope, async db => {
    const delivery = await db
      .selectFrom('invoice_deliveries')
      .select(['to_address', 'formats', 'subject'])
      .where('id', '=', delivery_id)
      .executeTakeFirst()
    const invoice = await storedInvoice(db, object_id)
    const content = await frozenContent(db, invoice)
    const footer = await printedFooter(db, invoice, content)
    return delivery && { delivery, invoice, content, footer, company: await companyOf(db, company_id) }
  })
  if (!found) return null
  const { delivery, invoice, content, footer, company } = found
  const t = await translatorFor(company.locale)
  const of: Drawn = { content, sha256: invoice.sha256, mark: null, at: new Date(invoice.frozen_at ?? invoice.created_at), footer }
  const words = { number: invoice.invoice_no ?? '', company: company.name }
  const credit = content.kind === 'credit'
  const text = writeMail({
    locale: company.locale,
    company: company.name,
    subject:
      delivery.subject !== ''
        ? `${delivery.subject} ${words.number}`
        : credit
          ? t('Credit {{number}} from {{company}}', words)
          : t('Customs invoice {{number}} from {{company}}', words),
    paragraphs: [
      credit
        ? t('Attached is credit {{number}}. It cancels invoice {{invoice}}.', { ...words, invoice: content.credits_no ?? '' })
        : t('Attached is customs invoice {{number}} for {{count}} parcels.', { ...words, count: content.parcels.length }),
    ],
    closing: t('Answers to this mail are not read.'),
  })
  return { ...text, to: { name: '', address: delivery.to_address }, attachments: await attached(of, delivery.formats) }
}

const SamplePayload = z.object({ position: z.number().int() })

/** Two invented lines in the form of the configuration. */
function sample(
  { agent_code, country, currency, terms, terms_place, importer, exporter, locale }: OwnedConfig,
  issued_on: string,
): InvoiceContent {
  const shared = { sku: null, rounding: 0, parcels: 1 }
  const lines = [
    {
      ...shared,
      position: 1,
      hs_code: '610910',
      origin: 'PT',
      description: 'T-shirt, knitted cotton',
      quantity: 2,
      value: 40_000,
      net_g: 400,
      gross_g: 500,
    },
    {
      ...shared,
      position: 2,
      hs_code: '650500',
      origin: 'CN',
      description: 'Cap, cotton',
      quantity: 1,
      value: 10_000,
      net_g: 72,
      gross_g: 120,
    },
  ]
  return {
    ...{ invoice_no: null, kind: 'invoice', issued_on, agent_code, country, currency, terms, terms_place, importer, exporter, locale },
    ...{ rates: [], reason: '', credits_no: null, total: 50_000, rounding: 0, net_g: 472, gross_g: 620, lines },
    parcels: [
      {
        position: 1,
        shipment_id: 0,
        order_id: null,
        order_no: '1001',
        tracking_no: '0000000000',
        postcode: '',
        value: 50_000,
        net_g: 472,
        gross_g: 620,
      },
    ],
  }
}

export const writeInvoiceSample: MailWriter = async ({ operator_id, company_id, object_id, payload, at }, services) => {
  const { position } = SamplePayload.parse(payload)
  const scope = { operator_id, company_id, companies: [company_id] }
  const { config, company } = await services.database.readOnly(scope, async db => ({
    config: await configById(db, company_id, object_id),
    company: await companyOf(db, company_id),
  }))
  const address = config.emails[position]
  if (address === undefined) return null
  const t = await translatorFor(company.locale)
  const when = new Date(at)
  const text = writeMail({
    locale: company.locale,
    company: company.name,
    subject: t('Sample of a customs invoice from {{company}}', { company: company.name }),
    paragraphs: [t('This is how customs invoices will arrive. The goods on the sample are invented.')],
    closing: t('Answers to this mail are not read.'),
  })
  const of: Drawn = { content: sample(config, when.toISOString().slice(0, 10)), sha256: null, mark: 'sample', at: when, footer: '' }
  return { ...text, to: { name: '', address }, attachments: await attached(of, config.formats) }
}
