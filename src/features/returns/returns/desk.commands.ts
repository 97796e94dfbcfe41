/** What the desk writes: parcels that arrive, pieces that are inspected, missing or unannounced, and what becomes of each. */
import { conflict, orNotFound, unprocessable } from '#contract/errors.ts'
import { elementAt, isOneOf } from '#domain/objects.ts'
import { companySettings } from '#features/company/companies/companies.queries.ts'
import { setReturned } from '#features/orders/orders/lines/order-lines.commands.ts'
import { lockOrder } from '#features/orders/orders/order-facts.queries.ts'
import { setSerialReturned } from '#features/packing/packing/serials.commands.ts'
import { serialKey } from '#features/packing/serial-numbers/serial-numbers.rules.ts'
import { addPutBacks } from '#features/warehouse/pick-tasks/put-backs.commands.ts'
import type { Db } from '#platform/database/database.ts'
import { itemOf, needsSerial, productByCode, type StoredItem } from './desk.queries.ts'
import { accessoriesOf, tickedAccessories } from './return-accessories.rules.ts'
import { aboutReturn, type ReturnTools, settleReturn, type TakenReturn, takeReturn } from './return-rows.commands.ts'
import { closedStatuses, custodyOf, expectedCustodies, mayMove } from './return-states.rules.ts'
import type { Condition, Custody, Decision, SerialCheck } from './returns.codes.ts'
import { amountOfPiece, leftToReturn } from './returns.queries.ts'

/** Who stands at the desk. */
export interface Person {
  name: string
}

/** A parcel of the return is at the desk. Said again it changes nothing. @throws {AppError} 409 return_not_approved */
export async function arrive(
  tools: ReturnTools,
  id: number,
  { by, tracking_key = null }: { by: Person; tracking_key?: string | null },
): Promise<TakenReturn> {
  const { db, recordEvent, now } = tools
  const taken = await takeReturn(db, id)
  if (isOneOf(closedStatuses, taken.status)) return taken
  if (taken.approved_at === null) throw conflict('return_not_approved', 'This return is not approved. Approve it first.')
  const at = now().toISOString()
  const parcels = await db
    .selectFrom('return_parcels')
    .select(['id', 'tracking_key', 'arrived_at'])
    .where('return_id', '=', id)
    .orderBy('id')
    .execute()
  const parcel =
    parcels.find(one => tracking_key !== null && one.tracking_key === tracking_key) ?? parcels.find(one => one.arrived_at === null)
  if (parcel && parcel.arrived_at === null)
    await db.updateTable('return_parcels').set({ arrived_at: at, arrived_by: by.name }).where('id', '=', parcel.id).execute()
  if (!parcel && (parcels.length === 0 || tracking_key !== null))
    await db
      .insertInto('return_parcels')
      .values({ company_id: taken.company_id, return_id: id, tracking_key, arrived_at: at, arrived_by: by.name })
      .execute()
  if (taken.arrived_at !== null) return taken
  await db.updateTable('returns').set({ arrived_at: at, expires_at: null }).where('id', '=', id).execute()
  await recordEvent({ kind: 'return.arrived', ...aboutReturn(taken), data: { rma_no: taken.rma_no } })
  const status = await settleReturn(tools, taken)
  return { ...taken, arrived_at: at, status }
}

/** The return, taken, for work at the desk: approved, and not closed; what is worked on has arrived. */
async function atDesk(tools: ReturnTools, id: number, by: Person, version?: number): Promise<TakenReturn> {
  const taken = await takeReturn(tools.db, id, version)
  if (isOneOf(closedStatuses, taken.status)) throw conflict('return_closed', 'This return is closed.')
  if (taken.approved_at === null) throw conflict('return_not_approved', 'This return is not approved. Approve it first.')
  return taken.arrived_at === null ? arrive(tools, id, { by }) : taken
}

const noItem = 'There is no such item in this return.'

async function itemAt(db: Db, return_id: number, item_id: number): Promise<StoredItem> {
  return orNotFound(await itemOf(db, return_id, item_id), 'return_item_not_found', noItem)
}

