/** A scan is answered: what it means is decided, written down and counted, once for each scan of a station. */
import * as z from 'zod'
import { access, isAllowed } from '#contract/access.ts'
import type { HandlerInput } from '#contract/endpoint.ts'
import { conflict, forbidden, notFound, orNotFound } from '#contract/errors.ts'
import { candidates, readCode } from '#domain/codes.ts'
import { scannedAddition } from '#features/orders/additional-products/additional-products.queries.ts'
import { decideAddition, planAdditionAgain } from '#features/orders/additional-products/order-additions.commands.ts'
import { stopOf } from '#features/orders/orders/holds.queries.ts'
import { isFor, missingApproval, neededFor } from '#features/packing/approval/approval.rules.ts'
import { askApproval, markUsed } from '#features/packing/approval/approval-requests.commands.ts'
import { askedRules } from '#features/packing/approval/approval-requests.queries.ts'
import {
  keptRules,
  policyOf,
  readRules,
  type SerialPolicy,
  type SerialRule,
} from '#features/packing/serial-numbers/serial-numbers.queries.ts'
import { serialKey } from '#features/packing/serial-numbers/serial-numbers.rules.ts'
import { unitsOfCode } from '#features/packing/serial-numbers/serial-units.queries.ts'
import type { StoredUnit } from '#features/packing/serial-numbers/serial-units.rules.ts'
import { readWeight } from '#features/packing/weighings/weight.rules.ts'
import { returnToCrate, scanCrate } from '#features/shipping/crate-choice/crate-use.commands.ts'
import { commitWithNextStatement } from '#platform/database/database.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { mustBeUnlabelled } from './next-parcel.server.ts'
import type { packing } from './packing.contract.ts'
import { keptPack, type PackingState, packingState, type ScanRow, totalsOf, writeScan } from './packing.queries.ts'
import { type Decision, decide, missingSerials, type OpenPack, packOf } from './packing.rules.ts'
import type { ScanAnswer } from './packing.schemas.ts'
import {
  bundleOfCode,
  crateScannedBefore,
  lastCounted,
  markUndone,
  productOfOtherShop,
  scansOfPack,
  wantedOnSameWagon,
} from './scan.queries.ts'
import { scannedCrate, withBox } from './scanned-crates.server.ts'
import { alarmOf, labelOfCode } from './scanned-labels.queries.ts'
import { assignPack, assignSerial, freeSerials } from './serials.commands.ts'

export function scanCode({ id, body }: HandlerInput<typeof packing.scan>, context: Context): Promise<ScanAnswer> {
  const codes = candidates(body.code)
  return answerScan(context, id, codes, body.scan_id, desk => judgeCode(context, id, desk, body, codes))
}

async function judgeCode(
  context: Context,
  id: number,
  desk: PackingState,
  body: HandlerInput<typeof packing.scan>['body'],
  codes: readonly string[],
): Promise<ScanAnswer> {
  const read = readCode(body.code)
  if (read.kind === 'refused')
    return recordScan(context, id, desk, body, { result: 'unknown', quantity: 0, text: read.reason, values: { code: read.text } })

  const serials = await serialsOf(context, desk, body.serial_for)
  const ruleOf = (line: Decision['line']) => (line?.product_id == null ? undefined : serials?.rules.get(line.product_id))
  const pack = packAt(desk)
  const judged = decide(
    desk.lines,
    desk.meant,
    {
      codes,
      scan_id: body.scan_id,
      pack,
      text: read.text,
      gs1_serial: read.kind === 'other' ? read.gs1?.serial : undefined,
      serial_for: body.serial_for,
      line_id: body.line_id,
      ...(serials && {
        min_serial_length: serials.settings.min_length,
        ask_at: serials.settings.ask_at,
        typed_refused: body.method === 'typed' && !serials.settings.allow_typed,
      }),
    },
    (line, serial) => ruleOf(line)?.matches(serial) ?? null,
  )
  const decision = withSerial(judged, ruleOf(judged.line))
  const letIn = async (one: Decision) => withApproval(context, id, desk, await withBox(context, id, desk, body, one))
  const units = await knownUnits(context, desk, codes, serials, decision)
  const pieces = packOfUnits(desk, body, read.text, serials, units.of_pack)
  if (pieces) return recordScan(context, id, desk, { ...body, ...(serials && { serials }) }, await letIn(pieces))
  const parts = isElse(decision) ? await withParts(context, id, desk, codes) : undefined
  if (parts) return recordScan(context, id, desk, body, parts)
  const added = isElse(decision) ? await withAddition(context, id, desk, codes) : undefined
  if (added) return recordScan(context, id, desk, body, added)
  const label = decision.by_rule ? await withLabel(context, id, read.text, unknownCode(read.text)) : undefined
  if (label && label.result !== 'unknown') return recordScan(context, id, desk, body, label)
  const meant = await withHint(context, id, desk, body.code, codes, decision)
  const approved = await letIn(meant.result === 'unknown' ? await withLabel(context, id, read.text, asWeight(read.text, meant)) : meant)
  const of_pack = body.serial_for === pack?.order_line_id ? pack : null
  return recordScan(context, id, desk, { ...body, of_pack, units: units.of_serial, ...(serials && { serials }) }, approved)
}

