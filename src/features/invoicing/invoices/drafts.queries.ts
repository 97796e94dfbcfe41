/** What a draft would be as an invoice, calculated anew each time that somebody looks at it. */
import { createHash } from 'node:crypto'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { ratesOnDay } from '#features/company/exchange-rates/exchange-rates.queries.ts'
import { mailAccountOf } from '#features/deliveries/mail/mail.queries.ts'
import type { OwnedConfig } from '#features/invoicing/bulk-invoicing/bulk-invoicing.queries.ts'
import { configGaps } from '#features/invoicing/bulk-invoicing/bulk-invoicing.rules.ts'
import type { Db } from '#platform/database/database.ts'
import { invoiceSums } from './invoice-calculation.rules.ts'
import { checkInvoice } from './invoice-checks.rules.ts'
import { canonicalInvoice, type InvoiceContent } from './invoice-content.rules.ts'
import { mostNamed } from './invoices.codes.ts'
import { aroundInvoice, type StoredInvoice } from './invoices.queries.ts'
import type { InvoiceCheck, InvoiceInFull } from './invoices.schemas.ts'
import { checkedParcels, parcelFacts } from './parcels.queries.ts'
import { parcelsOnLists } from './waiting-orders.queries.ts'

export interface Plan {
  shipment_ids: readonly number[]
  collect_list_ids: readonly number[]
  issued_on: string
}

export interface Calculated {
  content: InvoiceContent
  checks: InvoiceCheck[]
  /** Changes with everything that the invoice would say. */
  fingerprint: string
}

export async function calculate(db: Db, config: OwnedConfig, { shipment_ids, collect_list_ids, issued_on }: Plan): Promise<Calculated> {
  const { company_id, agent_code, country, currency } = config
  const way = { company_id, agent_code, country }
  const parcels = await checkedParcels(db, shipment_ids, way)
  const rates = (await ratesOnDay(db, company_id, issued_on)).into(currency)
  const sums = invoiceSums(
    parcels.map(({ shipment_id, weight_g, items }) => ({ shipment_id, weight_g, items })),
    { currency, grouping: config.grouping, hs_digits: config.hs_digits, rates },
  )
  const on_lists = collect_list_ids.length === 0 ? [] : await parcelsOnLists(db, way, collect_list_ids)
  const chosen = new Set(shipment_ids)
  const checks = checkInvoice({
    parcels,
    sums,
    currency,
    courier: config.agent,
    max_lines: config.max_lines,
    min_parcels: config.min_parcels,
    party_gaps: configGaps(config),
    left_on_lists: (
      await parcelFacts(
        db,
        on_lists.filter(id => !chosen.has(id)),
      )
    ).map(one => ({ ...one, right_way: true })),
    sends_itself: config.when !== 'manual',
    recipients: config.emails.length,
    has_mail_account: (await mailAccountOf(db, company_id)) !== undefined,
  })
  const used = new Set(parcels.flatMap(parcel => parcel.items.flatMap(item => item.currency ?? [])))
  const byId = new Map(sums.parcels.map(parcel => [parcel.shipment_id, parcel]))
  const { terms, terms_place, importer, exporter, locale } = config
  const content: InvoiceContent = {
    ...{ invoice_no: null, kind: 'invoice', issued_on, agent_code, country, currency, credits_no: null },
    ...{ terms, terms_place, importer, exporter, locale, reason: '' },
    rates: [...rates].filter(([one]) => used.has(one)).map(([one, rate]) => ({ from: one, to: currency, rate })),
    total: sums.total,
    rounding: sums.rounding,
    net_g: sums.net_g,
    gross_g: sums.gross_g,
    lines: sums.lines.map((line, i) => ({ position: i + 1, ...line })),
    parcels: parcels.map((parcel, i) => ({
      position: i + 1,
      order_id: parcel.order_id,
      order_no: parcel.order_no,
      tracking_no: parcel.tracking_no,
      postcode: parcel.postcode.slice(0, 20),
      ...(byId.get(parcel.shipment_id) ?? { shipment_id: parcel.shipment_id, value: 0, net_g: 0, gross_g: parcel.weight_g }),
    })),
  }
  return { content, checks, fingerprint: createHash('sha256').update(canonicalInvoice(content)).digest('hex') }
}

/** Today on the company's calendar. */
export const todayOf = async (db: Db, company_id: number, now: Date): Promise<string> =>
  localDay(now, (await companySettings(db, company_id)).time_zone)

const asRows = ({ content, checks, fingerprint }: Calculated, parcels_page: number) => ({
  ...{ parcels: content.parcels.length, lines: content.lines.length, total: content.total, currency: content.currency },
  ...{ terms: content.terms, terms_place: content.terms_place, importer: content.importer, exporter: content.exporter },
  ...{ locale: content.locale, rounding: content.rounding, net_g: content.net_g, gross_g: content.gross_g, rates: [...content.rates] },
  line_rows: [...content.lines],
  parcel_rows: content.parcels.slice((parcels_page - 1) * mostNamed, parcels_page * mostNamed),
  ...{ checks, fingerprint, sha256: null, kept_until: null, reason: '' },
})

export async function draftInFull(db: Db, draft: StoredInvoice, calculated: Calculated, parcels_page: number): Promise<InvoiceInFull> {
  return {
    ...(await aroundInvoice(db, draft)),
    ...asRows(calculated, parcels_page),
    created_by: draft.created_by_name,
    frozen_by: null,
  }
}

/** What was not saved: it has no id. */
export const previewInFull = (config: OwnedConfig, company: string, calculated: Calculated, at: string): InvoiceInFull => ({
  ...{ id: 0, company_id: config.company_id, company, invoice_no: null, kind: 'invoice', state: 'draft' },
  ...{
    agent_code: config.agent_code,
    agent: config.agent,
    country: config.country,
    issued_on: calculated.content.issued_on,
    created_at: at,
  },
  ...{ frozen_at: null, sent_at: null, handed_over_at: null, blocked_reason: null, version: 0 },
  ...{ credits: null, credited_by: null, replaces: null, replaced_by: null, deliveries: [], emails: config.emails },
  ...asRows(calculated, 1),
  created_by: '',
  frozen_by: null,
})