const mustMove = (item: StoredItem, to: Custody): void => {
  if (!mayMove(item.custody, to)) throw conflict('return_item_done', 'Somebody has dealt with this item already.')
}

/** Counts of the order's lines what has come back and was inspected. */
async function countReturned(db: Db, order_line_id: number | null): Promise<void> {
  if (order_line_id === null) return
  const { quantity } = await db
    .selectFrom('return_items')
    .select(eb => eb.fn.countAll<number>().as('quantity'))
    .where('order_line_id', '=', order_line_id)
    .where('custody', 'in', ['inspected', 'restocked', 'scrapped', 'repaired'] satisfies Custody[])
    .executeTakeFirstOrThrow()
  await setReturned(db, [{ order_line_id, quantity }])
}

export interface Inspection {
  condition: Condition
  reason_seen?: string | undefined
  serial?: string | undefined
  /** Why the serial number cannot be read, or why another one is accepted. */
  serial_reason?: string | undefined
  note?: string | undefined
  /** Parts that were with it. */
  accessories?: readonly string[] | undefined
  by: Person
  version?: number | undefined
}

/**
 * A piece is looked at. With the serial number of another piece it stays received, until somebody accepts it with a reason.
 *
 * @throws {AppError} 404; 409 where another desk was faster; 422 serial_needed, photo_needed
 */
