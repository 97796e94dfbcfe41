/** Paperless codes: handlers of the pool, and labels on paper. A changed code also changes the state of its wagon. */
import { randomUUID } from 'node:crypto'
import { AppError, conflict, orNotFound } from '#contract/errors.ts'
import { pageOffset } from '#contract/page.ts'
import { queuePrint } from '#features/printing/print-jobs/print-jobs.commands.ts'
import { sendPrint } from '#features/printing/print-jobs/send-prints.task.ts'
import {
  bindByHand,
  codeByDigits,
  codesOfBatch,
  findCode,
  loseCode,
  mustExist,
  newDigits,
  notePrinted,
  poolCounts,
  poolPage,
  removeCode,
} from '#features/warehouse/paperless/code-pool.commands.ts'
import { paperless, paperlessOrders } from '#features/warehouse/paperless/paperless.contract.ts'
import { codeText, orderOfCode, unknownCode, type WagonKey } from '#features/warehouse/paperless/paperless.queries.ts'
import {
  type CodeOptions,
  type CodeResult,
  paperlessOrdersSchemas,
  paperlessSchemas,
} from '#features/warehouse/paperless/paperless.schemas.ts'
import { freeCodesOfWagon, freeDone, type StillOpen } from '#features/warehouse/paperless/release-codes.commands.ts'
import { settleList } from '#features/warehouse/pick-lists/pick-lists.queries.ts'
import { toteLabels } from '#integrations/printers/tote-labels.ts'
import { recordFile } from '#platform/files/file-store.ts'
import { csv } from '#platform/http/csv.ts'
import { type Context, type ExternalContext, implement } from '#platform/http/feature-module.ts'

/** A preview shows so many labels; the paper has them all. */
const previewed = 21

export const paperlessServer = implement(paperless, paperlessSchemas, {
  async mapping({ page, limit, ...question }, { db }) {
    const offset = pageOffset({ page, limit })
    const rows = await poolPage(db, question, { offset, limit })
    const pool = await poolCounts(db)
    return { ...rows, ...pool, offset, limit }
  },

  one: ({ id }, { db }) => codeByDigits(db, id),

  async preview({ body }, outside) {
    const digits = await outside.transaction(async ({ db }) => {
      if (!body.digits) return newDigits(db, body)
      await mustExist(db, body.digits)
      return body.digits
    })
    return { bytes: await drawn(outside, body, digits.slice(0, previewed)), media_type: 'application/pdf', name: fileName, inline: true }
  },

  async download({ body: { key, ...body } }, outside) {
    const digits = await made(outside, body, key ?? randomUUID())
    const bytes = await drawn(outside, body, digits)
    await outside.transaction(context => notePrinted(context, digits, context.now()))
    return { bytes, media_type: 'application/pdf', name: fileName }
  },

  async print({ printer_id, body: { key = randomUUID(), ...body } }, outside) {
    const { services, scope, transaction } = outside
    const digits = await made(outside, body, key)
    const bytes = await drawn(outside, body, digits)
    const stored = await services.files.put(scope.operator_id, bytes)
    const print_id = await transaction(async context => {
      await notePrinted(context, digits, context.now())
      return queuePrint(context, {
        printer_id,
        document: 'sheet',
        title: titleOf(digits),
        file_id: await recordFile(context.db, stored, { media_type: 'application/pdf', name: fileName }),
        format: 'pdf',
        paper: body.size === 'label' ? 'label' : 'a4',
        company_id: scope.company_id,
        idempotency_key: `paperless:${key}:${printer_id}`,
      })
    })
    return { ...(await sendPrint(outside, print_id)), digits }
  },

  async release({ x, y }, context) {
    const { db } = context
    orNotFound(
      await db.selectFrom('pick_wagons').select('wagon_no').where('pick_list_id', '=', x).where('wagon_no', '=', y).executeTakeFirst(),
      'wagon_not_found',
      'Wagon not found',
    )
    const { freed, open } = await freeCodesOfWagon(context, x, y)
    if (freed.length > 0) {
      await context.recordEvent({
        kind: 'pick_list.codes_released',
        subject: 'pick_list',
        subject_id: x,
        data: { wagon: y, codes: freed.map(codeText) },
      })
      await settleList(context, x, y)
    }
    return { freed, open }
  },

  lost: ({ body }, context) => each(body.codes, async digits => settle(context, await loseCode(context, digits, context.now()))),
  foundAgain: ({ body }, context) => each(body.codes, async digits => settle(context, await findCode(context, digits))),
  free: ({ body }, context) => each(body.codes, digits => freeByHand(context, digits, body)),
  remove: ({ body }, context) => each(body.codes, digits => removeCode(context, digits)),

  async bind({ id, body }, context) {
    await settle(context, await bindByHand(context, id, body.order))
    return codeByDigits(context.db, id)
  },

  async export(question, { db, now }) {
    const { rows } = await poolPage(db, question, { offset: 0, limit: 10_000 })
    const columns = ['code', 'state', 'pick_list', 'wagon', 'slot', 'order_no', 'company', 'station', 'since', 'printed_at'] as const
    const bytes = csv(
      columns,
      rows.map(row => [
        row.code,
        row.state,
        row.pick_list_id,
        row.wagon_no,
        row.slot_no,
        row.order?.order_no,
        row.order?.company,
        row.station,
        row.since,
        row.printed_at,
      ]),
    )
    return { bytes, media_type: 'text/csv; charset=utf-8', name: `paperless-${now().toISOString().slice(0, 10)}.csv` }
  },
})

