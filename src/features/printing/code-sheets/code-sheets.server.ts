/** Code sheets: drawing them and printing them. */
import { randomUUID } from 'node:crypto'
import { conflict, notFound } from '#contract/errors.ts'
import { queuePrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import { sendPrint } from '#features/printing/print-jobs/send-prints.task.ts'
import { codeSheet, type SheetCode } from '#integrations/printers/code-sheet.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { type ExternalContext, implement } from '#platform/http/feature-module.ts'
import { codeSheets } from './code-sheets.contract.ts'
import { meantOrders } from './code-sheets.queries.ts'
import { type CodeSheet, codeSheetsSchemas } from './code-sheets.schemas.ts'

const fileName = 'codes.pdf'

export const codeSheetsServer = implement(codeSheets, codeSheetsSchemas, {
  async draw({ body }, context) {
    return { bytes: await drawn(context, body), media_type: 'application/pdf', name: fileName, inline: true }
  },

  async print({ printer_id, body }, context) {
    const { services, scope, transaction } = context
    const bytes = await drawn(context, body)
    const stored = await services.files.put(scope.operator_id, bytes)
    const id = await transaction(async inside =>
      queuePrint(inside, {
        printer_id,
        document: 'sheet',
        title: body.title,
        file_id: await recordFile(inside.db, stored, { media_type: 'application/pdf', name: fileName }),
        format: 'pdf',
        paper: 'a4',
        company_id: scope.company_id,
        idempotency_key: `sheet:${randomUUID()}`,
      }),
    )
    return sendPrint(context, id)
  },
})

async function drawn({ transaction, now }: ExternalContext, sheet: CodeSheet): Promise<Uint8Array> {
  const texts = [...new Set(sheet.orders)]
  const meant = texts.length === 0 ? [] : await transaction(({ db }) => meantOrders(db, texts))
  const unknown = texts.filter((_, i) => meant[i]?.length === 0)
  if (unknown.length > 0) throw notFound('orders_not_found', 'There is no order {{orders}}', { orders: unknown.slice(0, 5).join(', ') })
  const several = texts.find((_, i) => (meant[i]?.length ?? 0) > 1)
  if (several)
    throw conflict('order_number_ambiguous', 'Several orders have the number {{order}}. Write the order code instead.', { order: several })
  const orders = [...new Map(meant.flat().map(order => [order.id, order])).values()]
  const codes: SheetCode[] = [
    ...sheet.commands.map(({ command, caption, note }) => ({ code: `CMD:${command}`, caption, note, as: 'qr' as const })),
    ...orders.map(({ company_id, id, order_no, customer_name }) => ({
      code: `${company_id}:${id}`,
      caption: order_no,
      note: customer_name,
      as: sheet.orders_as,
    })),
  ]
  return codeSheet({ title: sheet.title, codes, at: now() })
}
