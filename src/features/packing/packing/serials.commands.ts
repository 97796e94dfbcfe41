/** A serial number is recorded for a line, once within its scope. */
import { type RawBuilder, sql } from 'kysely'
import { conflict } from '#contract/errors.ts'
import { type SerialPolicy, serialsUsed, serialUsed } from '#features/packing/serial-numbers/serial-numbers.queries.ts'
import { scopeKey, serialKey } from '#features/packing/serial-numbers/serial-numbers.rules.ts'
import { followSerials, sendUnits } from '#features/packing/serial-numbers/serial-units.commands.ts'
import { unitsOfCode } from '#features/packing/serial-numbers/serial-units.queries.ts'
import { barredBy, type StoredUnit } from '#features/packing/serial-numbers/serial-units.rules.ts'
import type { Db } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'

interface Where {
  company_id: number
  order_id: number
  order_no: string
  session_id: number | null
  parcel_no: number | null
}
interface OrderSerial {
  id: number
  order_id: number
  company_id: number
  serial: string
}
type Barred = NonNullable<ReturnType<typeof barredBy>>
type UsedSerial = NonNullable<Awaited<ReturnType<typeof serialUsed>>>

/** A serial number has come back with its piece, or is out again; undefined where it did not go out with this line. */
export async function setSerialReturned(
  db: Db,
  { order_line_id, serial, returned_at }: { order_line_id: number; serial: string; returned_at: string | null },
): Promise<OrderSerial | undefined> {
  const changed = await db
    .updateTable('order_serials')
    .set({ returned_at })
    .where('order_line_id', '=', order_line_id)
    .where('serial', '=', serial)
    .where('removed_at', 'is', null)
    .where('returned_at', returned_at === null ? 'is not' : 'is', null)
    .returning(['id', 'order_id', 'company_id', 'serial'])
    .executeTakeFirst()
  if (changed) await followSerials(db, { order_line_id })
  return changed
}

const eventsAtOnce = 1_000

/** Serial numbers of orders are taken out with their pieces; `which` picks them among those `n` that went out and did not come back. */
export async function removeSerials(
  { db, now, recordEvents }: Pick<Context, 'db' | 'now' | 'recordEvents'>,
  order_ids: readonly number[],
  which: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<OrderSerial & { name: string }>`update order_serials n set removed_at = ${now().toISOString()}::timestamptz
    from order_lines l
    where n.operator_id = current_operator_id() and n.company_id = any (current_company_ids()) and n.order_id = any (${order_ids}::bigint[])
      and n.removed_at is null and n.returned_at is null and l.operator_id = n.operator_id and l.id = n.order_line_id and ${which}
    returning n.id, n.order_id, n.company_id, n.serial, l.name`.execute(db)
  if (rows.length === 0) return
  await followSerials(db, { order_ids })
  for (let at = 0; at < rows.length; at += eventsAtOnce)
    await recordEvents(
      rows.slice(at, at + eventsAtOnce).map(({ id, order_id, company_id, serial, name }) => ({
        kind: 'serial.removed',
        order_id,
        company_id,
        subject: 'serial',
        subject_id: id,
        data: { serial, name },
      })),
    )
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
