/** Handlers of a return's page: history, and the label that its customer got. */
import { conflict, orNotFound } from '#contract/errors.ts'
import { pageOffset } from '#contract/page.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { staffNamesFor } from '#features/orders/orders/staff-names.server.ts'
import { queuePrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import { printJobById } from '#features/printing/print-jobs/print-jobs.queries.ts'
import { sendPrint } from '#features/printing/print-jobs/send-prints.task.ts'
import { labelOfReturn, type ReturnLabel } from '#features/returns/returns/return-label.commands.ts'
import { noReturn } from '#features/returns/returns/return-rows.commands.ts'
import { labelRefusals } from '#features/returns/returns/returns.codes.ts'
import { reprintLabel } from '#features/shipping/labels/reprint-label.server.ts'
import { putBackLabel } from '#integrations/printers/put-back-label.ts'
import type { Db } from '#platform/database/database.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { translatorFor } from '#platform/http/translations.ts'
import { returnPage } from './return-page.contract.ts'
import { returnPageSchemas } from './return-page.schemas.ts'
import { timelineOfReturn } from './return-timeline.queries.ts'

async function returnRow(db: Db, id: number) {
  const row = await db.selectFrom('returns').select('arrived_at').where('id', '=', id).executeTakeFirst()
  return orNotFound(row, 'return_not_found', noReturn)
}

async function labelNow(db: Db, id: number): Promise<ReturnLabel & { is_open: boolean }> {
  const { arrived_at } = await returnRow(db, id)
  const label = await labelOfReturn(db, id)
  return { ...label, is_open: label.state === 'ready' && arrived_at === null }
}

/** @throws {AppError} 404; 409 label_gone, return_label_not_offered */
async function openLabel(db: Db, id: number) {
  const { state, is_open, shipment_id, file_id } = await labelNow(db, id)
  if (state === 'none') throw conflict('return_label_not_offered', labelRefusals.notOffered)
  const file = await db
    .selectFrom('files')
    .select(['sha256', 'bytes', 'media_type', 'name'])
    .where('id', '=', file_id ?? 0)
    .where('erased_at', 'is', null)
    .executeTakeFirst()
  if (!is_open || shipment_id === null || !file) throw conflict('label_gone', labelRefusals.gone)
  return { shipment_id, file }
}

/** What stands on the put-back label of a restocked item. @throws {AppError} 404; 409 put_back_none */
async function putBackOf(db: Db, return_id: number, item_id: number) {
  const item = orNotFound(
    await db
      .selectFrom('return_items as i')
      .innerJoin('returns as r', 'r.id', 'i.return_id')
      .leftJoin('order_lines as l', 'l.id', 'i.order_line_id')
      .select(['i.name', 'i.sku', 'i.bin', 'i.condition', 'i.put_back_id', 'r.rma_no', 'l.barcode'])
      .where('i.id', '=', item_id)
      .where('i.return_id', '=', return_id)
      .executeTakeFirst(),
    'return_item_not_found',
    'There is no such item in this return.',
  )
  if (item.put_back_id === null) throw conflict('put_back_none', 'This item does not go back into a bin.')
  const { barcode, put_back_id: _task, ...label } = item
  return { ...label, code: barcode || label.sku }
}

/** The label of a put-back: where the piece goes. */
export async function printPutBack(
  outside: ExternalContext,
  { id, item_id, printer_id, client_id }: { id: number; item_id: number; printer_id: number; client_id: string },
) {
  const { services, scope, transaction, now } = outside
  const { label, of } = await transaction(async ({ db }) => {
    const { company_id, order_id } = orNotFound(
      await db.selectFrom('returns').select(['company_id', 'order_id']).where('id', '=', id).executeTakeFirst(),
      'return_not_found',
      noReturn,
    )
    const label = await putBackOf(db, id, item_id)
    const t = await translatorFor((await companySettings(db, company_id)).locale)
    return {
      label: { ...label, words: { title: t('Put back'), no_bin: t('No bin') }, at: now() },
      of: { company_id, ...(order_id !== null && { order_id }) },
    }
  })
  const stored = await services.files.put(scope.operator_id, await putBackLabel(label))
  const job = await transaction(async context =>
    queuePrint(context, {
      ...{ printer_id, client_id, ...of },
      ...{ document: 'put_back', title: `${label.words.title} ${label.rma_no}`, format: 'pdf', paper: 'label' },
      file_id: await recordFile(context.db, stored, { media_type: 'application/pdf', name: `put-back-${label.rma_no}.pdf`, ...of }),
      idempotency_key: `put_back:${item_id}:${client_id}`,
    }),
  )
  const { state } = await sendPrint(outside, job)
  return { print_job_id: job, state }
}

export const returnPageServer = implement(returnPage, returnPageSchemas, {
  async timeline({ id, page, limit }, context) {
    const { db, scope } = context
    await returnRow(db, id)
    return timelineOfReturn(db, scope, id, { staff: await staffNamesFor(context), offset: pageOffset({ page, limit }), limit })
  },

  async labelState({ id }, { db }) {
    const { state, tracking_no, is_open } = await labelNow(db, id)
    return { state, tracking_no, is_open }
  },

  label: ({ id }, outside) =>
    outside.transaction(async ({ db }) => {
      const { file } = await openLabel(db, id)
      return { bytes: file, media_type: file.media_type, name: file.name, inline: true }
    }),

  printPutBack: ({ id, item_id, printer_id, body: { client_id } }, outside) =>
    printPutBack(outside, { id, item_id, printer_id, client_id }),

  async printLabel({ id, printer_id, body: { client_id } }, outside) {
    const { shipment_id } = await outside.transaction(({ db }) => openLabel(db, id))
    const print_job_id = await reprintLabel(outside, shipment_id, printer_id, client_id)
    const job = await outside.transaction(async ({ db }) =>
      orNotFound(await printJobById(db, print_job_id), 'print_job_not_found', 'Print job not found'),
    )
    return { print_job_id, state: job.state }
  },
})