/** No code of the order's items: what else it may be is looked up first, also where it could be a serial number that nothing asked for. */
const isElse = ({ result, by_rule }: Decision): boolean => result === 'unknown' || result === 'wrong' || by_rule === true
const unknownCode = (code: string): Decision => ({ result: 'unknown', quantity: 0, text: 'Unknown barcode: {{code}}', values: { code } })

/**
 * Imported serial numbers that a code means: one of them, or all of an outer pack. A pack is looked up where the order asks for serial
 * numbers and the code is no product of the company, or where nothing else is known of it.
 */
async function knownUnits(
  { db }: Context,
  desk: PackingState,
  codes: readonly string[],
  serials: SerialPolicy | undefined,
  { serial, result }: Decision,
): Promise<{ of_pack: StoredUnit[]; of_serial: StoredUnit[] }> {
  const packs = desk.meant.length === 0 && (serials || result === 'unknown') ? codes : []
  const key = serial === undefined ? null : serialKey(serial, desk.serials.letters)
  if (!desk.has_units || (packs.length === 0 && key === null)) return { of_pack: [], of_serial: [] }
  const units = await unitsOfCode(db, desk.company_id, packs, key)
  const pack = units.find(unit => unit.pack_code !== null && packs.includes(unit.pack_code))?.pack_code
  return {
    of_pack: pack == null ? [] : units.filter(unit => unit.pack_code === pack && unit.state !== 'removed'),
    of_serial: units.filter(unit => unit.serial_key === key),
  }
}

/** The code of an outer pack whose serial numbers are known: all its pieces at once, or none. */
function packOfUnits(
  desk: PackingState,
  { method }: { method?: string | undefined },
  code: string,
  serials: SerialPolicy | undefined,
  units: readonly StoredUnit[],
): Decision | undefined {
  const [first] = units
  if (!first) return undefined
  const refuse = (text: string, values: Decision['values'], line?: Decision['line']): Decision => ({
    ...{ result: 'serial_refused', quantity: 0, text, values },
    ...(line && { line }),
  })
  const lines = desk.lines.filter(one => one.sku_key === first.sku_key && one.needs_serial)
  const [some] = lines
  if (!serials || !some)
    return refuse('{{code}} is a multipack of {{sku}}, which does not belong to this order', { code, sku: first.sku_key })
  if (method === 'typed' && !serials.settings.allow_typed) return refuse('Serial numbers are scanned here, not typed', {}, some)
  const held = units.find(unit => unit.state === 'recalled') ?? units.find(unit => unit.state === 'sent')
  if (held)
    return held.state === 'recalled'
      ? refuse('{{serial}} in this multipack is recalled', { serial: held.serial }, some)
      : refuse('{{serial}} of this multipack is packed or sent already', { serial: held.serial }, some)
  const pieces = units.length
  // Pieces that were counted before, whose serial numbers are still missing.
  const late = lines.find(one => missingSerials(one, serials.settings.ask_at) >= pieces)
  const line = late ?? lines.find(one => one.qty - one.packed_qty >= pieces)
  if (!line) {
    const open = lines.find(one => one.packed_qty < one.qty) ?? some
    return {
      ...{ result: 'over', quantity: 0, line: open, text: 'This pack holds {{pieces}}, but only {{left}} of {{name}} are missing' },
      values: { pieces, left: open.qty - open.packed_qty, name: open.name },
    }
  }
  const packed = line.packed_qty + (late ? 0 : pieces)
  const after = desk.lines.map(one => (one === line ? { ...one, packed_qty: packed, serials: one.serials + pieces } : one))
  const done = after.every(one => one.packed_qty === one.qty && missingSerials(one, serials.settings.ask_at) === 0)
  return {
    result: done ? 'order_done' : packed === line.qty ? 'line_done' : 'ok',
    quantity: packed - line.packed_qty,
    line,
    units,
    pack: null,
    text: done ? 'Everything is packed' : '{{name}}: {{packed}} of {{qty}}',
    values: { name: line.name, packed, qty: line.qty },
  }
}

