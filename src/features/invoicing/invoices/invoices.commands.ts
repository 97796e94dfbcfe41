/** Writing invoices: drafts, the one transaction that freezes them, and credits. A frozen row is only ever added. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { conflict, notFound, unprocessable } from '#contract/errors.ts'
import { companyById } from '#features/company/companies/companies.queries.ts'
import { localDay } from '#features/company/companies/local-day.server.ts'
import { activeConfig, type OwnedConfig } from '#features/invoicing/bulk-invoicing/bulk-invoicing.queries.ts'
import { mustBeCourier } from '#integrations/couriers/couriers.ts'
import type { Db } from '#platform/database/database.ts'
import { nextNumber } from '#platform/database/number-series.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { type Calculated, calculate, draftInFull, previewInFull, todayOf } from './drafts.queries.ts'
import { canonicalInvoice, type InvoiceContent, invoiceNo } from './invoice-content.rules.ts'
import { queueInvoiceMails } from './invoice-mails.commands.ts'
import { mostParcels, yearsKept } from './invoices.codes.ts'
import { frozenContent, frozenInFull, invoiceFooter, type StoredInvoice, storedInvoice } from './invoices.queries.ts'
import type { CreditFields, InvoiceInFull, NewInvoice } from './invoices.schemas.ts'
import { parcelFacts } from './parcels.queries.ts'
import { dequeueParcels, enqueueParcels } from './queue.commands.ts'
import { parcelsOnLists, readyParcels } from './waiting-orders.queries.ts'

interface Way {
  company_id: number
  agent_code: string
  country: string
}

async function mustBeActive(db: Db, way: Way, lock = false): Promise<OwnedConfig> {
  const config = await activeConfig(db, way, lock)
  if (!config)
    throw conflict('no_config', 'Bulk invoicing is off for {{courier}} to {{country}}', {
      courier: mustBeCourier(way.agent_code).capabilities.name,
      country: way.country,
    })
  return config
}

/** The company whose parcels are invoiced: the caller's own unless another one in reach is named. */
function companyOf({ principal, scope }: Context, company_id: number | undefined): number {
  const id = company_id ?? principal.company.id
  if (!scope.companies.includes(id)) throw notFound('company_not_found', 'Company not found')
  return id
}

async function chosenParcels(db: Db, way: Way, body: NewInvoice): Promise<number[]> {
  if (body.collect_list_ids) return parcelsOnLists(db, way, body.collect_list_ids)
  if (body.all) return readyParcels(db, way, mostParcels)
  const ids = [...new Set(body.shipment_ids)].toSorted((one, other) => one - other)
  const known = await parcelFacts(db, ids)
  if (known.length < ids.length) throw notFound('shipment_not_found', 'Shipment not found')
  return ids
}

