/** Invoices as files: PDF, CSV and JSON with the same sums, drawn from the frozen rows each time. */
import type { FileAnswer } from '#contract/endpoint.ts'
import { conflict } from '#contract/errors.ts'
import { Locale } from '#contract/fields.schemas.ts'
import { decimalsOf, fromMinor } from '#domain/money.ts'
import type { InvoiceFormat } from '#features/invoicing/bulk-invoicing/bulk-invoicing.codes.ts'
import { queuePrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import type { PrintJob } from '#features/printing/print-jobs/print-jobs.schemas.ts'
import { sendPrint } from '#features/printing/print-jobs/send-prints.task.ts'
import { tradeInvoiceWords } from '#integrations/printers/trade-invoice.labels.ts'
import { tradeInvoicePaper } from '#integrations/printers/trade-invoice-paper.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { csv } from '#platform/http/csv.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import { canonicalInvoice, type InvoiceContent, kilograms } from './invoice-content.rules.ts'
import { calculatedDraft, mustBeFrozen } from './invoices.commands.ts'
import { frozenContent, invoiceFooter, printedFooter, storedInvoice } from './invoices.queries.ts'
import { agentName } from './waiting-orders.queries.ts'

export interface Drawn {
  content: InvoiceContent
  sha256: string | null
  /** DRAFT or SAMPLE, across each page. */
  mark: 'draft' | 'sample' | null
  at: Date
  /** The company's last lines in the language of the invoice. */
  footer: string
}

const mediaTypes: Record<InvoiceFormat, string> = { pdf: 'application/pdf', csv: 'text/csv; charset=utf-8', json: 'application/json' }

/** What one piece is worth, with two more decimals than the currency has. */
function unitValue(value: number, quantity: number, currency: string): string {
  const decimals = decimalsOf(currency)
  return quantity === 0 ? fromMinor(value, currency) : (value / quantity / 10 ** decimals).toFixed(decimals + 2)
}

/** The columns that brokers know: a row for each line, kilograms and amounts with a decimal point. */
const invoiceCsv = ({ lines, currency }: InvoiceContent): Uint8Array =>
  csv(
    [
      ...['line', 'description_en', 'hs_code', 'origin', 'qty', 'unit', 'net_weight_kg', 'gross_weight_kg'],
      ...['unit_value', 'line_value', 'currency', 'orders'],
    ],
    lines.map(line => [
      ...[
        line.position,
        line.description,
        line.hs_code,
        line.origin,
        line.quantity,
        'piece',
        kilograms(line.net_g),
        kilograms(line.gross_g),
      ],
      ...[unitValue(line.value, line.quantity, currency), fromMinor(line.value, currency), currency, line.parcels],
    ]),
    ';',
  )

async function invoicePdf({ content, sha256, mark, at, footer }: Drawn): Promise<Uint8Array> {
  const locale = Locale.catch('en_GB').parse(content.locale)
  const money = (minor: number) => fromMinor(minor, content.currency)
  const words = tradeInvoiceWords(locale)
  const rounded = content.lines.filter(line => line.rounding !== 0)
  return tradeInvoicePaper({
    title: content.kind === 'credit' ? words.credit : words.invoice,
    number: content.invoice_no,
    mark: mark === null ? null : words[mark],
    facts: [
      [words.date, content.issued_on],
      [words.courier, agentName(content.agent_code)],
      [words.destination, content.country],
      [words.terms, [content.terms, content.terms_place].filter(Boolean).join(' ')],
      [words.currency, content.currency],
      ...(content.credits_no === null ? [] : [[words.credits, content.credits_no] as const]),
      ...(content.reason === '' ? [] : [[words.reason, content.reason] as const]),
    ],
    parties: [
      { title: words.exporter, lines: partyLines(content.exporter, words) },
      { title: words.importer, lines: partyLines(content.importer, words) },
    ],
    lines: content.lines.map(line => ({
      cells: [
        String(line.position),
        line.sku === null || line.sku === '' ? line.description : `${line.sku} · ${line.description}`,
        line.hs_code,
        line.origin,
        String(line.quantity),
        unitValue(line.value, line.quantity, content.currency),
        money(line.value),
        kilograms(line.net_g),
        kilograms(line.gross_g),
      ],
    })),
    total: [
      String(content.parcels.length),
      kilograms(content.net_g),
      kilograms(content.gross_g),
      `${money(content.total)} ${content.currency}`,
    ],
    notes: [
      ...content.rates.map(rate => `${words.rate}: 1 ${rate.from} = ${rate.rate} ${rate.to}`),
      ...rounded.map(line => `${words.rounding.replace('{amount}', money(line.rounding)).replace('{n}', String(line.position))}`),
      ...footer.split('\n').filter(line => line.trim() !== ''),
    ],
    parcels: content.parcels.map(parcel => [
      String(parcel.position),
      parcel.tracking_no ?? '',
      parcel.order_no ?? '',
      parcel.postcode,
      kilograms(parcel.gross_g),
      money(parcel.value),
    ]),
    sha256,
    words,
    language: locale.replace('_', '-'),
    at,
  })
}

function partyLines(party: InvoiceContent['importer'], words: { vat_no: string }): string[] {
  return [
    party.name,
    party.address1,
    party.address2,
    [party.postcode, party.city, party.country].filter(Boolean).join(' '),
    party.vat_no === '' ? '' : `${words.vat_no}: ${party.vat_no}`,
    party.eori === '' ? '' : `EORI: ${party.eori}`,
  ].filter(line => line !== '')
}

/** What is drawn: a frozen invoice, or with `draft` what the draft would be now. */
async function drawn({ db, now }: Context, id: number, draft: boolean): Promise<Drawn> {
  const invoice = await storedInvoice(db, id)
  if (invoice.state === 'draft' && draft) {
    const { content } = await calculatedDraft(db, invoice)
    return { content, footer: await invoiceFooter(db, invoice.company_id, content), sha256: null, mark: 'draft', at: now() }
  }
  mustBeFrozen(invoice)
  const content = await frozenContent(db, invoice)
  return {
    ...{ content, footer: await printedFooter(db, invoice, content), sha256: invoice.sha256, mark: null },
    at: new Date(invoice.frozen_at ?? invoice.created_at),
  }
}

const fileName = ({ content, mark }: Drawn, format: InvoiceFormat): string =>
  `invoice-${(content.invoice_no ?? mark ?? 'draft').replaceAll('/', '-')}.${format}`

const canonicalObject = (text: string): object => JSON.parse(text)

export async function invoiceFile(of: Drawn, format: InvoiceFormat): Promise<{ bytes: Uint8Array; media_type: string; name: string }> {
  const bytes =
    format === 'pdf'
      ? await invoicePdf(of)
      : format === 'csv'
        ? invoiceCsv(of.content)
        : Buffer.from(JSON.stringify({ ...canonicalObject(canonicalInvoice(of.content)), sha256: of.sha256 }, null, 2))
  return { bytes, media_type: mediaTypes[format], name: fileName(of, format) }
}

export async function downloadInvoice(
  outside: ExternalContext,
  { id, format, draft }: { id: number; format: InvoiceFormat; draft: boolean },
): Promise<FileAnswer> {
  const of = await outside.transaction(context => drawn(context, id, draft))
  if (of.mark === 'draft' && format !== 'pdf') throw conflict('not_frozen', 'Freeze the invoice first')
  if (of.sha256 !== null) outside.setHeader('pakhus-sha256', of.sha256)
  return { ...(await invoiceFile(of, format)), ...(format === 'pdf' && { inline: true }) }
}

export async function printInvoice(
  outside: ExternalContext,
  { invoice_id, printer_id, copies, client_id }: { invoice_id: number; printer_id: number; copies: number; client_id?: string | undefined },
): Promise<PrintJob> {
  const { services, scope, transaction } = outside
  const { of, company_id } = await transaction(async context => ({
    of: await drawn(context, invoice_id, false),
    company_id: (await storedInvoice(context.db, invoice_id)).company_id,
  }))
  const { bytes, name } = await invoiceFile(of, 'pdf')
  const stored = await services.files.put(scope.operator_id, bytes)
  const jobs = await transaction(async inside => {
    const file_id = await recordFile(inside.db, stored, { media_type: 'application/pdf', name, company_id })
    const queued: number[] = []
    for (let copy = 1; copy <= copies; copy++)
      queued.push(
        await queuePrint(inside, {
          printer_id,
          document: 'invoice',
          title: of.content.invoice_no ?? '',
          file_id,
          format: 'pdf',
          paper: 'a4',
          paper_required: true,
          company_id,
          client_id: copy === 1 ? client_id : undefined,
          idempotency_key: `invoice:${invoice_id}:${printer_id}:${client_id ?? ''}:${copy}`,
        }),
      )
    return queued
  })
  const [first = 0, ...others] = jobs
  const sent = await sendPrint(outside, first)
  for (const job of others) await sendPrint(outside, job)
  return sent
}
