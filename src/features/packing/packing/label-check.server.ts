/** The fresh label is held against the parcel: it is this order's, and lives. */
import { sql } from 'kysely'
import type { Given } from '#contract/call.ts'
import { found } from '#contract/errors.ts'
import { scannedNumber } from '#integrations/labels/gs1.ts'
import type { OutsideContext } from '#server/serve.ts'
import type { packing } from './packing.contract.ts'

export const checkLabel = ({ order_overview_id, barcode }: Given<typeof packing.checkLabel>, { work }: OutsideContext) =>
  work(async context => {
    const { db, now, record, tell } = context
    const session = found(
      await db
        .selectFrom('packing_sessions')
        .select(['id', 'order_id', 'company_id', 'state'])
        .where('id', '=', order_overview_id)
        .forUpdate()
        .executeTakeFirst(),
      'This packing session does not exist',
    )
    const number = scannedNumber(barcode)
    const hit = await db
      .selectFrom('shipments as s')
      .innerJoin('orders as o', 'o.id', 's.order_id')
      .select(['s.id', 's.order_id', 's.state', 'o.order_no'])
      .where(eb =>
        eb.or([
          eb('s.barcode', '=', sql<string>`any(${[barcode, number, `00${number}`]})`),
          eb('s.tracking_no', '=', sql<string>`any(${[barcode, number]})`),
        ]),
      )
      .orderBy('s.id', 'desc')
      .executeTakeFirst()
    const no = (text: string, values = {}) => ({ ok: false, text, values })
    if (!hit) return no('This is not a label that we know: {{code}}', { code: number })
    if (hit.order_id !== session.order_id) {
      await record({
        kind: 'label.mixed_up',
        order_id: session.order_id,
        company_id: session.company_id,
        data: { belongs_to: hit.order_no },
      })
      return no('This label belongs to order {{order_no}}', { order_no: hit.order_no })
    }
    if (hit.state === 'cancelled' || hit.state === 'barred') return no('This label was cancelled: do not use it')
    if (session.state === 'label_check') {
      await db
        .updateTable('packing_sessions')
        .set(eb => ({ state: 'done', ended_at: now().toISOString(), version: eb('version', '+', 1) }))
        .where('id', '=', session.id)
        .execute()
      await record({
        kind: 'label.checked',
        order_id: session.order_id,
        company_id: session.company_id,
        subject: 'shipment',
        subject_id: hit.id,
      })
      tell('packing', session.order_id, session.company_id)
    }
    return { ok: true, text: 'The label belongs to this parcel', values: {} }
  })
