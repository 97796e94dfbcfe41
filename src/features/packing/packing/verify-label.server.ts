/** The fresh label is held against the parcel: it is this order's, and lives; a session of several parcels is done with the last of them. */

import type { HandlerInput } from '#contract/endpoint.ts'
import { orNotFound } from '#contract/errors.ts'
import { scannedNumber } from '#domain/gs1.ts'
import { unlabelledStates } from '#domain/order/shipment-states.ts'
import type { Db } from '#platform/database/database.ts'
import type { ExternalContext } from '#platform/http/feature-module.ts'
import type { packing } from './packing.contract.ts'
import { labelOfCode } from './scanned-labels.queries.ts'

export const checkLabel = ({ order_overview_id, barcode }: HandlerInput<typeof packing.checkLabel>, { transaction }: ExternalContext) =>
  transaction(async context => {
    const { db, now, recordEvent, notify } = context
    const session = orNotFound(
      await db
        .selectFrom('packing_sessions')
        .select(['id', 'order_id', 'company_id', 'state'])
        .where('id', '=', order_overview_id)
        .forUpdate()
        .executeTakeFirst(),
      'packing_session_not_found',
      'Packing session not found',
    )
    const number = scannedNumber(barcode)
    const hit = await labelOfCode(db, barcode)
    const no = (text: string, values = {}) => ({ ok: false, text, values, left: 0 })
    if (!hit && /^https?:/i.test(number)) return no('That is the QR code for the recipient. Scan the bars of the label.')
    if (!hit) return no('This is not a label that we know: {{code}}', { code: number })
    if (hit.order_id !== session.order_id) {
      await recordEvent({
        kind: 'label.mixed_up',
        order_id: session.order_id,
        company_id: session.company_id,
        data: { belongs_to: hit.order_no },
      })
      return no('This label belongs to order {{order_no}}', { order_no: hit.order_no })
    }
    if (hit.state === 'cancelled' || hit.state === 'blocked') return no('This label was cancelled: do not use it')
    if (hit.session_id !== null && hit.session_id !== session.id)
      return no('This label is of an earlier parcel of order {{order_no}}', { order_no: hit.order_no })
    if (session.state === 'label_check') {
      const { waiting, all, again } = await parcelsToCheck(db, session, hit.shipment_id)
      if (again && waiting > 0) return { ok: true, text: 'This label is checked already. Scan the next one.', values: {}, left: waiting }
      await recordEvent({
        kind: 'label.checked',
        order_id: session.order_id,
        company_id: session.company_id,
        subject: 'shipment',
        subject_id: hit.shipment_id,
      })
      if (waiting > 0)
        return {
          ok: true,
          text: 'Label {{done}} of {{all}} is right. Scan the next one.',
          values: { done: all - waiting, all },
          left: waiting,
        }
      await db
        .updateTable('packing_sessions')
        .set(eb => ({ state: 'done', ended_at: now().toISOString(), version: eb('version', '+', 1) }))
        .where('id', '=', session.id)
        .execute()
      notify('packing', session.order_id, session.company_id)
    }
    return { ok: true, text: 'The label belongs to this parcel', values: {}, left: 0 }
  })

/** The parcels of this session: how many there are, how many still wait once this one is checked, and whether it was checked before. */
async function parcelsToCheck(db: Db, session: { id: number; order_id: number }, shipment_id: number) {
  const parcels = await db
    .selectFrom('shipments')
    .select('id')
    .where('session_id', '=', session.id)
    .where('operation_code', '=', 'outbound')
    .where('state', 'not in', unlabelledStates)
    .execute()
  const rows = await db
    .selectFrom('events')
    .select('subject_id')
    .where('order_id', '=', session.order_id)
    .where('kind', '=', 'label.checked')
    .where('subject', '=', 'shipment')
    .execute()
  const checked = new Set(rows.map(row => Number(row.subject_id)))
  const waiting = parcels.filter(parcel => parcel.id !== shipment_id && !checked.has(parcel.id)).length
  return { waiting, all: parcels.length, again: checked.has(shipment_id) }
}