/** What is recorded is the serial number that the rule reads from the code. */
function withSerial(decision: Decision, rule: Pick<SerialRule, 'serialIn'> | undefined): Decision {
  if (decision.serial === undefined || !rule) return decision
  const serial = rule.serialIn(decision.serial)
  return { ...decision, serial, values: { ...decision.values, ...('serial' in decision.values && { serial }) } }
}

/** What every scan of an open order begins with: answered before, stopped, or closing, it is not judged. */
export async function answerScan(
  context: Context,
  order_id: number,
  codes: readonly string[],
  scan_id: string,
  judge: (desk: PackingState) => Promise<ScanAnswer>,
): Promise<ScanAnswer> {
  const desk = await packingStateAt(context, order_id, codes, scan_id)
  const before = repeatedAnswer(desk, order_id)
  if (before) return before
  if (desk.stopped) return stoppedAnswer(context, order_id, desk, scan_id)
  if (desk.state !== 'open') return plainAnswer(desk, scan_id, 'ignored', 'This order is being closed')
  return judge(desk)
}

/** A bundle is a name on the order: its parts are what is packed, each with its own code and serial number. */
async function withParts(
  { db }: Context,
  order_id: number,
  { meant }: PackingState,
  codes: readonly string[],
): Promise<Decision | undefined> {
  const products = meant.map(product => product.product_id)
  const bundle = await bundleOfCode(db, order_id, codes, products)
  return (
    bundle && {
      result: 'parts_shown',
      quantity: 0,
      choices: bundle.parts,
      text: '{{name}} is a bundle. Scan its parts one by one.',
      values: { name: bundle.name },
    }
  )
}

/** A code that means no item of the order may be that of an additional product, which lies in the parcel from then on. */
async function withAddition(
  context: Context,
  order_id: number,
  desk: PackingState,
  codes: readonly string[],
): Promise<Decision | undefined> {
  const addition = await scannedAddition(context.db, order_id, codes)
  if (!addition) return undefined
  const answer = { result: 'addition', quantity: 0, addition: addition.id, values: { name: addition.name } } as const
  // Nothing is taken back by what changed nothing.
  if (addition.state === 'packed') return { ...answer, result: 'ignored', text: '{{name}} is in the parcel already' }
  await decideAddition(context, {
    order_id,
    session_id: desk.session_id,
    parcel_no: desk.parcel_no,
    id: addition.id,
    by: context.principal.name,
  })
  return { ...answer, text: '{{name}} is in the parcel' }
}

/** A piece that a rule holds back is not counted before its approval; the question begins with this scan. */
async function withApproval(context: Context, order_id: number, desk: PackingState, decision: Decision): Promise<Decision> {
  const { line, product, quantity } = decision
  if (!line || quantity <= 0) return decision
  const asked = askedRules(desk.plan)
  if (asked.length === 0) return decision
  const missing = missingApproval(asked, desk.given, 'count', [line.order_line_id])
  if (missing) {
    await askApproval(context, { ...desk, id: desk.session_id, order_id }, missing)
    return {
      result: 'approval_needed',
      quantity: 0,
      line,
      ...(product && { product }),
      approval: { rule_id: missing.rule.rule_id, line_id: missing.line_id },
      text: 'Approval needed: {{rule}}',
      values: { rule: missing.rule.name },
    }
  }
  const unused = neededFor(asked, 'count', [line.order_line_id]).filter(one => desk.given.some(given => !given.used && isFor(given, one)))
  await markUsed(context.db, desk.session_id, unused)
  return decision
}

