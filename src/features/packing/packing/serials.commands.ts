/** A serial number is recorded for a line, once within its scope. */
import { conflict } from '#contract/errors.ts'
import { type SerialPolicy, serialsUsed, serialUsed } from '#features/packing/serial-numbers/serial-numbers.queries.ts'
import { scopeKey, serialKey } from '#features/packing/serial-numbers/serial-numbers.rules.ts'
import { followSerials, sendUnits } from '#features/packing/serial-numbers/serial-units.commands.ts'
import { unitsOfCode } from '#features/packing/serial-numbers/serial-units.queries.ts'
import { barredBy, type StoredUnit } from '#features/packing/serial-numbers/serial-units.rules.ts'
import type { Db } from '#platform/database/database.ts'

interface Where {
  company_id: number
  order_id: number
  order_no: string
  session_id: number | null
  parcel_no: number | null
}
type Barred = NonNullable<ReturnType<typeof barredBy>>
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
  if (numUpdatedRows > 0n) await followSerials(db, { order_line_id })
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
  await followSerials(db, { order_line_id })
}

/** Records a serial number for this line; `used` is the order with which it went out before, where its scope allows it once only. */
export async function assignSerial(
  db: Db,
  { company_id, order_id, order_no, session_id, parcel_no }: Where,
  { order_line_id, product_id, sku_key }: { order_line_id: number; product_id: number | null; sku_key: string },
  serial: string,
  { settings, rules }: SerialPolicy,
  /** `once_of_line`: of the pieces in one pack, the label of one is easily scanned twice. */
  known: { units?: readonly StoredUnit[]; once_of_line?: boolean } = {},
): Promise<
  { id: number; used?: undefined; barred?: undefined } | { used: UsedSerial; barred?: undefined } | { used?: undefined; barred: Barred }
> {
  const scope = (product_id === null ? undefined : rules.get(product_id)?.scope) ?? settings.default_scope
  const serial_key = serialKey(serial, settings.letters)
  const usedBefore = async () =>
    scope !== 'none'
      ? serialUsed(db, company_id, scope, { sku_key, serial_key })
      : known.once_of_line
        ? serialUsed(db, company_id, 'line', { order_line_id, serial_key })
        : undefined
  // A serial from before a change of the scope has another scope key, which the index does not compare.
  const used = await usedBefore()
  if (used) return { used }
  const units = known.units ?? (await unitsOfCode(db, company_id, [], serial_key))
  const barred = barredBy(units, { sku_key, serial }, settings.mode)
  if (barred) return { barred }
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
  const unit = taken && units.find(one => one.sku_key === sku_key)
  if (unit) await sendUnits(db, [unit.id])
  return taken ?? { used: (await usedBefore()) ?? { order_id, order_no, created_at: new Date().toISOString() } }
}

/** Records all serial numbers of an outer pack, or none: `used` is one of them with the order that has it. */
export async function assignPack(
  db: Db,
  { company_id, order_id, session_id, parcel_no }: Where,
  { order_line_id, product_id, sku_key }: { order_line_id: number; product_id: number | null; sku_key: string },
  units: readonly StoredUnit[],
  { settings, rules }: SerialPolicy,
): Promise<{ used: { serial: string; order_no: string } | undefined }> {
  const scope = (product_id === null ? undefined : rules.get(product_id)?.scope) ?? settings.default_scope
  const keys = units.map(unit => unit.serial_key)
  const used = await serialsUsed(db, company_id, scope === 'company' ? null : sku_key, keys)
  if (used) return { used }
  const taken = await db
    .insertInto('order_serials')
    .values(
      units.map(({ serial, serial_key }) => ({
        ...{ company_id, order_id, order_line_id, sku_key, serial, serial_key, session_id, parcel_no },
        scope_key: scopeKey(scope, sku_key),
      })),
    )
    .onConflict(c =>
      c
        .columns(['operator_id', 'company_id', 'scope_key', 'serial_key'])
        .where('removed_at', 'is', null)
        .where('returned_at', 'is', null)
        .where('scope_key', 'is not', null)
        .doNothing(),
    )
    .returning('id')
    .execute()
  // Another station has taken one of them since they were read: asked again, the scan is refused with its order.
  if (taken.length < units.length) throw conflict('busy', 'Someone else is changing this right now. Try again.')
  await sendUnits(
    db,
    units.map(unit => unit.id),
  )
  return { used: undefined }
}
