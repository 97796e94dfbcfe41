/** Reads of invoices: lists, one in full, and the exact content of a frozen one. */
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod'
import { orNotFound } from '#contract/errors.ts'
import { Locale } from '#contract/fields.schemas.ts'
import { type Page, pageOffset } from '#contract/page.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { invoiceFormats } from '#features/invoicing/bulk-invoicing/bulk-invoicing.codes.ts'
import { noParty, TradeParty } from '#features/invoicing/bulk-invoicing/bulk-invoicing.schemas.ts'
import { cappedCount } from '#platform/database/capped-count.ts'
import type { Db } from '#platform/database/database.ts'
import { containing } from '#platform/database/like-pattern.ts'
import type { InvoiceContent } from './invoice-content.rules.ts'
import { type InvoiceState, mostNamed } from './invoices.codes.ts'
import { type AskedInvoices, type InvoiceInFull, TradeInvoice } from './invoices.schemas.ts'
import { agentName } from './waiting-orders.queries.ts'

const listed = [
  'i.id',
  'i.company_id',
  'c.name as company',
  'i.invoice_no',
  'i.kind',
  'i.state',
  'i.agent_code',
  'i.country',
  'i.parcel_count as parcels',
  'i.line_count as lines',
  'i.total',
  'i.currency',
  'i.issued_on',
  'i.created_at',
  'i.frozen_at',
  'i.sent_at',
  'i.handed_over_at',
  'i.blocked_reason',
  'i.version',
] as const

const from = (db: Db) => db.selectFrom('trade_invoices as i').innerJoin('companies as c', 'c.id', 'i.company_id')

const asRow = (row: { agent_code: string }): TradeInvoice => TradeInvoice.parse({ ...row, agent: agentName(row.agent_code) })

const open: readonly InvoiceState[] = ['draft', 'frozen', 'blocked']

function matches({ query, state, kind, courier, country, from: first, to, company_id }: AskedInvoices): RawBuilder<boolean> {
  const like = containing(query)
  return sql<boolean>`${sql.join(
    [
      sql`true`,
      ...(query === ''
        ? []
        : [
            sql`(i.invoice_no ilike ${like} or exists (select from trade_invoice_parcels t where t.operator_id = i.operator_id
              and t.invoice_id = i.id and (t.tracking_no ilike ${like} or t.order_no ilike ${like})))`,
          ]),
      ...(state === undefined ? [] : [state === 'open' ? sql`i.state = any (${open}::text[])` : sql`i.state = ${state}`]),
      ...(kind === undefined ? [] : [sql`i.kind = ${kind}`]),
      ...(courier === undefined ? [] : [sql`i.agent_code = ${courier}`]),
      ...(country === undefined ? [] : [sql`i.country = ${country}`]),
      ...(first === undefined ? [] : [sql`i.issued_on >= ${first}`]),
      ...(to === undefined ? [] : [sql`i.issued_on <= ${to}`]),
      ...(company_id === undefined ? [] : [sql`i.company_id = ${company_id}`]),
    ],
    sql` and `,
  )}`
}

const sortColumns: Record<string, RawBuilder<unknown>> = {
  id: sql`i.id`,
  invoice_no: sql`i.invoice_no`,
  total: sql`i.total`,
  parcels: sql`i.parcel_count`,
}

function found(db: Db, asked: AskedInvoices) {
  const { sort } = asked
  return from(db)
    .select(listed)
    .where(matches(asked))
    .orderBy(sortColumns[sort.replace('-', '')] ?? sql`i.id`, of => (sort.startsWith('-') ? of.desc().nullsLast() : of.asc().nullsLast()))
    .orderBy('i.id', 'desc')
}

export async function findInvoices(db: Db, asked: AskedInvoices & { page: number; limit: number }): Promise<Page<TradeInvoice>> {
  const [offset, limit] = [pageOffset(asked), asked.limit]
  const rows = await found(db, asked).limit(limit).offset(offset).execute()
  return { rows: rows.map(asRow), ...(await cappedCount(db, from(db).where(matches(asked)))), offset, limit }
}

/** For the export: as many as a file takes. */
export const allInvoices = async (db: Db, asked: AskedInvoices): Promise<TradeInvoice[]> =>
  (await found(db, asked).limit(10_000).execute()).map(asRow)

const Rates = z.array(z.object({ from: z.string(), to: z.string(), rate: z.string() })).catch([])
const Party = TradeParty.catch(noParty)

export type StoredInvoice = Awaited<ReturnType<typeof storedInvoice>>

/** The row of an invoice, as it was written. `lock` takes it until the transaction ends. */
export async function storedInvoice(db: Db, id: number, lock = false) {
  let query = db.selectFrom('trade_invoices as i').selectAll('i').where('i.id', '=', id)
  if (lock) query = query.forUpdate()
  const row = orNotFound(await query.executeTakeFirst(), 'invoice_not_found', 'Invoice not found')
  return { ...row, importer: Party.parse(row.importer), exporter: Party.parse(row.exporter), rates: Rates.parse(row.rates) }
}

const lineColumns = [
  'position',
  'hs_code',
  'origin',
  'sku',
  'description',
  'quantity',
  'value',
  'net_g',
  'gross_g',
  'rounding',
  'parcels',
] as const
const parcelColumns = ['position', 'shipment_id', 'order_id', 'order_no', 'tracking_no', 'postcode', 'value', 'net_g', 'gross_g'] as const