/** A scale that sends its weight like a scanner, while nothing is weighed. */
const asWeight = (code: string, decision: Decision): Decision =>
  readWeight(code) === undefined ? decision : { ...decision, text: 'This is a weight. Scan the item.', values: {} }

/** A code that no product has may be that of a label: a cancelled one stops the packer, the order's own is no item. */
async function withLabel({ db, recordEvent }: Context, order_id: number, code: string, decision: Decision): Promise<Decision> {
  const label = await labelOfCode(db, code)
  if (!label) return decision
  const alarm = await alarmOf(db, label)
  if (!alarm)
    return label.order_id === order_id ? { ...decision, result: 'ignored', text: 'This label is printed already', values: {} } : decision
  await recordEvent({
    kind: 'shipment.blocked_scanned',
    order_id: label.order_id,
    company_id: label.company_id,
    subject: 'shipment',
    subject_id: label.shipment_id,
  })
  return { ...decision, result: 'blocked_label', ...alarm }
}

const packAt = (desk: PackingState): OpenPack | null => packOf(keptPack(desk.pack), desk.lines)

/** How the order's company judges serials, by the rules that the session has kept; undefined where no line needs one. */
async function serialsOf({ db }: Context, desk: PackingState, serial_for?: number): Promise<SerialPolicy | undefined> {
  const asking = desk.lines.filter(line => line.needs_serial || line.order_line_id === serial_for)
  if (asking.length === 0) return undefined
  const kept = keptRules(desk.plan)
  const products = asking.flatMap(line => line.product_id ?? [])
  const known = kept && products.every(product => kept.products.includes(product))
  // A product that was added to the order, or needs serials, since it was opened.
  return policyOf(desk.serials, known ? kept : await readRules(db, desk.company_id, products))
}

/**
 * What else is known of a foreign product: the shop that it belongs to, or the order of the same wagon that waits for it, so that two
 * parcels are saved at once.
 */
async function withHint(
  context: Context,
  order_id: number,
  desk: PackingState,
  raw: string,
  codes: readonly string[],
  decision: Decision,
): Promise<Decision> {
  const { db } = context
  if (isElse(decision)) {
    const crate = await scannedCrate(context, order_id, desk, raw, codes)
    if (crate) return crate
  }
  if (decision.result === 'unknown') {
    const foreign = await productOfOtherShop(db, desk.company_id, codes)
    if (!foreign) return decision
    const { company_name, ...product } = foreign
    return {
      result: 'wrong_shop',
      quantity: 0,
      product: { ...product, quantity: 1 },
      text: '{{name}} belongs to {{company}}',
      values: { name: product.name, company: company_name },
    }
  }
  if (decision.result !== 'wrong' || !decision.product) return decision
  const other = await wantedOnSameWagon(db, order_id, decision.product.product_id)
  if (!other) return decision
  return {
    ...decision,
    text: '{{name}} belongs to order {{order_no}}, number {{slot}} of this wagon',
    values: { name: decision.product.name, order_no: other.order_no, slot: other.slot_no },
  }
}

export async function countByHand({ id, body }: HandlerInput<typeof packing.count>, context: Context): Promise<ScanAnswer> {
  const { principal } = context
  const desk = await packingStateAt(context, id, [], body.scan_id)
  const before = repeatedAnswer(desk, id)
  if (before) return before
  if (desk.stopped) return stoppedAnswer(context, id, desk, body.scan_id)
  const line = orNotFound(
    desk.lines.find(one => one.order_line_id === body.order_line_id),
    'line_not_in_order',
    'This line is not in the order',
  )
  if (!line.no_barcode && !isAllowed(principal.permissions, access.scanAdmin))
    throw forbidden('scan_required', '{{name}} has a barcode: scan it. Only a lead may count it by hand.', { name: line.name })
  if (line.needs_serial)
    throw conflict('serial_number_required', '{{name}} needs a serial number for each item: scan it', { name: line.name })
  const packed = line.packed_qty + body.quantity
  if (packed < 0 || packed > line.qty)
    throw conflict('quantity_out_of_range', '{{name}}: between 0 and {{qty}} can be packed', { name: line.name, qty: line.qty })
  const done = packed === line.qty
  const all = done && desk.lines.every(one => one.order_line_id === line.order_line_id || one.packed_qty === one.qty)
  const code = `${body.quantity}`
  const decision = await withBox(
    context,
    id,
    desk,
    { code },
    {
      result: all ? 'order_done' : done ? 'line_done' : 'ok',
      quantity: body.quantity,
      line,
      text: all ? 'Everything is packed' : '{{name}}: {{packed}} of {{qty}}',
      values: { name: line.name, packed, qty: line.qty },
    },
  )
  const approved = await withApproval(context, id, desk, decision)
  return recordScan(context, id, desk, { scan_id: body.scan_id, code, method: 'manual' }, approved)
}

