/** Events about one line: scanned, picked, set aside, missing, damaged, a full tote, an empty bin. */
import { AppError } from '#contract/errors.ts'
import { candidates } from '#domain/codes.ts'
import { bindCode } from '#features/warehouse/paperless/bind-codes.commands.ts'
import { settleList } from '#features/warehouse/pick-lists/pick-lists.queries.ts'
import { noteShort, takeLine, writePick, writeShort, writeSkip } from '#features/warehouse/pick-lists/pick-scans.commands.ts'
import { pickSlot } from '#features/warehouse/pick-lists/slots.commands.ts'
import { askCount, foundEmpty } from '#features/warehouse/pick-tasks/counts.commands.ts'
import { reportShort } from '#features/warehouse/pick-tasks/shorts.commands.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { Again, answer, begin, begun, type Kept, keep, notifyWagon, Refused, scanOf, shownLine } from './handle-event.server.ts'
import { isBin, notEmptyTote, type Say, sentences, toteOf, typedAbove, wrongTote } from './picking.rules.ts'
import type { EventAnswer, LineNow, PickEvent } from './picking.schemas.ts'
import { walkOn } from './route.queries.ts'
import { takeWagonRow } from './wagon-events.server.ts'
import { type Key, type LineStand, lineNow, productMeant, wagonState } from './wagon-state.queries.ts'

export async function judgeLine(context: Context, key: Key, event: PickEvent, line: LineStand): Promise<EventAnswer> {
  if (line.list_state === 'cancelled' || line.wagon_state === 'cancelled') throw new Refused('cancelled', sentences.listCancelled, {}, true)
  const order = { order_no: line.order_no, slot: line.slot_no }
  if (line.line_state === 'gone')
    throw line.cancelled
      ? new Refused('cancelled', sentences.cancelled, order, true)
      : new Refused('line_gone', sentences.lineGone, {}, true)
  if (line.cancelled) throw new Refused('cancelled', sentences.cancelled, order, true)
  if (line.held && event.kind !== 'zero_check' && event.kind !== 'damaged') throw new Refused('held', sentences.held, order, true)
  switch (event.kind) {
    case 'bin':
      return heardBin(context, key, event, line)
    case 'product':
      return heardProduct(context, key, event, line)
    case 'pick':
      return pick(context, key, event, line)
    case 'skip':
      return skip(context, key, event, line)
    case 'short':
      return short(context, key, event, line)
    case 'damaged':
      return damaged(context, key, event, line)
    case 'full':
      return full(context, key, event, line)
    default:
      return zeroCheck(context, key, event, line)
  }
}

const mustBeOpen = (line: LineStand): void => {
  if (line.line_state === 'short') throw new Refused('line_decided', sentences.lineShort, { name: line.name }, true)
  if (line.line_state === 'picked') throw new Refused('too_many', sentences.tooMany, { n: 0, name: line.name }, true)
}

async function heardBin(context: Context, key: Key, event: PickEvent, line: LineStand): Promise<EventAnswer> {
  if (event.code !== '' && !isBin(line.bin, event.code)) throw new Refused('wrong_bin', sentences.wrongBin, { bin: line.bin })
  return keep(context, key, event, line, { result: 'ok', text: sentences.rightBin })
}

async function heardProduct(context: Context, key: Key, event: PickEvent, line: LineStand): Promise<EventAnswer> {
  mustBeOpen(line)
  if (line.taken) throw new Refused('taken', sentences.taken, { name: line.taken_by_name }, true)
  if (event.code !== '' && line.meant === 0) {
    const other = await productMeant(context.db, line.company_id, candidates(event.code))
    throw other
      ? new Refused('wrong_product', sentences.otherProduct, { other, name: line.name })
      : new Refused('wrong_product', sentences.wrongProduct, { name: line.name })
  }
  const missing = line.asked - line.picked
  if (line.meant > missing) throw new Refused('too_many', sentences.tooMany, { n: missing, name: line.name })
  const kept: Kept = { result: 'ok', text: sentences.rightProduct, values: { name: line.name } }
  await begin(context, key, event, line)
  if (!(await takeLine(context.db, scanOf(context, key, event, line, kept)))) throw new Again()
  notifyWagon(context, key, line)
  return answer(event, kept, {
    ...shownLine(line),
    taken_by: context.principal.id,
    taken_by_name: context.principal.name,
    state: line.line_state,
  })
}