export const paperlessOrdersServer = implement(paperlessOrders, paperlessOrdersSchemas, {
  async orderOf({ id }, { db, principal }) {
    const digits = id.replace(/^PP/i, '')
    if (!/^\d{1,20}$/.test(digits)) throw unknownCode(digits)
    const order_id = await orderOfCode({ db, principal }, digits)
    const order = await db
      .selectFrom('orders')
      .select(['id', 'company_id', 'order_no', 'phase'])
      .where('id', '=', order_id)
      .executeTakeFirst()
    return { ...orNotFound(order, 'order_not_found', 'Order not found'), digits }
  },
})

const settle = async (context: Context, wagon: WagonKey | null): Promise<void> => {
  if (wagon) await settleList(context, wagon.pick_list_id, wagon.wagon_no)
}

const fileName = 'paperless-codes.pdf'
const titleOf = (digits: readonly string[]): string =>
  digits.length === 1 ? codeText(digits[0] ?? '') : `${codeText(digits[0] ?? '')} – ${codeText(digits.at(-1) ?? '')}`

const made = (outside: ExternalContext, { count, first, digits }: CodeOptions, key: string): Promise<string[]> =>
  outside.transaction(context => codesOfBatch(context, { key, count, first, digits, user_id: context.principal.id, now: context.now() }))

const drawn = ({ now }: ExternalContext, { size, text, caption }: CodeOptions, digits: readonly string[]): Promise<Uint8Array> =>
  toteLabels({ codes: digits.map(codeText), size, text, caption, title: titleOf(digits), at: now() })

/** The same step for each code; one that is refused leaves the others alone. */
async function each(codes: readonly string[], step: (digits: string) => Promise<void>): Promise<{ results: CodeResult[] }> {
  const results: CodeResult[] = []
  // Always in the same order: two concurrent callers wait for each other instead of deadlocking.
  const inOrder = [...new Set(codes)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  for (const digits of inOrder) {
    try {
      await step(digits)
      results.push({ digits, done: true, message: null, key: null, values: {} })
    } catch (error) {
      // Refusals come before anything is written; whatever else goes wrong takes all of it back.
      if (!(error instanceof AppError)) throw error
      results.push({ digits, done: false, ...sentenceOf(error) })
    }
  }
  return { results }
}

const sentenceOf = (refusal: AppError) => ({
  message: refusal.message,
  key: refusal.key,
  values: Object.fromEntries(Object.entries(refusal.values).map(([name, value]) => [name, value ?? null])),
})

async function freeByHand(context: Context, digits: string, { even_open, note }: { even_open: boolean; note: string }): Promise<void> {
  const { db, recordEvent } = context
  const code = await codeByDigits(db, digits)
  if (code.state === 'free') throw conflict('tote_code_free', '{{code}} is free already', { code: code.code })
  if (code.state === 'lost')
    throw conflict('tote_code_lost', '{{code}} was reported lost. Mark it as found before it is used again.', { code: code.code })
  const { open } = await freeDone(context, [code.id], { even_open })
  if (open[0]) throw whyOpen(open[0])
  await recordEvent({
    kind: 'paperless.freed_by_hand',
    ...(code.order && { order_id: code.order.id, company_id: code.order.company_id }),
    subject: 'paperless_code',
    subject_id: code.id,
    data: { code: code.code, list: code.pick_list_id, wagon: code.wagon_no, note },
  })
  if (code.pick_list_id !== null && code.wagon_no !== null) await settleList(context, code.pick_list_id, code.wagon_no)
}

function whyOpen({ digits, order_no, station, put_backs, pick_list_id, wagon_no, slot_no }: StillOpen): AppError {
  const named = { code: codeText(digits), order_no }
  if (put_backs > 0)
    return conflict('tote_order_put_back_open', '{{code}}: items of order {{order_no}} have to go back into their bins first', named)
  if (station !== null)
    return conflict('tote_order_at_station', '{{code}}: order {{order_no}} is open at {{station}}', { ...named, station })
  if (pick_list_id === null) return conflict('tote_order_open', '{{code}}: order {{order_no}} is still open', named)
  return conflict('tote_order_on_wagon', '{{code}}: order {{order_no}} is still open, in slot {{slot}} of wagon {{wagon}}, list {{list}}', {
    ...named,
    slot: slot_no,
    wagon: wagon_no,
    list: pick_list_id,
  })
}
