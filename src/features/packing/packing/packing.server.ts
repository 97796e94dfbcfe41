/** Packing: the bench's calls. The session lives here, so that a reload, another station or a power cut changes nothing. */

import { sql } from 'kysely'
import { access, may } from '#contract/access.ts'
import { conflict, forbidden, found, notFound } from '#contract/errors.ts'
import { scannedNumber } from '#integrations/labels/gs1.ts'
import { type Context, serve } from '#server/serve.ts'
import { companySettings } from '../../company/company/company.queries.ts'
import { changeOrder, takeOrder } from '../../orders/orders/changes.queries.ts'
import { mustNotBeStopped, stopOf } from '../../orders/orders/stops.queries.ts'
import { orderOfCode } from '../../warehouse/paperless/paperless.queries.ts'
import { totesCleared, totesLeft, totesOpened } from '../../warehouse/paperless/totes-at-bench.queries.ts'
import { pinOf, requirePin } from '../approval/approval.queries.ts'
import { closeOrder, printSlip } from './closing.server.ts'
import { candidates, readCode } from './codes.rules.ts'
import { type PackingOrder, packing, type ScanAnswer } from './packing.contract.ts'
import {
  type Desk,
  deskOf,
  isFree,
  openSession,
  packingOrder,
  type ScanRow,
  serialRules,
  serialUsed,
  totalsOf,
  writeScan,
} from './packing.queries.ts'
import { type Decision, decide } from './packing.rules.ts'

const packable = ['ready', 'picked', 'in_pack'] as const