export async function inspectItem(tools: ReturnTools, return_id: number, item_id: number, seen: Inspection): Promise<void> {
  const { db, recordEvent, now } = tools
  const taken = await atDesk(tools, return_id, seen.by, seen.version)
  const item = await itemAt(db, return_id, item_id)
  const received: Custody = item.custody === 'advised' || item.custody === 'in_transit' ? 'received' : item.custody
  if (!isOneOf<Custody>(['received', 'added'], received)) throw conflict('return_item_done', 'Somebody has dealt with this item already.')
  if (seen.condition !== 'A') {
    const photo = await db
      .selectFrom('return_files')
      .select('file_id')
      .where('return_id', '=', return_id)
      .where('item_id', '=', item_id)
      .where('kind', '=', 'condition')
      .limit(1)
      .executeTakeFirst()
    if (!photo)
      throw unprocessable(
        'photo_needed',
        'Add a photo: every condition but A needs one.',
        {},
        { fields: { condition: 'Add a photo: every condition but A needs one.' } },
      )
  }
  const serial = seen.serial?.trim() || null
  const check = await checkSerial(db, taken, item, serial, seen.serial_reason)
  const about = aboutReturn(taken)
  const { rma_no } = taken
  const at = now().toISOString()
  const isInspected = check !== 'wrong'
  const accessories = await tickedOf(db, taken.company_id, item.sku, seen.accessories)
  const custody: Custody = isInspected ? 'inspected' : received
  await db
    .updateTable('return_items')
    .set(eb => ({
      custody,
      condition: seen.condition,
      reason_seen: seen.reason_seen || null,
      serial,
      serial_check: check,
      accessories,
      inspect_note: [seen.note, seen.serial_reason].filter(Boolean).join('\n') || null,
      inspected_at: isInspected ? at : null,
      inspected_by: isInspected ? seen.by.name : null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', item_id)
    .execute()
  if (check === 'right' && serial !== null && item.order_line_id !== null) {
    const known = await knownSerial(db, taken.company_id, serial, item.order_line_id)
    if (known) await serialReturned(tools, item.name, { order_line_id: item.order_line_id, serial: known.serial, returned_at: at })
  }
  if (isInspected) await countReturned(db, item.order_line_id)
  const piece = { rma_no, item_id, name: item.name }
  if (check === 'accepted')
    await recordEvent({ kind: 'return.serial_accepted', ...about, data: { ...piece, reason: seen.serial_reason ?? '' } })
  if (isInspected)
    await recordEvent({ kind: 'return.item_inspected', ...about, data: { ...piece, condition: seen.condition, serial_check: check } })
  await settleReturn(tools, taken)
}

/** A serial number comes back with its piece, or is out again. */
async function serialReturned(
  { db, recordEvent }: ReturnTools,
  name: string,
  change: { order_line_id: number; serial: string; returned_at: string | null },
): Promise<void> {
  const changed = await setSerialReturned(db, change)
  if (!changed) return
  const { id, order_id, company_id, serial } = changed
  const data = { serial, name, returned: change.returned_at !== null }
  await recordEvent({ kind: 'serial.returned', order_id, company_id, subject: 'serial', subject_id: id, data })
}

/** What the inspection says of the parts that belong to a product, as it is stored; null where none do. */
async function tickedOf(db: Db, company_id: number, sku: string | null, here: readonly string[] = []): Promise<string | null> {
  const names = accessoriesOf((await companySettings(db, company_id)).returns.accessories, sku)
  return names.length === 0 ? null : JSON.stringify(tickedAccessories(names, here))
}

/** The serial as it went out with this line and is still out. */
const knownSerial = async (db: Db, company_id: number, serial: string, order_line_id: number) => {
  const { serials } = await companySettings(db, company_id)
  return db
    .selectFrom('order_serials')
    .select(['id', 'serial'])
    .where('company_id', '=', company_id)
    .where('serial_key', '=', serialKey(serial, serials.letters))
    .where('order_line_id', '=', order_line_id)
    .where('removed_at', 'is', null)
    .where('returned_at', 'is', null)
    .executeTakeFirst()
}

async function checkSerial(
  db: Db,
  taken: TakenReturn,
  item: StoredItem,
  serial: string | null,
  reason: string | undefined,
): Promise<SerialCheck | null> {
  if (serial === null) {
    if (item.order_line_id === null || !(await needsSerial(db, item.order_line_id))) return null
    if (!reason)
      throw unprocessable(
        'serial_needed',
        'Scan the serial number, or say why it cannot be read.',
        {},
        { fields: { serial: 'Scan the serial number, or say why it cannot be read.' } },
      )
    return 'unreadable'
  }
  if (item.order_line_id !== null && (await knownSerial(db, taken.company_id, serial, item.order_line_id))) return 'right'
  return reason ? 'accepted' : 'wrong'
}

/** The weight of the box that arrived last. @throws {AppError} 404; 409 as for other work at the desk */
export async function weighParcel(
  tools: ReturnTools,
  return_id: number,
  { weight_g, by }: { weight_g: number; by: Person },
): Promise<void> {
  const { db, notify } = tools
  const taken = await atDesk(tools, return_id, by)
  const parcel = await db
    .selectFrom('return_parcels')
    .select('id')
    .where('return_id', '=', return_id)
    .where('arrived_at', 'is not', null)
    .orderBy('arrived_at', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (parcel) await db.updateTable('return_parcels').set({ weight_g }).where('id', '=', parcel.id).execute()
  notify('return', return_id, taken.company_id)
}

/** An announced piece was not in the parcel. @throws {AppError} 404; 409 */
export async function missItem(
  tools: ReturnTools,
  return_id: number,
  item_id: number,
  { by, version }: { by: Person; version?: number | undefined },
): Promise<void> {
  const taken = await atDesk(tools, return_id, by, version)
  const item = await itemAt(tools.db, return_id, item_id)
  mustMove(item, 'missing')
  await setMissing(tools, taken, [item])
  await settleReturn(tools, taken)
}

/** Writes down pieces that did not come; the caller settles the return. */
export async function setMissing(tools: ReturnTools, taken: TakenReturn, items: readonly Pick<StoredItem, 'id' | 'name'>[]): Promise<void> {
  const { db, recordEvents } = tools
  await db
    .updateTable('return_items')
    .set(eb => ({ custody: 'missing', version: eb('version', '+', 1) }))
    .where(
      'id',
      'in',
      items.map(({ id }) => id),
    )
    .execute()
  await recordEvents(
    items.map(({ id, name }) => ({
      kind: 'return.item_missing',
      ...aboutReturn(taken),
      data: { rma_no: taken.rma_no, item_id: id, name },
    })),
  )
}

/** Takes back what was said of a piece, until it is decided. @throws {AppError} 404; 409 */
export async function undoItem(
  tools: ReturnTools,
  return_id: number,
  item_id: number,
  { by, version }: { by: Person; version?: number | undefined },
): Promise<void> {
  const { db, recordEvent } = tools
  const order = await orderOfReturn(db, return_id)
  if (order !== null) await lockOrder(db, order)
  const taken = await atDesk(tools, return_id, by, version)
  const item = await itemAt(db, return_id, item_id)
  const before: Partial<Record<Custody, Custody>> = {
    inspected: item.unannounced ? 'added' : 'received',
    received: 'advised',
    missing: 'advised',
    added: 'cancelled',
  }
  const custody = before[item.custody]
  if (custody === undefined) throw conflict('return_item_done', 'Somebody has dealt with this item already.')
  if (item.custody === 'missing' && item.order_line_id !== null) await mustBeFree(db, item.order_line_id, item.piece_no)
  if (item.serial_check === 'right' && item.serial !== null && item.order_line_id !== null)
    await serialReturned(tools, item.name, { order_line_id: item.order_line_id, serial: item.serial, returned_at: null })
  await db
    .updateTable('return_items')
    .set(eb => ({
      custody,
      ...(custody === 'cancelled' && item.money === 'pending' && { money: 'none' as const }),
      condition: null,
      reason_seen: null,
      serial: null,
      serial_check: null,
      inspect_note: null,
      accessories: null,
      inspected_at: null,
      inspected_by: null,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', item_id)
    .execute()
  await countReturned(db, item.order_line_id)
  await recordEvent({
    kind: 'return.item_undone',
    ...aboutReturn(taken),
    data: { rma_no: taken.rma_no, item_id, name: item.name, custody },
  })
  await settleReturn(tools, taken)
}

const orderOfReturn = async (db: Db, id: number): Promise<number | null> =>
  (await db.selectFrom('returns').select('order_id').where('id', '=', id).executeTakeFirst())?.order_id ?? null

/** A piece that was let go may be in another return by now. */
async function mustBeFree(db: Db, order_line_id: number, piece_no: number): Promise<void> {
  const other = await db
    .selectFrom('return_items as i')
    .innerJoin('returns as r', 'r.id', 'i.return_id')
    .select('r.rma_no')
    .where('i.order_line_id', '=', order_line_id)
    .where('i.piece_no', '=', piece_no)
    .where('i.custody', 'not in', ['cancelled', 'rejected', 'expired', 'missing', 'sent_back'])
    .executeTakeFirst()
  if (other) throw conflict('item_in_other_return', 'This item is in return {{rma_no}} by now.', { rma_no: other.rma_no })
}

/**
 * Something lay in the parcel that no one announced. A product of the order takes a piece that is left of its line.
 *
 * @throws {AppError} 404 product_not_found_by_code
 */
export async function addItem(
  tools: ReturnTools,
  return_id: number,
  { code, qty, by, version }: { code: string; qty: number; by: Person; version?: number | undefined },
): Promise<void> {
  const { db, recordEvents } = tools
  const order_id = await orderOfReturn(db, return_id)
  if (order_id !== null) await lockOrder(db, order_id)
  const taken = await atDesk(tools, return_id, by, version)
  const product = orNotFound(
    await productByCode(db, taken.company_id, code),
    'product_not_found_by_code',
    'There is no product with this SKU or barcode',
  )
  const lines = taken.order_id === null ? [] : await leftToReturn(db, taken.order_id)
  const line = lines.find(
    one => one.left > 0 && (one.product_id === product.id || (one.sku !== null && one.sku.toUpperCase() === product.sku.toUpperCase())),
  )
  const rows = Array.from({ length: qty }, (_, place) => {
    const piece_no = line?.free[place]
    const known =
      line && piece_no !== undefined ? { order_line_id: line.order_line_id, piece_no, amount: amountOfPiece(line, piece_no) } : {}
    return {
      company_id: taken.company_id,
      return_id,
      product_id: product.id,
      sku: product.sku,
      name: product.name,
      unannounced: true,
      custody: 'added' as const,
      money: piece_no === undefined ? ('none' as const) : ('pending' as const),
      ...known,
    }
  })
  const made = await db.insertInto('return_items').values(rows).returning(['id', 'name']).execute()
  await recordEvents(
    made.map(({ id, name }) => ({ kind: 'return.item_added', ...aboutReturn(taken), data: { rma_no: taken.rma_no, item_id: id, name } })),
  )
  await settleReturn(tools, taken)
}

export interface ItemDecision {
  item_id: number
  decision: Decision
  bin?: string | undefined
  /** Taken from the refund for wear beyond trying, in minor units. */
  deduction?: number | undefined
}

/**
 * What becomes of inspected pieces. A restocked one becomes a put-back task; nothing else is done to money than its deduction.
 *
 * @throws {AppError} 404; 409 not_inspected, serial_mismatch, return_unlinked
 */
export async function decideItems(
  tools: ReturnTools,
  return_id: number,
  { items, by, version }: { items: readonly ItemDecision[]; by: Person; version?: number | undefined },
): Promise<void> {
  const { db, recordEvent, now } = tools
  const taken = await takeReturn(db, return_id, version)
  if (isOneOf(closedStatuses, taken.status)) throw conflict('return_closed', 'This return is closed.')
  if (taken.approved_at === null) throw conflict('return_not_approved', 'This return is not approved. Approve it first.')
  const { order_id } = taken
  if (order_id === null) throw conflict('return_unlinked', 'Link this return to an order first.')
  const at = now().toISOString()
  const decided: { item: StoredItem; decision: Decision; bin: string | null }[] = []
  for (const { item_id, decision, bin, deduction } of items) {
    const item = await itemAt(db, return_id, item_id)
    if (item.serial_check === 'wrong')
      throw conflict('serial_mismatch', '{{name}}: the serial number belongs to another item.', { name: item.name })
    const to = custodyOf[decision]
    const isKept = decision === 'keep' && item.custody === 'advised'
    if (item.custody === 'received' || item.custody === 'added' || (isOneOf(expectedCustodies, item.custody) && !isKept))
      throw conflict('not_inspected', '{{name}}: inspect it first.', { name: item.name })
    mustMove(item, to)
    const place = decision === 'restock' ? bin || item.destination || item.product_bin : null
    decided.push({ item, decision, bin: place })
    await db
      .updateTable('return_items')
      .set(eb => ({
        custody: to,
        decision,
        decided_at: at,
        decided_by: by.name,
        bin: place,
        deduction: Math.min(deduction ?? 0, item.amount),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', item_id)
      .execute()
    await countReturned(db, item.order_line_id)
  }
  const back = decided.filter(({ decision }) => decision === 'restock')
  const put_backs = await addPutBacks(
    tools,
    back.map(({ item, bin }) => ({
      company_id: taken.company_id,
      order_id,
      order_line_id: item.order_line_id,
      return_id,
      product_id: item.product_id,
      sku: item.sku,
      name: item.name,
      bin,
    })),
  )
  for (const [place, { item }] of back.entries())
    await db
      .updateTable('return_items')
      .set({ put_back_id: elementAt(put_backs, place) })
      .where('id', '=', item.id)
      .execute()
  await recordEvent({
    kind: 'return.decided',
    ...aboutReturn(taken),
    data: { rma_no: taken.rma_no, pieces: decided.map(({ item, decision }) => ({ item_id: item.id, name: item.name, decision })) },
  })
  await settleReturn(tools, taken)
}

/** A photo or a paper of a return, whose file is recorded already. */
export async function addReturnFile(
  tools: ReturnTools,
  return_id: number,
  file: { file_id: number; kind: 'arrival' | 'condition' | 'paper'; item_id: number | null; by: Person },
): Promise<void> {
  const { db, notify } = tools
  const taken = await takeReturn(db, return_id)
  if (file.item_id !== null) await itemAt(db, return_id, file.item_id)
  await db
    .insertInto('return_files')
    .values({
      company_id: taken.company_id,
      return_id,
      file_id: file.file_id,
      item_id: file.item_id,
      kind: file.kind,
      created_by: file.by.name,
    })
    .execute()
  notify('return', return_id, taken.company_id)
}
