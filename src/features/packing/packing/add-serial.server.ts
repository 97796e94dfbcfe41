/** A serial number is recorded in the office, for a line that was packed without it. */
import type { HandlerInput } from '#contract/endpoint.ts'
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { candidates, readCode } from '#domain/codes.ts'
import { lockOrder } from '#features/orders/orders/order-facts.queries.ts'
import { serialPolicy } from '#features/packing/serial-numbers/serial-numbers.queries.ts'
import { serialKey } from '#features/packing/serial-numbers/serial-numbers.rules.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { packing } from './packing.contract.ts'
import { isBarcodeOf } from './scan.queries.ts'
import { assignSerial } from './serials.commands.ts'

export async function addSerial({ identifier, order_item_id }: HandlerInput<typeof packing.addSerial>, context: Context) {
  const { db, recordEvent, notify } = context
  const line = orNotFound(
    await db
      .selectFrom('order_lines')
      .select(['id', 'order_id', 'company_id', 'product_id', 'sku', 'name', 'barcode'])
      .select(eb => eb('qty', '-', eb.ref('cancelled_qty')).as('qty'))
      .where('id', '=', order_item_id)
      .where('type', '=', 'item')
      .executeTakeFirst(),
    'order_line_not_found',
    'Order line not found',
  )
  const order = orNotFound(await lockOrder(db, line.order_id), 'order_not_found', 'Order not found')
  const read = readCode(identifier)
  const text = (read.kind === 'other' ? read.gs1?.serial : undefined) ?? read.text
  const policy = await serialPolicy(db, line.company_id, line.product_id === null ? [] : [line.product_id])
  const { settings, rules } = policy
  const rule = line.product_id === null ? undefined : rules.get(line.product_id)
  const serial = rule?.serialIn(text) || text
  const recorded = await db
    .selectFrom('order_serials')
    .select(['id', 'serial', 'serial_key'])
    .where('order_line_id', '=', line.id)
    .where('removed_at', 'is', null)
    .where('returned_at', 'is', null)
    .execute()
  const same = recorded.find(one => one.serial_key === serialKey(serial, settings.letters))
  if (same) return { order_serial_id: same.id, serial: same.serial, order_id: line.order_id }

  const refuse = (text: string, values: Record<string, string>) => unprocessable('serial_refused', text, values)
  if (read.kind === 'refused') throw refuse('This is no serial number: {{code}}', { code: identifier })
  const codes = candidates(identifier)
  if ((line.barcode !== null && codes.includes(line.barcode)) || (await isBarcodeOf(db, line.company_id, codes)))
    throw refuse('{{code}} is the barcode of a product, not a serial number', { code: serial })
  if (rule?.matches(text) === false) throw refuse('{{code}} is not a serial number of {{name}}', { code: serial, name: line.name })
  if (serial.length < settings.min_length) throw refuse('{{code}} is too short for a serial number', { code: serial })
  if (recorded.length >= line.qty)
    throw conflict('serials_full', '{{name}} has {{n}} of {{n}} serial numbers', { name: line.name, n: line.qty })

  const where = { company_id: line.company_id, order_id: line.order_id, order_no: order.order_no, session_id: null, parcel_no: null }
  const added = await assignSerial(
    db,
    where,
    { order_line_id: line.id, product_id: line.product_id, sku_key: (line.sku ?? '').toUpperCase() },
    serial,
    policy,
  )
  if (added.barred) throw refuse(added.barred.text, added.barred.values)
  if (added.used) {
    const { order_no, created_at } = added.used
    throw conflict('serial_used', '{{serial}} went out with order {{order_no}} on {{date}}', {
      serial,
      order_no,
      date: created_at.slice(0, 10),
    })
  }
  await recordEvent({
    kind: 'serial.added',
    order_id: line.order_id,
    company_id: line.company_id,
    subject: 'serial',
    subject_id: added.id,
    data: { serial, name: line.name },
  })
  notify('order', line.order_id, line.company_id)
  return { order_serial_id: added.id, serial, order_id: line.order_id }
}