export async function createInvoice(
  context: Context,
  { courier, country, body }: { courier: string; country: string; body: NewInvoice },
): Promise<InvoiceInFull> {
  const { db, now, principal, recordEvent, notify } = context
  mustBeCourier(courier)
  const way = { company_id: companyOf(context, body.company_id), agent_code: courier, country }
  if (body.client_id !== undefined) {
    const same = await db
      .selectFrom('trade_invoices')
      .select('id')
      .where('company_id', '=', way.company_id)
      .where('client_id', '=', body.client_id)
      .executeTakeFirst()
    if (same) return invoiceInFull(context, same.id)
  }
  const config = await mustBeActive(db, way, true)
  const plan = {
    shipment_ids: await chosenParcels(db, way, body),
    collect_list_ids: body.collect_list_ids ?? [],
    issued_on: body.issued_on ?? (await todayOf(db, way.company_id, now())),
  }
  const calculated = await calculate(db, config, plan)
  if (body.preview) {
    const { name } = await companyById(db, way.company_id)
    return previewInFull(config, name, calculated, now().toISOString())
  }
  if (plan.shipment_ids.length === 0) throw conflict('no_parcel_waits', 'No parcel waits for an invoice here')
  const { content } = calculated
  const made = await db
    .insertInto('trade_invoices')
    .values({
      ...way,
      config_id: config.config_id,
      state: 'draft',
      ...plan,
      currency: config.currency,
      locale: config.locale,
      parcel_count: content.parcels.length,
      line_count: content.lines.length,
      total: content.total,
      client_id: body.client_id ?? null,
      created_by_name: principal.name,
    })
    .onConflict(of => of.columns(['operator_id', 'company_id', 'client_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  // The same request at the same time.
  if (!made) throw conflict('busy', 'Someone else is changing this right now. Try again.')
  await recordEvent({
    kind: 'invoice.drafted',
    ...subject(way.company_id, made.id),
    data: { agent_code: courier, country, parcels: content.parcels.length },
  })
  notify('invoice', made.id, way.company_id)
  if (body.freeze) return freeze(context, await storedInvoice(db, made.id, true))
  return draftInFull(db, await storedInvoice(db, made.id), calculated, 1)
}

const subject = (company_id: number, id: number) => ({ company_id, subject: 'invoice', subject_id: id })

export async function invoiceInFull({ db }: Context, id: number, parcels_page = 1): Promise<InvoiceInFull> {
  const stored = await storedInvoice(db, id)
  if (stored.state !== 'draft') return frozenInFull(db, stored, parcels_page)
  return draftInFull(db, stored, await calculatedDraft(db, stored), parcels_page)
}

/** A draft by its configuration as it is now. */
export async function calculatedDraft(db: Db, draft: StoredInvoice): Promise<Calculated> {
  return calculate(db, await mustBeActive(db, draft), draft)
}

/** Locks parcels in the order of their ids: of two invoices with the same parcel the second waits, and then sees the first. */
const takeParcels = (db: Db, ids: readonly number[]) =>
  db.selectFrom('shipments').select('id').where('id', '=', sql<number>`any(${ids})`).orderBy('id').forNoKeyUpdate().execute()

export async function freezeDraft(
  context: Context,
  id: number,
  { version, fingerprint }: { version: number; fingerprint?: string | undefined },
): Promise<InvoiceInFull> {
  const stored = await storedInvoice(context.db, id, true)
  // The answer was lost, and the same is asked again.
  if (stored.state !== 'draft') return frozenInFull(context.db, stored, 1)
  if (stored.version !== version)
    throw conflict(
      'settings_changed',
      'Someone else changed this. Check the saved version.',
      {},
      { current: await invoiceInFull(context, id) },
    )
  return freeze(context, stored, fingerprint)
}

/** Checks a locked draft once more over locked parcels, and writes it under the next number. */
async function freeze(context: Context, draft: StoredInvoice, fingerprint?: string): Promise<InvoiceInFull> {
  const { db, principal } = context
  const config = await mustBeActive(db, draft, true)
  await takeParcels(db, draft.shipment_ids)
  const calculated = await calculate(db, config, draft)
  const { content, checks } = calculated
  const current = () => draftInFull(db, draft, calculated, 1)
  const twice = checks.find(check => check.code === 'twice' && check.level === 'error')
  if (twice)
    throw conflict(
      'already_invoiced',
      'Parcel {{parcel}} is on invoice {{invoice}} already',
      { parcel: twice.parcels[0]?.tracking_no ?? '', invoice: twice.values.invoice ?? '' },
      { current: await current() },
    )
  if (checks.some(check => check.level === 'error'))
    throw unprocessable('invoice_incomplete', 'The invoice has errors. Look at its checks.', {}, { current: await current() })
  if (fingerprint !== undefined && fingerprint !== calculated.fingerprint)
    throw conflict('invoice_changed', 'It changed since you looked at it. Look at it again.', {}, { current: await current() })
  await writeRows(db, draft, content, true)
  await dequeueParcels(
    context,
    content.parcels.map(parcel => parcel.shipment_id),
  )
  await db.deleteFrom('trade_invoices').where('id', '=', draft.id).where('state', '=', 'draft').execute()
  await writeFrozen(context, draft.id, {
    content,
    series: config.series,
    more: {
      company_id: draft.company_id,
      config_id: config.config_id,
      collect_list_ids: draft.collect_list_ids,
      client_id: draft.client_id,
      created_by_name: draft.created_by_name,
      created_at: draft.created_at,
      replaces_id: draft.replaces_id,
    },
  })
  if (config.when === 'freeze' && config.emails.length > 0)
    await queueInvoiceMails(context, draft, { emails: config.emails, formats: config.formats, subject: config.subject, by: principal.name })
  const frozen = await storedInvoice(db, draft.id)
  await context.recordEvent({
    kind: 'invoice.frozen',
    ...subject(draft.company_id, draft.id),
    data: { invoice_no: frozen.invoice_no ?? '', parcels: frozen.parcel_count },
  })
  context.notify('invoice', draft.id, draft.company_id)
  return frozenInFull(db, frozen, 1)
}

/** In steps, so that no statement carries more than some thousand rows. */
async function writeRows(
  db: Db,
  { company_id, id }: { company_id: number; id: number },
  content: InvoiceContent,
  live: boolean,
): Promise<void> {
  const shared = { company_id, invoice_id: id }
  await sql`insert into trade_invoice_lines
      (company_id, invoice_id, position, hs_code, origin, sku, description, quantity, value, net_g, gross_g, rounding, parcels)
    select ${shared.company_id}::bigint, ${shared.invoice_id}::bigint, l.* from jsonb_to_recordset(${JSON.stringify(content.lines)}::jsonb) as l(
      position integer, hs_code text, origin text, sku text, description text, quantity integer, value bigint, net_g bigint, gross_g bigint,
      rounding bigint, parcels integer)`.execute(db)
  await sql`insert into trade_invoice_parcels
      (company_id, invoice_id, live, position, shipment_id, order_id, order_no, tracking_no, postcode, value, net_g, gross_g)
    select ${shared.company_id}::bigint, ${shared.invoice_id}::bigint, ${live}::boolean, p.* from jsonb_to_recordset(${JSON.stringify(content.parcels)}::jsonb)
      as p(position integer, shipment_id bigint, order_id bigint, order_no text, tracking_no text, postcode text, value bigint, net_g bigint,
      gross_g bigint)`.execute(db)
}

interface Frozen {
  content: InvoiceContent
  series: string
  more: {
    company_id: number
    config_id: number | null
    collect_list_ids: number[]
    client_id?: string | null
    created_by_name?: string
    created_at?: string
    credits_id?: number
    replaces_id?: number | null
    reason?: string
  }
}

/** Takes the next number of company and year, as late as can be: from here on other freezes of the company wait. */
async function writeFrozen(context: Context, id: number | undefined, { content, series, more }: Frozen): Promise<number> {
  const { db, now, principal } = context
  const { settings } = await companyById(db, more.company_id)
  const at = now()
  const year = Number(localDay(at, settings.time_zone).slice(0, 4))
  const footer = await invoiceFooter(db, more.company_id, content)
  const number = await nextNumber(db, more.company_id, `invoice:${series}:${year}`)
  const invoice_no = invoiceNo(series, year, number)
  const {
    lines,
    parcels,
    rates,
    importer,
    exporter,
    credits_no: _,
    invoice_no: _draft,
    kind,
    agent_code,
    country,
    reason,
    ...facts
  } = content
  const { id: made } = await db
    .insertInto('trade_invoices')
    .values({
      ...(id !== undefined && { id }),
      ...more,
      ...facts,
      ...{ agent_code, country, reason, series, year, number, invoice_no, footer },
      kind: kind === 'credit' ? 'credit' : 'invoice',
      state: 'frozen',
      importer: JSON.stringify(importer),
      exporter: JSON.stringify(exporter),
      rates: JSON.stringify(rates),
      line_count: lines.length,
      parcel_count: parcels.length,
      sha256: createHash('sha256')
        .update(canonicalInvoice({ ...content, invoice_no }))
        .digest('hex'),
      kept_until: `${year + yearsKept}-12-31`,
      frozen_by_name: principal.name,
      created_by_name: more.created_by_name ?? principal.name,
      frozen_at: at.toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made
}

export async function removeDraft({ db, recordEvent, notify }: Context, id: number): Promise<void> {
  const row = await db.selectFrom('trade_invoices').select(['company_id', 'state']).where('id', '=', id).executeTakeFirst()
  if (!row) return
  if (row.state !== 'draft') throw conflict('invoice_frozen', 'A frozen invoice stays. Credit it instead.')
  await db.deleteFrom('trade_invoices').where('id', '=', id).where('state', '=', 'draft').execute()
  await recordEvent({ kind: 'invoice.draft_removed', ...subject(row.company_id, id) })
  notify('invoice', id, row.company_id)
}

const negative = (value: number): number => (value === 0 ? 0 : -value)

/** The same lines and parcels with the opposite sign. */
function credited(content: InvoiceContent, reason: string): InvoiceContent {
  const turned = <T extends { value: number; net_g: number; gross_g: number }>(row: T): T => ({
    ...row,
    value: negative(row.value),
    net_g: negative(row.net_g),
    gross_g: negative(row.gross_g),
  })
  return {
    ...content,
    ...{ kind: 'credit', credits_no: content.invoice_no, reason },
    ...{ total: negative(content.total), rounding: negative(content.rounding) },
    ...{ net_g: negative(content.net_g), gross_g: negative(content.gross_g) },
    lines: content.lines.map(line => ({ ...turned(line), quantity: negative(line.quantity), rounding: negative(line.rounding) })),
    parcels: content.parcels.map(turned),
  }
}

export async function creditInvoice(
  context: Context,
  id: number,
  { reason, freeze_anew, without, version }: CreditFields,
): Promise<{ credit: InvoiceInFull; replacement: InvoiceInFull | null }> {
  const { db, now, principal, recordEvent, notify } = context
  const stored = await storedInvoice(db, id, true)
  if (stored.state === 'draft') throw conflict('not_frozen', 'Freeze the invoice first')
  if (stored.kind === 'credit') throw conflict('credit_is_final', 'A credit is not credited again')
  if (stored.state === 'credited') {
    // The answer was lost, and the same is asked again.
    const known = await db.selectFrom('trade_invoices').select(['id', 'reason']).where('credits_id', '=', id).executeTakeFirstOrThrow()
    if (known.reason !== reason) throw conflict('invoice_credited', 'This invoice is credited already')
    const next = await db.selectFrom('trade_invoices').select('id').where('replaces_id', '=', id).orderBy('id').executeTakeFirst()
    return { credit: await invoiceInFull(context, known.id), replacement: next ? await invoiceInFull(context, next.id) : null }
  }
  if (version !== undefined && stored.version !== version)
    throw conflict(
      'settings_changed',
      'Someone else changed this. Check the saved version.',
      {},
      { current: await invoiceInFull(context, id) },
    )
  const content = await frozenContent(db, stored)
  const ids = content.parcels.map(parcel => parcel.shipment_id)
  await takeParcels(db, ids)
  const { company_id, config_id, collect_list_ids } = stored
  const turned = { ...credited(content, reason), issued_on: await todayOf(db, company_id, now()) }
  await db.updateTable('trade_invoice_parcels').set({ live: false }).where('invoice_id', '=', id).execute()
  await db
    .updateTable('trade_invoices')
    .set({ state: 'credited', version: stored.version + 1 })
    .where('id', '=', id)
    .execute()
  const credit_id = await writeFrozen(context, undefined, {
    content: turned,
    series: stored.series,
    more: { company_id, config_id, collect_list_ids, credits_id: id },
  })
  await writeRows(db, { company_id, id: credit_id }, turned, false)
  await enqueueParcels(context, ids)
  const replacement = freeze_anew ? await freezeAnew(context, stored, ids, without) : null
  await recordEvent({
    kind: 'invoice.credited',
    ...subject(company_id, id),
    data: { invoice_no: stored.invoice_no ?? '', credit_no: (await storedInvoice(db, credit_id)).invoice_no ?? '', by: principal.name },
  })
  for (const one of [id, credit_id]) notify('invoice', one, company_id)
  return { credit: await invoiceInFull(context, credit_id), replacement }
}

/** The invoice once more, of the parcels that are still there. */
async function freezeAnew(
  context: Context,
  stored: StoredInvoice,
  ids: readonly number[],
  without: readonly number[],
): Promise<InvoiceInFull> {
  const { db, now, principal } = context
  const left = new Set(without)
  const facts = await parcelFacts(db, ids)
  const shipment_ids = facts
    .filter(parcel => parcel.booked && !parcel.skipped && !left.has(parcel.shipment_id))
    .map(parcel => parcel.shipment_id)
  if (shipment_ids.length === 0) throw conflict('no_parcel_left', 'No parcel is left for a new invoice')
  const config = await mustBeActive(db, stored, true)
  const { id } = await db
    .insertInto('trade_invoices')
    .values({
      ...{ company_id: stored.company_id, agent_code: stored.agent_code, country: stored.country },
      ...{ config_id: config.config_id, state: 'draft', shipment_ids, collect_list_ids: [], currency: config.currency },
      issued_on: await todayOf(db, stored.company_id, now()),
      replaces_id: stored.id,
      created_by_name: principal.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return freeze(context, await storedInvoice(db, id, true))
}

export const mustBeFrozen = (invoice: StoredInvoice): void => {
  if (invoice.state === 'draft') throw conflict('not_frozen', 'Freeze the invoice first')
}

export async function invoiceToSend(db: Db, id: number): Promise<StoredInvoice> {
  const invoice = await storedInvoice(db, id, true)
  mustBeFrozen(invoice)
  return invoice
}
