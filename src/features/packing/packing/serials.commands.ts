/** A serial number is recorded for a line, once within its scope. */
import { type SerialPolicy, serialUsed } from '#features/packing/serial-numbers/serial-numbers.queries.ts'
import { scopeKey, serialKey } from '#features/packing/serial-numbers/serial-numbers.rules.ts'
import type { Db } from '#platform/database/database.ts'

interface Where {
  company_id: number
  order_id: number
  order_no: string
  session_id: number | null
  parcel_no: number | null
}
type UsedSerial = NonNullable<Awaited<ReturnType<typeof serialUsed>>>

/** A serial number has come back with its piece, or is out again; false where it did not go out with this line. */
export async function setSerialReturned(
  db: Db,
  { order_line_id, serial, returned_at }: { order_line_id: number; serial: string; returned_at: string | null },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('order_serials')
    .set({ returned_at })
    .where('order_line_id', '=', order_line_id)
    .where('serial', '=', serial)
    .where('removed_at', 'is', null)
    .where('returned_at', returned_at === null ? 'is not' : 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Serial numbers of this line whose pieces are taken back may go out again. */
export async function freeSerials(db: Db, order_line_id: number, serials: readonly string[], now: Date): Promise<void> {
  if (serials.length === 0) return
  await db
    .updateTable('order_serials')
    .set({ removed_at: now.toISOString() })
    .where('order_line_id', '=', order_line_id)
    .where('serial', 'in', serials)
    .where('removed_at', 'is', null)
    .execute()
}

/** Records a serial number for this line; `used` is the order with which it went out before, where its scope allows it once only. */
export async function assignSerial(
  db: Db,
  { company_id, order_id, order_no, session_id, parcel_no }: Where,
  { order_line_id, product_id, sku_key }: { order_line_id: number; product_id: number | null; sku_key: string },
  serial: string,
  { settings, rules }: SerialPolicy,
  // Of the pieces in one pack, the label of one is easily scanned twice.
  also?: 'once of its line',
): Promise<{ id: number; used?: undefined } | { used: UsedSerial }> {
  const scope = (product_id === null ? undefined : rules.get(product_id)?.scope) ?? settings.default_scope
  const serial_key = serialKey(serial, settings.letters)
  const usedBefore = async () =>
    scope !== 'none'
      ? serialUsed(db, company_id, scope, { sku_key, serial_key })
      : also && serialUsed(db, company_id, 'line', { order_line_id, serial_key })
  // A serial from before a change of the scope has another scope key, which the index does not compare.
  const used = await usedBefore()
  if (used) return { used }
  const taken = await db
    .insertInto('order_serials')
    .values({
      company_id,
      order_id,
      order_line_id,
      sku_key,
      serial,
      serial_key,
      scope_key: scopeKey(scope, sku_key),
      session_id,
      parcel_no,
    })
    .onConflict(c =>
      c
        .columns(['operator_id', 'company_id', 'scope_key', 'serial_key'])
        .where('removed_at', 'is', null)
        .where('returned_at', 'is', null)
        .where('scope_key', 'is not', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return taken ?? { used: (await usedBefore()) ?? { order_id, order_no, created_at: new Date().toISOString() } }
}