export const undoLast = ({ id, body }: HandlerInput<typeof packing.undo>, context: Context): Promise<ScanAnswer> =>
  answerScan(context, id, [], body.scan_id, async desk => {
    const { db } = context
    const last = await lastCounted(db, id)
    if (body.pack) return undoPack(context, id, desk, body.scan_id, last && packOfScan(last))
    const nothing = () => plainAnswer(desk, body.scan_id, 'ignored', 'Nothing to undo')
    if (!last) return nothing()
    const line = desk.lines.find(one => one.order_line_id === last.order_line_id)
    const besides = line ? undefined : await takeBack(context, id, desk, last)
    if (!line && !besides) return nothing()
    if (last.parcel_no !== desk.parcel_no) await mustBeUnlabelled(context, id, last.parcel_no)
    const freed = KeptAnswer.safeParse(last.answer).data?.units ?? (last.serial === null ? [] : [last.serial])
    const answer = await recordScan(
      context,
      id,
      { ...desk, parcel_no: last.parcel_no },
      { scan_id: body.scan_id, code: 'CMD:UNDO', method: 'scan', serials_freed: freed.length },
      line
        ? {
            ...{ result: 'undone', quantity: 0 - last.quantity, line, text: 'Taken back: {{name}}', values: { name: line.name } },
            // The number of the piece before is asked for again; without one there, the pack itself is taken back.
            pack: last.result === 'serial_of_pack' ? null : packOfScan(last),
          }
        : { result: 'undone', quantity: 0, text: 'Taken back: {{name}}', values: { name: besides ?? '' } },
      'first',
    )
    if (line) await freeSerials(db, line.order_line_id, freed, context.now())
    commitWithNextStatement(db)
    await markUndone(db, { id: last.id, at: last.at, undone_by: body.scan_id })
    return answer
  })

/** The pack in which a scan counted a piece, as it was before; that of its own code. */
function packOfScan({ result, answer }: { result: string; answer: unknown }): OpenPack | null {
  const kept = KeptAnswer.safeParse(answer).data
  return keptPack(kept?.[result === 'serial_of_pack' ? 'pack' : 'of_pack'] ?? null)
}

/** Everything of a pack that lies in one parcel, in one step. */
async function undoPack(
  context: Context,
  order_id: number,
  desk: PackingState,
  scan_id: string,
  pack: OpenPack | null | undefined,
): Promise<ScanAnswer> {
  const { db } = context
  const scans = pack ? await scansOfPack(db, desk.session_id, pack.scan_id) : []
  const line = desk.lines.find(one => one.order_line_id === pack?.order_line_id)
  const parcel_no = scans[0]?.parcel_no
  if (!line || parcel_no === undefined) return plainAnswer(desk, scan_id, 'ignored', 'Nothing to undo')
  if (parcel_no !== desk.parcel_no) await mustBeUnlabelled(context, order_id, parcel_no)
  const taken = scans.filter(scan => scan.parcel_no === parcel_no)
  const serials = taken.flatMap(scan => scan.serial ?? [])
  const quantity = 0 - taken.reduce((sum, scan) => sum + scan.quantity, 0)
  const values = { name: line.name, n: -quantity }
  const answer = await recordScan(
    context,
    order_id,
    { ...desk, parcel_no },
    { scan_id, code: 'CMD:UNDO', method: 'scan', serials_freed: serials.length },
    { result: 'undone', quantity, line, pack: null, text: 'Pack taken back: {{name}}, {{n}} pieces', values },
    'first',
  )
  await freeSerials(db, line.order_line_id, serials, context.now())
  for (const { id, at } of taken) await markUndone(db, { id, at, undone_by: scan_id })
  return answer
}

