/** Papers of an order: drawn from what is stored now, printed or answered as a file. */
import { randomUUID } from 'node:crypto'
import { orNotFound } from '#contract/errors.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { homepageFor } from '#features/company/companies/companies.rules.ts'
import type { CompanySettings } from '#features/company/companies/companies.schemas.ts'
import { orderById } from '#features/orders/orders/orders.queries.ts'
import type { Order } from '#features/orders/orders/orders.schemas.ts'
import { queuePrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import { sendPrint } from '#features/printing/print-jobs/send-prints.task.ts'
import { type DispatchNote, drawDispatchNote } from '#integrations/printers/documents.ts'
import { orderSheetWords, packingSlipWords } from '#integrations/printers/order-paper.labels.ts'
import { drawOrderSheet, type OrderSheet } from '#integrations/printers/order-sheet.ts'
import { finished, sheet } from '#integrations/printers/paper.ts'
import { localeOf } from '#integrations/printers/pick-list.labels.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import type { OrderDocument } from './order-papers.codes.ts'
import { orderPapers } from './order-papers.contract.ts'
import { orderPapersSchemas } from './order-papers.schemas.ts'

export const orderPapersServer = implement(orderPapers, orderPapersSchemas, {
  async print({ id, printer, document, locale, client_id }, outside) {
    const read = await readOrder(outside, id)
    const { order } = read
    const print_jobs = []
    // Each is a paper of its own, so that a station's printer for packing slips takes the slip alone.
    for (const one of document === 'both' ? (['sheet', 'slip'] as const) : [document]) {
      const stored = await outside.services.files.put(outside.scope.operator_id, await drawn(outside, read, one, locale))
      const job = await outside.transaction(async inside => {
        const file_id = await recordFile(inside.db, stored, {
          media_type: 'application/pdf',
          name: `${order.order_no}.pdf`,
          company_id: order.company_id,
          order_id: id,
        })
        return queuePrint(inside, {
          printer_id: printer,
          document: one,
          title: order.order_no,
          file_id,
          format: 'pdf',
          paper: 'a4',
          paper_required: true,
          order_id: id,
          company_id: order.company_id,
          client_id,
          idempotency_key: `order_${one}:${id}:${client_id ?? randomUUID()}`,
        })
      })
      print_jobs.push(await sendPrint(outside, job))
    }
    return { print_jobs }
  },

  async download({ id, document, locale }, outside) {
    const read = await readOrder(outside, id)
    const bytes = await drawn(outside, read, document, locale)
    return { bytes, media_type: 'application/pdf', name: `${read.order.order_no}.pdf`, inline: true }
  },
})

/** The packing slip of an order as it is now, in the language of its customer. */
export const packingSlip = async (outside: ExternalContext, order_id: number): Promise<Uint8Array> =>
  drawn(outside, await readOrder(outside, order_id), 'slip', undefined)

interface Read {
  order: Order
  settings: CompanySettings
  company: string
  logo: string | null
}

async function readOrder({ transaction }: ExternalContext, id: number): Promise<Read> {
  return transaction(async ({ db, principal }) => {
    const order = orNotFound(await orderById(db, id, principal.permissions), 'order_not_found', 'Order not found')
    const settings = await companySettings(db, order.company_id)
    const { name } = await db.selectFrom('companies').select('name').where('id', '=', order.company_id).executeTakeFirstOrThrow()
    const logo =
      settings.logo_file_id === null
        ? undefined
        : await db.selectFrom('files').select('sha256').where('id', '=', settings.logo_file_id).executeTakeFirst()
    return { order, settings, company: name, logo: logo?.sha256 ?? null }
  })
}

async function drawn(outside: ExternalContext, read: Read, document: OrderDocument, asked: string | undefined): Promise<Uint8Array> {
  const { order, settings } = read
  const locale = localeOf(asked ?? settings.locale)
  const page = sheet({ size: [210, 297], title: order.order_no, at: outside.now(), language: locale.replace('_', '-') })
  if (document !== 'slip') drawOrderSheet(page, orderSheetOf(read, locale))
  if (document === 'both') page.addPage()
  if (document !== 'sheet') drawDispatchNote(page, await packingSlipOf(outside, read))
  return finished(page)
}

/** Its own number, and those of the orders that go in its parcel. */
const numbersOf = ({ order_no, relations }: Order): string =>
  [order_no, ...relations.filter(one => one.relation === 'combines').map(one => one.order_no)].join(', ')

const addressLines = ({ ship_to }: Order): string[] =>
  [
    ship_to.name,
    ship_to.company,
    ship_to.attention,
    ship_to.address1,
    ship_to.address2,
    `${ship_to.postcode} ${ship_to.city}`.trim(),
    ship_to.country,
  ].filter((line): line is string => line !== null && line !== '')

/** A part of a bundle with the name of what was bought. */
function nameOf({ name, variant, part_of }: Order['lines'][number], order: Order): string {
  const bundle = order.lines.find(line => line.order_item_id === part_of)
  return [name, variant].filter(Boolean).join(', ') + (bundle ? ` (${bundle.name})` : '')
}

function orderSheetOf({ order, settings, company }: Read, locale: ReturnType<typeof localeOf>): OrderSheet {
  const words = orderSheetWords(locale)
  const language = locale.replace('_', '-')
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: settings.time_zone })
  const goods = order.lines.filter(line => line.type === 'item' && line.requires_shipping)
  const facts: (readonly [string, string])[] = [
    [words.ordered, time.format(new Date(order.ordered_at))],
    [words.ship_by, order.ship_by === null ? '–' : time.format(new Date(order.ship_by))],
    [words.method, order.shipping_title ?? order.shipping_method ?? '–'],
    [words.phone, order.ship_to.phone ?? order.customer.phone ?? '–'],
    [words.items, String(order.item_count)],
    [words.weight, new Intl.NumberFormat(language, { style: 'unit', unit: 'kilogram' }).format(order.weight_g / 1_000)],
    ...(order.tags.length > 0 ? [[words.tags, order.tags.join(', ')] as const] : []),
    ...(order.parcels.length > 0 ? [[words.parcels, order.parcels.flatMap(parcel => parcel.tracking_no ?? []).join(', ')] as const] : []),
  ]
  return {
    company,
    order_no: numbersOf(order),
    order_code: order.order_code,
    ship_to: addressLines(order),
    facts,
    holds: order.locks.map(lock => [lock.reason, lock.note, lock.actor].filter(Boolean).join(' · ')),
    notes: order.comments.map(comment => comment.comment),
    lines: goods.map(line => ({
      bin: line.bin ?? '',
      sku: line.sku ?? '',
      name: nameOf(line, order),
      qty: line.qty - line.cancelled_qty,
      done: line.packed_qty,
    })),
    words,
  }
}

async function packingSlipOf({ services, scope, now }: ExternalContext, { order, settings, company, logo }: Read): Promise<DispatchNote> {
  const locale = localeOf(order.locale ?? settings.locale)
  const language = locale.replace('_', '-')
  const { sender } = settings
  return {
    company: {
      name: company,
      contact: [
        sender.address1,
        `${sender.postcode} ${sender.city}`.trim(),
        settings.support_phone,
        settings.support_email,
        homepageFor(settings, locale),
      ].filter(Boolean),
      logo: logo === null ? null : await services.files.get(scope.operator_id, logo).catch(() => null),
    },
    order_no: numbersOf(order),
    order_code: order.order_code,
    date: new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: settings.time_zone }).format(now()),
    ship_to: addressLines(order),
    lines: order.lines
      .filter(line => line.type === 'item' && line.requires_shipping && line.qty > line.cancelled_qty)
      .map(line => ({
        sku: line.sku ?? '',
        name: nameOf(line, order),
        qty: line.qty - line.cancelled_qty,
        // Before packing it says what will be in the box.
        packed: order.packed_at === null ? line.qty - line.cancelled_qty : line.packed_qty,
      })),
    note: null,
    language,
    words: packingSlipWords(locale),
    at: now(),
  }
}