async function pick(context: Context, key: Key, event: PickEvent, line: LineStand): Promise<EventAnswer> {
  mustBeOpen(line)
  const missing = line.asked - line.picked
  if (event.quantity < 1) throw new Refused('too_few', sentences.tooFew)
  if (event.quantity > missing) throw new Refused('too_many', sentences.tooMany, { n: missing, name: line.name }, true)
  if (event.by === 'typed' && line.asked <= typedAbove) throw new Refused('not_typed', sentences.notTyped, { n: typedAbove })
  await begin(context, key, event, line)
  await bindTote(context, key, event, line)
  const done = event.quantity === missing
  const said: Kept = done
    ? { result: 'line_done', text: sentences.lineDone, values: { name: line.name, slot: line.slot_no } }
    : { result: 'ok', text: sentences.counted, values: { name: line.name, picked: line.picked + event.quantity, asked: line.asked } }
  const counted = await writePick(context.db, scanOf(context, key, event, line, said))
  if (!counted) throw new Again()
  notifyWagon(context, key, line)
  const now: LineNow = {
    ...shownLine(line),
    picked: counted.picked,
    state: counted.state,
    taken_by: context.principal.id,
    taken_by_name: context.principal.name,
  }
  if (counted.state !== 'picked') return answer(event, said, now)
  if (counted.open_in_slot > 0) return answer(event, said, now)
  // As long as more is open than all of its pickers can decide at this moment, the wagon stays as it is.
  if (counted.open_on_wagon > line.pickers + 2) {
    await pickSlot(context, { ...key, slot_no: line.slot_no }, line.order_id)
    return answer(event, { ...said, result: 'slot_done', text: sentences.slotDone, values: { slot: line.slot_no } }, now)
  }
  return settled(context, key, event, line, said, now)
}

const totesBySlot = ({ codes }: LineStand) => [...Map.groupBy(codes, code => code.slot_no)].map(([slot_no, codes]) => ({ slot_no, codes }))

/** The tote in which the pieces lie: the scanned one, or the one that was kept for the slot. */
async function bindTote(context: Context, key: Key, event: PickEvent, line: LineStand): Promise<void> {
  const own = line.codes.filter(code => code.slot_no === line.slot_no)
  let digits = toteOf(event.code)
  if (event.code !== '' && digits === undefined) throw new Refused('wrong_slot', sentences.notTote, { slot: line.slot_no })
  if (digits === undefined) {
    if (own.some(code => code.state !== 'reserved')) return
    digits = own[0]?.digits
    if (digits === undefined) return
  }
  const wrong = wrongTote(totesBySlot(line), line.slot_no, digits)
  if (wrong) throw new Refused('wrong_slot', wrong.text, wrong.values, true)
  if (own.some(code => code.digits === digits && code.state === 'bound')) return
  await bind(context, key, line, digits)
}

async function bind(context: Context, key: Key, line: LineStand, digits: string): Promise<void> {
  try {
    await bindCode(context, digits, { ...key, slot_no: line.slot_no, order_id: line.order_id, company_id: line.company_id })
  } catch (error) {
    if (error instanceof AppError && error.status < 500)
      throw new Refused('tote_elsewhere', error.key, error.values as Say['values'] & object)
    throw error
  }
}

async function skip(context: Context, key: Key, event: PickEvent, line: LineStand): Promise<EventAnswer> {
  mustBeOpen(line)
  await begin(context, key, event, line)
  await takeWagonRow(context, key)
  const said: Kept = { result: 'skipped', text: sentences.skipped, values: { name: line.name } }
  if (!(await writeSkip(context.db, scanOf(context, key, event, line, said)))) throw new Again()
  const walk = await walkOn(context.db, context.services, key, { cell: line.cell, map_result_id: line.map_result_id })
  notifyWagon(context, key, line)
  const walk_no = walk.find(one => one.id === line.line_id)?.walk_no ?? line.walk_no
  return answer(event, said, { ...shownLine(line), state: 'skipped', walk_no, taken_by: null, taken_by_name: null }, { walk })
}