/** A scanned box gives way to the one before it; an additional product waits again. Answers its name, undefined where nothing changed. */
async function takeBack(
  context: Context,
  order_id: number,
  { session_id, company_id }: PackingState,
  scan: { id: string; result: string; parcel_no: number; answer: unknown },
): Promise<string | undefined> {
  const kept = KeptAnswer.safeParse(scan.answer).data
  if (scan.result === 'addition')
    return kept?.addition == null ? undefined : await planAdditionAgain(context, { order_id, id: kept.addition, parcel_no: scan.parcel_no })
  if (!kept?.crate) return undefined
  const before = await crateScannedBefore(context.db, session_id, scan.parcel_no, scan.id)
  await returnToCrate(
    context.db,
    { order_id, company_id, parcel_no: scan.parcel_no },
    KeptAnswer.safeParse(before?.answer).data?.crate?.id ?? null,
  )
  return kept.crate.name
}

async function packingStateAt(
  { db, principal, station }: Context,
  order_id: number,
  codes: readonly string[],
  scan_id: string,
): Promise<PackingState> {
  const desk = await packingState(db, order_id, codes, scan_id)
  if (!desk) {
    const order = await db.selectFrom('orders').select('id').where('id', '=', order_id).executeTakeFirst()
    if (!order) throw notFound('order_not_found', 'Order not found')
    throw conflict('packing_session_closed', 'This order is not open here. Scan its code again.')
  }
  if (!desk.answered && (desk.user_id !== principal.id || (station !== '' && station !== desk.station)))
    throw conflict('order_busy', '{{name}} has it at {{station}}', { name: desk.user_name, station: desk.station })
  return desk
}

/** Of an answer that is stored: what a scan can be taken back by. */
const KeptAnswer = z.object({
  addition: z.number().nullish(),
  crate: z.object({ id: z.number(), name: z.string() }).nullish(),
  pack: z.unknown().optional(),
  of_pack: z.unknown().optional(),
  units: z.array(z.string()).optional(),
})

/** `of_pack`: the pack in which the scan counted a piece, as it was before. */
type StoredAnswer = Omit<ScanAnswer, 'line' | 'packed' | 'to_pack' | 'pack'> & {
  line_id: number | null
  pack?: OpenPack | null
  of_pack?: OpenPack | null
  /** The serial numbers of the outer pack that the scan counted. */
  units?: string[]
}

const packAnswer = (pack: OpenPack | null): ScanAnswer['pack'] =>
  pack && { order_line_id: pack.order_line_id, pieces: pack.pieces, given: pack.given }

function lineAnswer({ serials: { ask_at } }: PackingState, lines: PackingState['lines'], line_id: number | null): ScanAnswer['line'] {
  const line = lines.find(one => one.order_line_id === line_id)
  if (!line) return null
  const { order_line_id, qty, packed_qty } = line
  return { order_line_id, qty, packed_qty, missing_serials: missingSerials(line, ask_at) }
}

/** The same scan sent again: the same answer, with the counters as they are now. */
function repeatedAnswer(desk: PackingState, order_id: number): ScanAnswer | undefined {
  if (!desk.answered) return undefined
  if (desk.answered.order_id !== order_id) throw conflict('scan_of_other_order', 'This scan belongs to another order')
  const { line_id, pack, of_pack: _before, units: _units, ...kept } = desk.answered.answer as StoredAnswer
  const asked = pack ? packAnswer(packAt(desk)) : null
  return { ...kept, line: lineAnswer(desk, desk.lines, line_id), pack: asked, ...totalsOf(desk.lines) }
}

const plainAnswer = (
  desk: PackingState,
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
  approval: null,
  crate: null,
  addition: null,
  pack: null,
  ...totalsOf(desk.lines),
})

async function stoppedAnswer({ db }: Context, order_id: number, desk: PackingState, scan_id: string): Promise<ScanAnswer> {
  const stop = await stopOf(db, order_id)
  return plainAnswer(desk, scan_id, 'stopped', stop?.text ?? 'This order was stopped', stop?.values ?? {})
}