export const packingServer = serve(packing, {
  get: async ({ id }, { db, now }) => found(await packingOrder(db, id, now()), 'This order does not exist'),

  find: async ({ code }, { db }) => ({ orders: await ordersMeant(db, code) }),

  async start({ id, body }, context) {
    const { db, person, record, tell, now } = context
    const order = found(await takeOrder(db, id), 'This order does not exist')
    await mustNotBeStopped(db, id)
    await touchStation(context, body.station)
    const open = await openSession(db, id)
    if (!open) {
      await claim(context, order, body.station)
    } else if (open.user_id !== person.id || open.station !== body.station || open.state === 'parked') {
      if (['closing', 'labelling'].includes(open.state))
        throw conflict('The label of this order is being made at {{station}}', { station: open.station })
      const own = open.user_id === person.id
      if (!own && !isFree(open, now())) {
        if (!body.take_over)
          throw conflict(
            '{{name}} has it at {{station}}',
            { name: open.user_name, station: open.station },
            { current: await shownOrder(context, id) },
          )
        if (!may(person.permissions, access.scanAdmin))
          throw forbidden('Only somebody with the right scan_admin may take an order over while {{name}} packs it', {
            name: open.user_name,
          })
      }
      await db
        .updateTable('packing_sessions')
        .set(eb => ({
          user_id: person.id,
          user_name: person.name,
          station: body.station,
          state: open.state === 'parked' ? 'open' : open.state,
          parked_reason: null,
          last_scan_at: now().toISOString(),
          version: eb('version', '+', 1),
        }))
        .where('id', '=', open.id)
        .where('ended_at', 'is', null)
        .execute()
      await record({
        kind: own ? 'packing.resumed' : 'packing.taken_over',
        order_id: id,
        company_id: order.company_id,
        subject: 'packing_session',
        subject_id: open.id,
        data: { from: open.user_name, from_station: open.station, station: body.station },
      })
    } else await db.updateTable('packing_sessions').set({ last_scan_at: now().toISOString() }).where('id', '=', open.id).execute()
    await totesOpened(context, id)
    tell('packing', id, order.company_id)
    return shownOrder(context, id)
  },

  async scan({ id, body }, context) {
    const read = readCode(body.code)
    const codes = candidates(body.code)
    const desk = await deskAt(context, id, codes, body.scan_id)
    const before = answeredBefore(desk, id)
    if (before) return before
    if (desk.stopped) return stoppedAnswer(context, id, desk, body.scan_id)
    if (desk.state !== 'open') return plainAnswer(desk, body.scan_id, 'ignored', 'This order is being closed')
    if (read.kind === 'refused')
      return keep(context, id, desk, body, { result: 'unknown', quantity: 0, text: read.reason, values: { code: read.text } })

    const rules = await serialRules(context.db, desk.company_id, desk.lines)
    const decision = decide(
      desk.lines,
      desk.meant,
      {
        codes,
        text: read.text,
        gs1_serial: read.kind === 'other' ? read.gs1?.serial : undefined,
        serial_for: body.serial_for,
        line_id: body.line_id,
      },
      (line, serial) => (line.product_id === null ? null : (rules.get(line.product_id)?.matches(serial) ?? null)),
    )
    return keep(context, id, desk, body, decision)
  },

  async count({ id, body }, context) {
    const { person } = context
    const desk = await deskAt(context, id, [], body.scan_id)
    const before = answeredBefore(desk, id)
    if (before) return before
    if (desk.stopped) return stoppedAnswer(context, id, desk, body.scan_id)
    const line = found(
      desk.lines.find(one => one.order_line_id === body.order_line_id),
      'This line is not in the order',
    )
    if (!line.no_barcode && !may(person.permissions, access.scanAdmin))
      throw forbidden('{{name}} has a barcode: scan it. Counting by hand needs the right scan_admin.', { name: line.name })
    if (line.needs_serial) throw conflict('{{name}} needs a serial number for each piece: scan it', { name: line.name })
    const packed = line.packed_qty + body.quantity
    if (packed < 0 || packed > line.qty) throw conflict('{{name}}: between 0 and {{qty}} can be packed', { name: line.name, qty: line.qty })
    const done = packed === line.qty
    const all = done && desk.lines.every(one => one.order_line_id === line.order_line_id || one.packed_qty === one.qty)
    return keep(
      context,
      id,
      desk,
      { scan_id: body.scan_id, code: `${body.quantity}`, method: 'manual' },
      {
        result: all ? 'order_done' : done ? 'line_done' : 'ok',
        quantity: body.quantity,
        line,
        text: all ? 'Everything is packed' : '{{name}}: {{packed}} of {{qty}}',
        values: { name: line.name, packed, qty: line.qty },
      },
    )
  },

  async undo({ id, body }, context) {
    const { db } = context
    const desk = await deskAt(context, id, [], body.scan_id)
    const before = answeredBefore(desk, id)
    if (before) return before
    if (desk.state !== 'open') return plainAnswer(desk, body.scan_id, 'ignored', 'This order is being closed')
    const last = await db
      .selectFrom('packing_scans')
      .select(['id', 'order_line_id', 'quantity', 'serial', 'parcel_no'])
      .where('session_id', '=', desk.session_id)
      .where('quantity', '>', 0)
      .where('undone_by', 'is', null)
      .orderBy('at', 'desc')
      .limit(1)
      .executeTakeFirst()
    const line = last && desk.lines.find(one => one.order_line_id === last.order_line_id)
    if (!last || !line) return plainAnswer(desk, body.scan_id, 'ignored', 'There is nothing to take back')
    await db.updateTable('packing_scans').set({ undone_by: body.scan_id }).where('id', '=', last.id).execute()
    if (last.serial !== null)
      await db
        .updateTable('order_serials')
        .set({ removed_at: context.now().toISOString() })
        .where('order_line_id', '=', line.order_line_id)
        .where('serial', '=', last.serial)
        .where('removed_at', 'is', null)
        .execute()
    return keep(
      context,
      id,
      { ...desk, parcel_no: last.parcel_no },
      { scan_id: body.scan_id, code: 'CMD:UNDO', method: 'scan' },
      { result: 'undone', quantity: -last.quantity, line, text: 'Taken back: {{name}}', values: { name: line.name } },
    )
  },

  async nextParcel({ id }, context) {
    const { db } = context
    const session = await ownSession(context, id)
    const { n } = await db
      .selectFrom('parcel_lines')
      .select(eb => eb.fn.coalesce(eb.fn.sum<number>('qty'), sql<number>`0`).as('n'))
      .where('order_id', '=', id)
      .where('parcel_no', '=', session.parcel_no)
      .executeTakeFirstOrThrow()
    if (Number(n) === 0) throw conflict('Parcel {{parcel}} is empty: pack something first', { parcel: session.parcel_no })
    await db
      .updateTable('packing_sessions')
      .set(eb => ({ parcel_no: eb('parcel_no', '+', 1), version: eb('version', '+', 1) }))
      .where('id', '=', session.id)
      .execute()
    await context.record({
      kind: 'packing.next_parcel',
      order_id: id,
      company_id: session.company_id,
      data: { parcel_no: session.parcel_no + 1 },
    })
    return shownOrder(context, id)
  },

  async park({ id, body }, context) {
    const session = await ownSession(context, id, ['open', 'label_error', 'label_check'])
    await context.db
      .updateTable('packing_sessions')
      .set(eb => ({
        state: session.state === 'open' ? 'parked' : session.state,
        parked_reason: body.reason || session.parked_reason,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', session.id)
      .execute()
    await totesLeft(context, id)
    await context.record({ kind: 'packing.parked', order_id: id, company_id: session.company_id, data: { reason: body.reason } })
    context.tell('packing', id, session.company_id)
  },

  async abort({ id, body }, context) {
    const { db, now, record, tell } = context
    const order = found(await takeOrder(db, id), 'This order does not exist')
    const session = await ownSession(context, id, ['open', 'parked', 'label_error'])
    if (body.empty) await emptyBoxes(context, id)
    await db
      .updateTable('packing_sessions')
      .set(eb => ({ state: 'aborted', ended_at: now().toISOString(), version: eb('version', '+', 1) }))
      .where('id', '=', session.id)
      .execute()
    const picked = await db
      .selectFrom('order_lines')
      .select(eb => eb.fn.countAll<number>().as('n'))
      .where('order_id', '=', id)
      .where('picked_qty', '>', 0)
      .executeTakeFirstOrThrow()
    await changeOrder(context, id, { from: ['in_pack'], set: { work_state: picked.n > 0 ? 'picked' : 'ready', label_error: false } })
    await totesLeft(context, id)
    await record({
      kind: 'packing.aborted',
      order_id: id,
      company_id: order.company_id,
      subject: 'packing_session',
      subject_id: session.id,
      data: { empty: body.empty },
    })
    tell('packing', id, order.company_id)
  },

  async putBack({ id }, context) {
    const { db, now, tell } = context
    const order = found(await takeOrder(db, id), 'This order does not exist')
    if (order.cancelled_at === null || !order.put_back_due) throw conflict('Nothing of this order waits to be put back')
    await emptyBoxes(context, id)
    await db
      .updateTable('packing_sessions')
      .set({ state: 'aborted', ended_at: now().toISOString() })
      .where('order_id', '=', id)
      .where('ended_at', 'is', null)
      .execute()
    await changeOrder(context, id, { even_cancelled: true, set: { put_back_due: false }, event: { kind: 'order.put_back' } })
    await totesCleared(context, id, context.person)
    tell('packing', id, order.company_id)
  },

  async linkBarcode({ id, body }, { db, record }) {
    const line = found(
      await db
        .selectFrom('order_lines')
        .select(['product_id', 'company_id', 'name'])
        .where('order_id', '=', id)
        .where('id', '=', body.order_line_id)
        .executeTakeFirst(),
      'This line is not in the order',
    )
    if (line.product_id === null) throw conflict('{{name}} is no known product yet', { name: line.name })
    const read = readCode(body.code)
    if (read.kind !== 'other') throw conflict('This code has another meaning here')
    await db
      .insertInto('product_barcodes')
      .values({ company_id: line.company_id, product_id: line.product_id, barcode: read.text })
      .onConflict(c => c.doNothing())
      .execute()
    await record({
      kind: 'product.barcode_linked',
      order_id: id,
      company_id: line.company_id,
      subject: 'product',
      subject_id: line.product_id,
      data: { barcode: read.text, name: line.name },
    })
  },

  async bypass({ id, body }, outside) {
    const company = await outside.work(async ({ db, person }) => ({ settings: await companySettings(db, person.company.id) }))
    if (company.settings.bypass_needs_pin) await requirePin(outside, body.pin)
    return outside.work(async context => {
      const { db, person, record, tell } = context
      const order = found(await takeOrder(db, id), 'This order does not exist')
      await mustNotBeStopped(db, id)
      const session = await ownSession(context, id)
      const serials = await db
        .selectFrom('order_lines as l')
        .leftJoin('products as p', 'p.id', 'l.product_id')
        .select('l.name')
        .where('l.order_id', '=', id)
        .where('l.type', '=', 'item')
        .where(eb => eb.or([eb('l.serial_required', '=', true), eb('p.serial_required', '=', true)]))
        .whereRef('l.packed_qty', '<', eb => eb('l.qty', '-', eb.ref('l.cancelled_qty')))
        .executeTakeFirst()
      if (serials) throw conflict('{{name}} needs a serial number for each piece: scan it', { name: serials.name })
      await sql`with left_over as (
          update order_lines set packed_qty = qty - cancelled_qty
          where operator_id = scope_operator() and company_id = any (scope_companies()) and order_id = ${id} and type = 'item' and requires_shipping and packed_qty < qty - cancelled_qty
          returning id, (select old.packed_qty from order_lines old where old.operator_id = order_lines.operator_id and old.id = order_lines.id) before, packed_qty),
        noted as (
          insert into packing_scans (company_id, id, session_id, order_id, raw, result, order_line_id, quantity, method, parcel_no, user_id, station)
          select ${order.company_id}, gen_random_uuid(), ${session.id}, ${id}, ${body.reason}, 'ok', id, packed_qty - before, 'bypass', ${session.parcel_no}, ${person.id}, ${session.station} from left_over)
        insert into parcel_lines (company_id, order_id, parcel_no, order_line_id, qty)
        select ${order.company_id}, ${id}, ${session.parcel_no}, id, packed_qty - before from left_over
        on conflict (operator_id, order_id, parcel_no, order_line_id) do update set qty = parcel_lines.qty + excluded.qty`.execute(db)
      await record({
        kind: 'packing.bypassed',
        order_id: id,
        company_id: order.company_id,
        subject: 'packing_session',
        subject_id: session.id,
        data: { reason: body.reason },
      })
      tell('packing', id, order.company_id)
      return shownOrder(context, id)
    })
  },

  close: ({ id, body }, outside) => closeOrder(outside, id, body),

  checkLabel: ({ order_overview_id, barcode }, { work }) =>
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
    }),

  printSlip: ({ id, printer, disable_cache }, outside) => printSlip(outside, id, printer, disable_cache !== undefined),

  async pinRequired(_, { db, person }) {
    const settings = await companySettings(db, person.company.id)
    return { required: settings.bypass_needs_pin && (await pinOf(db, person.company.id)) !== undefined }
  },
})

/** Registers a station at its first use. */
async function touchStation({ db, now }: Context, name: string): Promise<void> {
  await sql`insert into stations (name, last_used_at) values (${name}, ${now().toISOString()})
    on conflict (operator_id, lower(name)) do update set last_used_at = excluded.last_used_at`.execute(db)
}

async function claim(context: Context, order: NonNullable<Awaited<ReturnType<typeof takeOrder>>>, station: string): Promise<void> {
  const { db, person, record, now } = context
  if (order.work_state === 'new') {
    // A scan at the bench is a release, as long as nothing holds the order back.
    await changeOrder(context, order.id, {
      from: ['new'],
      set: { work_state: 'ready', release_at: null },
      event: { kind: 'order.released' },
    })
  } else if (!packable.includes(order.work_state as never)) {
    if (order.work_state === 'in_pick')
      throw conflict('This order is still being picked', {}, { current: await shownOrder(context, order.id) })
    throw conflict('This order is packed already', {}, { current: await shownOrder(context, order.id) })
  }
  if (order.phase === 'short')
    throw conflict(
      'Pieces of this order were not found: somebody has to decide first what becomes of it',
      {},
      { current: await shownOrder(context, order.id) },
    )
  if (order.work_state === 'ready' || order.work_state === 'new') {
    const settings = await companySettings(db, order.company_id)
    if (!settings.pack_without_pick_list) throw conflict('This order has not been picked yet, and the company packs only what was picked')
  }
  const earlier = await db
    .selectFrom('shipments')
    .select(eb => eb.fn.max('parcel_no').as('parcel_no'))
    .where('order_id', '=', order.id)
    .where('operation_code', '=', 'outbound')
    .where('state', 'not in', ['cancelled', 'barred', 'error', 'draft'])
    .executeTakeFirst()
  const session = await db
    .insertInto('packing_sessions')
    .values({
      company_id: order.company_id,
      order_id: order.id,
      user_id: person.id,
      user_name: person.name,
      station,
      parcel_no: (earlier?.parcel_no ?? 0) + 1,
      opened_at: now().toISOString(),
      last_scan_at: now().toISOString(),
    })
    .onConflict(c => c.columns(['operator_id', 'order_id']).where('ended_at', 'is', null).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!session) throw conflict('Somebody opened this order at the same moment. Scan it again.')
  await changeOrder(context, order.id, { from: packable, set: { work_state: 'in_pack' } })
  await record({
    kind: 'packing.started',
    order_id: order.id,
    company_id: order.company_id,
    subject: 'packing_session',
    subject_id: session.id,
    data: { station },
  })
}

const shownOrder = async ({ db, now }: Context, id: number): Promise<PackingOrder> =>
  found(await packingOrder(db, id, now()), 'This order does not exist')

/** The open session, in this person's hands. */
async function ownSession({ db, person }: Context, order_id: number, states: readonly string[] = ['open']) {
  const session = found(await openSession(db, order_id), 'This order is not open at any station')
  if (session.user_id !== person.id) throw conflict('{{name}} has it at {{station}}', { name: session.user_name, station: session.station })
  if (!states.includes(session.state)) throw conflict('This order is being closed')
  return session
}

async function deskAt({ db, person, station }: Context, order_id: number, codes: readonly string[], scan_id: string): Promise<Desk> {
  const desk = await deskOf(db, order_id, codes, scan_id)
  if (!desk) {
    const order = await db.selectFrom('orders').select('id').where('id', '=', order_id).executeTakeFirst()
    if (!order) throw notFound('This order does not exist')
    throw conflict('This order is not open here. Scan its code again.')
  }
  if (!desk.answered && (desk.user_id !== person.id || (station !== '' && station !== desk.station)))
    throw conflict('{{name}} has it at {{station}}', { name: desk.user_name, station: desk.station })
  return desk
}

type Kept = Omit<ScanAnswer, 'line' | 'packed' | 'to_pack'> & { line_id: number | null }

/** The same scan sent again: the same answer, with the counters as they are now. */
function answeredBefore(desk: Desk, order_id: number): ScanAnswer | undefined {
  if (!desk.answered) return undefined
  if (desk.answered.order_id !== order_id) throw conflict('This scan belongs to another order')
  const { line_id, ...kept } = desk.answered.answer as Kept
  const line = desk.lines.find(one => one.order_line_id === line_id)
  return {
    ...kept,
    line: line ? { order_line_id: line.order_line_id, qty: line.qty, packed_qty: line.packed_qty } : null,
    ...totalsOf(desk.lines),
  }
}

const plainAnswer = (
  desk: Desk,
  scan_id: string,
  result: ScanAnswer['result'],
  text: string,
  values: ScanAnswer['values'] = {},
): ScanAnswer => ({
  scan_id,
  result,
  counted: 0,
  text,
  values,
  line: null,
  product: null,
  choices: [],
  ...totalsOf(desk.lines),
})

async function stoppedAnswer({ db }: Context, order_id: number, desk: Desk, scan_id: string): Promise<ScanAnswer> {
  const stop = await stopOf(db, order_id)
  return plainAnswer(desk, scan_id, 'stopped', stop?.text ?? 'This order was stopped', stop?.values ?? {})
}

/** Writes the scan down with its answer, counts, and keeps the serial number – or refuses as one. */
async function keep(
  context: Context,
  order_id: number,
  desk: Desk,
  body: { scan_id: string; code: string; method: ScanRow['method'] },
  decision: Decision,
): Promise<ScanAnswer> {
  const { db, person, tell } = context
  const line = decision.line
  const serial = decision.serial ?? null
  if (serial !== null && line && line.sku_key !== null && decision.quantity > 0) {
    const used = await takeSerial(context, desk, order_id, line.order_line_id, line.sku_key, serial)
    if (used)
      return keep(context, order_id, desk, body, {
        result: 'serial_refused',
        quantity: 0,
        line,
        text: '{{code}} went out with order {{order_no}} already',
        values: { code: serial, order_no: used.order_no },
      })
  }
  const kept: Kept = {
    scan_id: body.scan_id,
    result: decision.result,
    counted: decision.quantity,
    text: decision.text,
    values: decision.values,
    product: decision.product
      ? {
          product_id: decision.product.product_id,
          sku: decision.product.sku,
          name: decision.product.name,
          has_picture: decision.product.has_picture,
        }
      : null,
    choices: decision.choices ?? [],
    line_id: line?.order_line_id ?? null,
  }
  const packed_qty = await writeScan(db, desk, { user_id: person.id, station: desk.station }, order_id, {
    id: body.scan_id,
    raw: body.code.slice(0, 256),
    result: decision.result,
    order_line_id: line?.order_line_id ?? null,
    product_id: decision.product?.product_id ?? line?.product_id ?? null,
    quantity: decision.quantity,
    serial,
    method: body.method,
    answer: kept,
  })
  // Sent twice at the same moment, or taken over between reading and writing: the client asks again and is told.
  if (packed_qty === undefined) throw conflict('Somebody else is changing this right now. Try again.')
  tell('packing', order_id, desk.company_id)
  const lines = desk.lines.map(one => (one.order_line_id === line?.order_line_id && packed_qty !== null ? { ...one, packed_qty } : one))
  const { line_id, ...answer } = kept
  const now = lines.find(one => one.order_line_id === line_id)
  return {
    ...answer,
    line: now ? { order_line_id: now.order_line_id, qty: now.qty, packed_qty: now.packed_qty } : null,
    ...totalsOf(lines),
  }
}

/** Keeps a serial number for this line; answers the order that has it when it went out before. */
async function takeSerial(
  { db }: Context,
  desk: Desk,
  order_id: number,
  order_line_id: number,
  sku_key: string,
  serial: string,
): Promise<{ order_no: string } | undefined> {
  const taken = await db
    .insertInto('order_serials')
    .values({ company_id: desk.company_id, order_id, order_line_id, sku_key, serial, session_id: desk.session_id })
    .onConflict(c =>
      c
        .columns(['operator_id', 'company_id', 'sku_key', 'serial'])
        .where('removed_at', 'is', null)
        .where('returned_at', 'is', null)
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (taken) return undefined
  return (await serialUsed(db, desk.company_id, sku_key, serial)) ?? { order_no: desk.order_no }
}

/** Everything that is in boxes without a live label comes out again. */
async function emptyBoxes({ db, now }: Context, order_id: number): Promise<void> {
  await sql`with out as (
      delete from parcel_lines b where b.operator_id = scope_operator() and b.company_id = any (scope_companies()) and b.order_id = ${order_id}
        and not exists (select from shipments s where s.operator_id = b.operator_id and s.order_id = b.order_id and s.parcel_no = b.parcel_no
          and s.operation_code = 'outbound' and s.state not in ('cancelled', 'barred', 'error', 'draft'))
      returning order_line_id, qty)
    update order_lines l set packed_qty = l.packed_qty - sums.qty
    from (select order_line_id, sum(qty)::integer qty from out group by order_line_id) sums
    where l.operator_id = scope_operator() and l.company_id = any (scope_companies()) and l.id = sums.order_line_id`.execute(db)
  await db
    .updateTable('order_serials')
    .set({ removed_at: now().toISOString() })
    .where('order_id', '=', order_id)
    .where('removed_at', 'is', null)
    .where('order_line_id', 'in', eb =>
      eb
        .selectFrom('order_lines')
        .select('order_lines.id')
        .where('order_lines.order_id', '=', order_id)
        .where('order_lines.packed_qty', '=', 0),
    )
    .execute()
}

/** The orders that a code at an idle bench can mean. */
async function ordersMeant(db: Context['db'], raw: string) {
  const code = readCode(raw)
  const list = db
    .selectFrom('orders as o')
    .innerJoin('companies as c', 'c.id', 'o.company_id')
    .select(['o.id as order_id', 'o.order_no', 'c.code as company', 'o.customer_name', 'o.phase'])
    .limit(10)
  type Row = Awaited<ReturnType<(typeof list)['execute']>>[number]
  const as = (rows: Row[], found_by: string) => rows.map(row => ({ ...row, found_by }))
  if (code.kind === 'order')
    return as(await list.where('o.id', '=', code.order_id).where('o.company_id', '=', code.company_id).execute(), 'order_code')
  if (code.kind === 'paperless') {
    return as(await list.where('o.id', '=', await orderOfCode(db, code.digits)).execute(), 'paperless')
  }
  if (code.kind === 'refused' || code.kind === 'command') return []
  const number = scannedNumber(raw)
  const byParcel = await list
    .innerJoin('shipments as s', 's.order_id', 'o.id')
    .where(eb =>
      eb.or([
        eb('s.tracking_no', '=', sql<string>`any(${[code.text, number]})`),
        eb('s.barcode', '=', sql<string>`any(${[code.text, number, `00${number}`]})`),
      ]),
    )
    .execute()
  if (byParcel.length > 0) return as(byParcel, 'parcel')
  const plain = code.text.replace(/^#/, '')
  return as(
    await list
      .where('o.order_no', '=', sql<string>`any(${[code.text, plain, `#${plain}`]})`)
      .orderBy('o.id', 'desc')
      .execute(),
    'order_no',
  )
}