async function short(context: Context, key: Key, event: PickEvent, line: LineStand): Promise<EventAnswer> {
  mustBeOpen(line)
  if (event.reason === null) throw new Refused('reason_missing', sentences.reasonMissing)
  await begin(context, key, event, line)
  const missing = line.asked - line.picked
  const said: Kept = { result: 'short', text: sentences.short, values: { n: missing, name: line.name } }
  const written = await writeShort(context.db, scanOf(context, key, event, line, said))
  if (written?.short !== missing) throw new Again()
  const { short_id } = await reportShort(context, {
    order_id: line.order_id,
    company_id: line.company_id,
    order_line_id: line.order_line_id,
    pick_line_id: line.line_id,
    ...key,
    product_id: line.product_id,
    sku: line.sku,
    name: line.name,
    bin: line.bin,
    quantity: missing,
    reason: event.reason,
    note: event.note,
    by: context.principal,
  })
  await noteShort(context.db, event.id, short_id)
  notifyWagon(context, key, line)
  // The wave's rule may have decided already: the line, and its order, are what that made of them.
  const now = (await lineNow(context.db, line.line_id)) ?? { ...shownLine(line), state: 'short' }
  return settled(context, key, event, line, { ...said, short_id }, now)
}

async function damaged(context: Context, key: Key, event: PickEvent, line: LineStand): Promise<EventAnswer> {
  await begin(context, key, event, line)
  if (line.bin !== null)
    await askCount(context, { ...binOf(line), reason: 'damaged', blocks: false, note: event.note, by: context.principal })
  return keep(context, key, event, line, {
    result: 'noted',
    text: sentences.damaged,
    values: { n: Math.max(1, event.quantity), name: line.name },
  })
}

async function zeroCheck(context: Context, key: Key, event: PickEvent, line: LineStand): Promise<EventAnswer> {
  await begin(context, key, event, line)
  const empty = event.quantity === 0
  if (line.bin !== null) {
    // An empty bin is counted by looking at it; one that should be empty and is not has to be counted.
    if (empty) await foundEmpty(context.db, binOf(line), context.principal.name, event.note)
    else await askCount(context, { ...binOf(line), reason: 'zero_check', blocks: false, note: event.note, by: context.principal })
  }
  return keep(context, key, event, line, {
    result: 'noted',
    text: empty ? sentences.zero : sentences.notZero,
    values: { bin: line.bin },
  })
}

const binOf = (line: LineStand) => ({
  company_id: line.company_id,
  bin: line.bin as string,
  product_id: line.product_id,
  sku: line.sku,
  name: line.name,
})

async function full(context: Context, key: Key, event: PickEvent, line: LineStand): Promise<EventAnswer> {
  const digits = toteOf(event.code)
  if (digits === undefined) throw new Refused('wrong_slot', sentences.notTote, { slot: line.slot_no })
  const wrong = notEmptyTote(totesBySlot(line), line.slot_no, digits)
  if (wrong) throw new Refused('wrong_slot', wrong.text, wrong.values, true)
  await begin(context, key, event, line)
  await bind(context, key, line, digits)
  notifyWagon(context, key, line)
  return keep(context, key, event, line, { result: 'full', text: sentences.full, values: { code: `PP${digits}`, slot: line.slot_no } })
}

/** A line is decided: with the last one of its slot, order, wagon and list move on. */
async function settled(context: Context, key: Key, event: PickEvent, line: LineStand, said: Kept, now: LineNow): Promise<EventAnswer> {
  await settleList(context, key.pick_list_id, key.wagon_no)
  const state = await wagonState(context.db, key)
  if (!begun.includes(state)) return answer(event, { ...said, result: 'wagon_done', text: sentences.wagonDone, wagon_state: state }, now)
  if (said.result !== 'line_done') return answer(event, { ...said, wagon_state: state }, now)
  return answer(event, { ...said, result: 'slot_done', text: sentences.slotDone, values: { slot: line.slot_no }, wagon_state: state }, now)
}