/** Writes the scan down with its answer, counts, and keeps the serial number – or refuses as one. `last`: nothing comes after it. */
export async function recordScan(
  context: Context,
  order_id: number,
  desk: PackingState,
  body: {
    scan_id: string
    code: string
    method: ScanRow['method']
    serials?: SerialPolicy
    serials_freed?: number
    /** Imported serial numbers that are equal to the scanned one. */
    units?: readonly StoredUnit[]
    /** The pack whose serial number was asked for. */
    of_pack?: OpenPack | null
  },
  decision: Decision,
  place: 'first' | 'last' = 'last',
): Promise<ScanAnswer> {
  const { db, principal, notify } = context
  const line = decision.line
  const serial = decision.serial ?? null
  if (serial !== null && body.serials && line && line.sku_key !== null) {
    const { used, barred } = await assignSerial(
      context.db,
      { ...desk, order_id },
      { ...line, sku_key: line.sku_key },
      serial,
      body.serials,
      { units: body.units ?? [], once_of_line: body.of_pack != null },
    )
    if (barred) return recordScan(context, order_id, desk, body, { result: 'serial_refused', quantity: 0, line, ...barred })
    if (used)
      return recordScan(context, order_id, desk, body, {
        result: 'serial_refused',
        quantity: 0,
        line,
        ...(used.order_id === order_id
          ? { text: '{{code}} is recorded for this order already', values: { code: serial } }
          : { text: '{{code}} went out with order {{order_no}} already', values: { code: serial, order_no: used.order_no } }),
      })
  }
  if (decision.units && body.serials && line && line.sku_key !== null) {
    const { used } = await assignPack(db, { ...desk, order_id }, { ...line, sku_key: line.sku_key }, decision.units, body.serials)
    if (used)
      return recordScan(context, order_id, desk, body, {
        ...{ result: 'serial_refused', quantity: 0, line },
        ...{ text: '{{code}} went out with order {{order_no}} already', values: { code: used.serial, order_no: used.order_no } },
      })
  }
  const of_pack = body.of_pack ?? null
  // Refused or held back, the number of the same piece is asked for again.
  const asked = decision.pack === undefined ? of_pack : decision.pack
  const kept: StoredAnswer = {
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
    approval: decision.approval ?? null,
    crate: decision.crate ? { id: decision.crate.id, name: decision.crate.name, code: decision.crate.code } : null,
    addition: decision.addition ?? null,
    line_id: line?.order_line_id ?? null,
    ...(asked && { pack: asked }),
    ...(decision.units && { units: decision.units.map(unit => unit.serial) }),
    ...(of_pack && decision.quantity > 0 && { of_pack }),
  }
  if (decision.crate) await scanCrate(db, { ...desk, order_id }, decision.crate)
  // What was kept beside the scan goes with it, or not at all.
  if (place === 'last' && serial === null && !decision.units && !decision.crate && !decision.addition) commitWithNextStatement(db)
  const packed_qty = await writeScan(db, desk, { user_id: principal.id, user_name: principal.name, station: desk.station }, order_id, {
    id: body.scan_id,
    raw: body.code.slice(0, 256),
    result: decision.result,
    order_line_id: line?.order_line_id ?? null,
    product_id: decision.product?.product_id ?? line?.product_id ?? null,
    quantity: decision.quantity,
    serial,
    method: body.method,
    answer: kept,
    ...(decision.pack !== undefined && { pack: decision.pack }),
  })
  // Sent twice at the same moment, or taken over between reading and writing: the client asks again and gets the answer.
  if (packed_qty === undefined) throw conflict('busy', 'Someone else is changing this right now. Try again.')
  notify('packing', order_id, desk.company_id)
  const lines = desk.lines.map(one =>
    one.order_line_id === line?.order_line_id
      ? {
          ...one,
          packed_qty: packed_qty ?? one.packed_qty,
          serials: one.serials + (serial === null ? (decision.units?.length ?? 0) : 1) - (body.serials_freed ?? 0),
        }
      : one,
  )
  const { line_id, pack: _pack, of_pack: _before, units: _units, ...answer } = kept
  return { ...answer, line: lineAnswer(desk, lines, line_id), pack: packAnswer(asked), ...totalsOf(lines) }
}
