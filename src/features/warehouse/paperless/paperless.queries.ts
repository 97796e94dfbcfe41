/** Reading paperless codes: what a code stands for, and the refusals of a scan. */

import { conflict, notFound } from '#contract/errors.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context, TransactionContext } from '#platform/http/feature-module.ts'

export type CodeTools = Pick<TransactionContext, 'db' | 'recordEvent' | 'notify'>

/** A wagon whose state follows its codes: the caller settles it after a change. */
export interface WagonKey {
  pick_list_id: number
  wagon_no: number
}

/** A slot of a wagon, and the order that stands in it; without a list, an order whose tote was named by hand. */
export interface CodePlace {
  pick_list_id: number | null
  wagon_no: number | null
  slot_no: number | null
  order_id: number
  company_id: number
}

/** What the code says, as printed on the tote. */
export const codeText = (digits: string): string => `PP${digits}`

interface TakenCode {
  id: number
  digits: string
  lost_at: string | null
  order_id: number | null
  pick_list_id: number | null
  wagon_no: number | null
  slot_no: number | null
}

/** @throws {Refusal} 409 unless the code is free, or only kept and `may_take_kept` */
export async function mustBeUsable(db: Db, code: TakenCode, may_take_kept: boolean): Promise<void> {
  const named = { code: codeText(code.digits) }
  if (code.lost_at !== null) throw conflict('tote_code_lost', codeSentences.lost, named)
  if (code.order_id !== null) throw await boundElsewhere(db, code, code.order_id)
  if (code.pick_list_id !== null && !may_take_kept)
    throw conflict('tote_code_reserved', codeSentences.kept, {
      ...named,
      slot: code.slot_no,
      wagon: code.wagon_no,
      list: code.pick_list_id,
    })
}

/** A code's own sentences, wherever it is scanned. */
const codeSentences = {
  unknown: 'There is no code PP{{digits}} here',
  free: 'The code PP{{digits}} carries no order',
  kept: '{{code}} is kept for slot {{slot}} of wagon {{wagon}}, list {{list}}: nothing has been put into it yet',
  lost: '{{code}} was reported lost. Mark it as found before it is used again.',
  lostWith: '{{code}} was reported lost with order {{order_no}}. Open the order by its number, and mark the code as found.',
  atStation: '{{code}} carries order {{order_no}}, which is at {{station}}',
  onWagon: '{{code}} carries order {{order_no}} in slot {{slot}} of wagon {{wagon}}, list {{list}}',
  bound: '{{code}} carries order {{order_no}}',
} as const

/** @returns the 404 of a code that does not exist */
export const unknownCode = (digits: string) => notFound('tote_code_not_found', codeSentences.unknown, { digits })

async function boundElsewhere(db: Db, code: TakenCode, order_id: number) {
  const order = await db
    .selectFrom('orders as o')
    .leftJoin('packing_sessions as s', j => j.onRef('s.order_id', '=', 'o.id').on('s.ended_at', 'is', null))
    .select(['o.order_no', 's.station'])
    .where('o.id', '=', order_id)
    .executeTakeFirst()
  const values = { code: codeText(code.digits), order_no: order?.order_no ?? `${order_id}` }
  if (order?.station) return conflict('tote_order_at_station', codeSentences.atStation, { ...values, station: order.station })
  if (code.pick_list_id === null) return conflict('tote_code_bound', codeSentences.bound, values)
  return conflict('tote_code_on_wagon', codeSentences.onWagon, {
    ...values,
    slot: code.slot_no,
    wagon: code.wagon_no,
    list: code.pick_list_id,
  })
}

/**
 * The order behind a scanned code. A shop learns of codes only that carry an order of its own.
 * @throws {Refusal} 404 unknown; 409 free, kept for a slot, or lost – each in its own words
 */
export async function orderOfCode({ db, principal }: Pick<Context, 'db' | 'principal'>, digits: string): Promise<number> {
  const code = await db
    .selectFrom('paperless_codes as c')
    .leftJoin('orders as o', 'o.id', 'c.order_id')
    .select(['c.order_id', 'c.lost_at', 'c.pick_list_id', 'c.wagon_no', 'c.slot_no', 'o.order_no'])
    .where('c.digits', '=', digits)
    .executeTakeFirst()
  if (!code || (code.order_no === null && !principal.company.is_main)) throw unknownCode(digits)
  const named = { code: codeText(digits) }
  if (code.lost_at !== null)
    throw code.order_no === null
      ? conflict('tote_code_lost', codeSentences.lost, named)
      : conflict('tote_code_lost_with_order', codeSentences.lostWith, { ...named, order_no: code.order_no })
  if (code.order_id !== null) return code.order_id
  if (code.pick_list_id !== null)
    throw conflict('tote_code_reserved', codeSentences.kept, {
      ...named,
      slot: code.slot_no,
      wagon: code.wagon_no,
      list: code.pick_list_id,
    })
  throw conflict('tote_code_free', codeSentences.free, { digits })
}