const linesOf = (db: Db, invoice_id: number) =>
  db.selectFrom('trade_invoice_lines').select(lineColumns).where('invoice_id', '=', invoice_id).orderBy('position').execute()

function parcelsOf(db: Db, invoice_id: number, part?: { limit: number; offset: number }) {
  const all = db.selectFrom('trade_invoice_parcels').select(parcelColumns).where('invoice_id', '=', invoice_id).orderBy('position')
  return (part ? all.limit(part.limit).offset(part.offset) : all).execute()
}

/** The whole content of a frozen invoice: every paper and file is drawn from it. */
export async function frozenContent(db: Db, invoice: StoredInvoice): Promise<InvoiceContent> {
  const [lines, parcels, credited] = [
    await linesOf(db, invoice.id),
    await parcelsOf(db, invoice.id),
    await named(db, 'id', invoice.credits_id),
  ]
  const { invoice_no, kind, issued_on, agent_code, country, currency, terms, terms_place, importer, exporter, locale, rates } = invoice
  const { reason, total, rounding, net_g, gross_g } = invoice
  return {
    ...{ invoice_no, kind, issued_on, agent_code, country, currency, terms, terms_place, importer, exporter, locale, rates },
    ...{ reason, total, rounding, net_g, gross_g, credits_no: credited?.invoice_no ?? null, lines, parcels },
  }
}

const named = async (db: Db, column: 'id' | 'credits_id' | 'replaces_id', id: number | null) =>
  id === null
    ? null
    : ((await db.selectFrom('trade_invoices').select(['id', 'invoice_no']).where(column, '=', id).orderBy('id').executeTakeFirst()) ?? null)

const Formats = z.array(z.enum(invoiceFormats)).catch(['pdf'])
const DeliveryState = z.enum(['waiting', 'delivered', 'failed', 'not_sent'])

/** To whom it was sent, with the state of each mail. */
async function deliveriesOf(db: Db, invoice_id: number): Promise<InvoiceInFull['deliveries']> {
  const { rows } = await sql<{ id: number; to_address: string; formats: string[]; at: string; by: string; state: string | null }>`
    select d.id, d.to_address, d.formats, d.created_at at, d.requested_by_name "by",
      (select case when m.state = 'sending' then 'waiting' else m.state end from outbox o
        join outbox_deliveries m on m.operator_id = o.operator_id and m.outbox_id = o.id and m.at = o.at and m.destination_kind = 'mail'
        where o.operator_id = d.operator_id and o.object_type = 'invoice' and o.object_id = d.invoice_id
          and o.payload ->> 'delivery_id' = d.id::text
        order by m.replay_no desc, m.id desc limit 1) state
    from invoice_deliveries d
    where d.operator_id = current_operator_id() and d.company_id = any (current_company_ids()) and d.invoice_id = ${invoice_id}
    order by d.id desc limit ${mostNamed}`.execute(db)
  return rows.map(row => ({
    ...row,
    formats: Formats.parse(row.formats),
    state: DeliveryState.catch('not_sent').parse(row.state),
  }))
}

/** What an invoice shows beside its content. */
export async function aroundInvoice(db: Db, invoice: StoredInvoice) {
  const row = asRow(await from(db).select(listed).where('i.id', '=', invoice.id).executeTakeFirstOrThrow())
  const config =
    invoice.config_id === null
      ? undefined
      : await db.selectFrom('bulk_invoice_configs').select('emails').where('id', '=', invoice.config_id).executeTakeFirst()
  return {
    ...row,
    credits: await named(db, 'id', invoice.credits_id),
    credited_by: await named(db, 'credits_id', invoice.id),
    replaces: await named(db, 'id', invoice.replaces_id),
    replaced_by: await named(db, 'replaces_id', invoice.id),
    deliveries: await deliveriesOf(db, invoice.id),
    emails: config?.emails ?? [],
  }
}

export async function frozenInFull(db: Db, invoice: StoredInvoice, parcels_page: number): Promise<InvoiceInFull> {
  const { terms, terms_place, importer, exporter, locale, rounding, net_g, gross_g, rates, sha256, kept_until, reason } = invoice
  return {
    ...(await aroundInvoice(db, invoice)),
    ...{ terms, terms_place, importer, exporter, locale, rounding, net_g, gross_g, rates, sha256, kept_until, reason },
    line_rows: await linesOf(db, invoice.id),
    parcel_rows: await parcelsOf(db, invoice.id, { limit: mostNamed, offset: (parcels_page - 1) * mostNamed }),
    checks: [],
    fingerprint: null,
    created_by: invoice.created_by_name,
    frozen_by: invoice.frozen_by_name,
  }
}

/** The last lines that a company prints on invoices of this language. */
export async function invoiceFooter(db: Db, company_id: number, { locale }: InvoiceContent): Promise<string> {
  const { invoice_footers } = await companySettings(db, company_id)
  return invoice_footers[Locale.catch('en_GB').parse(locale)] ?? ''
}

/** The footer of an issued invoice, as it was printed first. Invoices of before it was kept print the one of today. */
export const printedFooter = async (
  db: Db,
  { company_id, footer }: Pick<StoredInvoice, 'company_id' | 'footer'>,
  content: InvoiceContent,
): Promise<string> => footer ?? (await invoiceFooter(db, company_id, content))
