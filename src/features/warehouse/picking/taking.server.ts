/** Taking what a phone sends: each event is judged and written down in a transaction of its own, and answered by itself. */
import { randomUUID } from 'node:crypto'
import { notFound, Refusal } from '#contract/errors.ts'
import type { Context, OutsideContext } from '#server/serve.ts'
import { changeOrder } from '../../orders/orders/changes.queries.ts'
import type { Phase } from '../../orders/orders/orders.rules.ts'
import { candidates } from '../../packing/packing/codes.rules.ts'
import { bindCode } from '../paperless/paperless.queries.ts'
import { settleList } from '../pick-lists/pick-lists.queries.ts'
import { askCount, reportShort, takeBackShort } from '../pick-tasks/pick-tasks.queries.ts'
import type { EventAnswer, EventResult, LineNow, PickEvent } from './picking.contract.ts'
import { acceptedResults } from './picking.contract.ts'
import {
  beginWalking,
  foundEmpty,
  type Key,
  type LineStand,
  lastOf,
  leave,
  lineNow,
  noteShort,
  productMeant,
  type ScanToWrite,
  standOfLine,
  standOfWagon,
  takeLine,
  type WagonStand,
  wagonState,
  walkOn,
  writePick,
  writeScan,
  writeShort,
  writeSkip,
  writeUndo,
} from './picking.queries.ts'
import { isBin, type Say, sentences, toteOf, typedAbove, wagonTopic, wrongTote } from './picking.rules.ts'

/** Another phone was faster between reading and writing: nothing is kept, and the event is judged anew. */
class Again extends Error {}

/** A decision that must not leave anything behind but its own line in the journal. */
class Refused extends Error {
  readonly result: EventResult
  readonly say: Say
  readonly reload: boolean
  constructor(result: EventResult, text: string, values: Say['values'] = {}, reload = false) {
    super(text)
    this.result = result
    this.say = { text, values }
    this.reload = reload
  }
}

const mostTries = 5
const noWagon = 'This wagon does not exist'
const begun = ['claimed', 'picking', 'paused']
/** Events of work, by which a wagon starts to move. */
const working = new Set<PickEvent['kind']>(['bin', 'product', 'pick', 'skip', 'short', 'damaged', 'full', 'zero_check', 'wrong', 'undo'])
const ofLine = new Set<PickEvent['kind']>(['bin', 'product', 'pick', 'skip', 'short', 'damaged', 'full', 'zero_check'])
/** Milliseconds: a phone's clock is believed for so long back, and never ahead. */
const longestBack = 7 * 24 * 3_600_000

/** One event, whole or not at all; a refusal is written down too, so that the same event is refused the same way again. */
export async function takeEvent(outside: OutsideContext, key: Key, event: PickEvent): Promise<EventAnswer> {
  for (let attempt = 1; ; attempt++)
    try {
      return await outside.work(context => judge(context, key, event))
    } catch (error) {
      if (error instanceof Refused || (error instanceof Refusal && error.status < 500 && error.key !== noWagon)) {
        const refused =
          error instanceof Refused ? error : new Refused('refused', error.key, error.values as Say['values'] & Record<string, never>, true)
        try {
          return await outside.work(context => refuse(context, key, event, refused))
        } catch (second) {
          if (!(second instanceof Again)) throw second
        }
      } else if (!(error instanceof Again) && !isCollision(error)) throw error
      if (attempt >= mostTries) throw error
      await new Promise(resolve => setTimeout(resolve, 5 * attempt * attempt))
    }
}

const isCollision = (error: unknown): boolean => ['40P01', '40001'].includes((error as { code?: string }).code ?? '')

async function judge(context: Context, key: Key, event: PickEvent): Promise<EventAnswer> {
  const { db, person, now } = context
  const asked = { user_id: person.id, event_id: event.id }
  if (event.line !== null && ofLine.has(event.kind)) {
    const line = await standOfLine(db, key, event.line, {
      ...asked,
      codes: event.kind === 'product' ? candidates(event.code) : [],
      now: now(),
      take: event.kind !== 'product' && event.kind !== 'bin' && event.kind !== 'damaged' && event.kind !== 'zero_check',
    })
    if (line) {
      if (line.answered) return answerAgain(context, key, event, line)
      return judgeLine(context, key, event, line)
    }
  }
  const wagon = await standOfWagon(db, key, asked)
  // A wagon that is not there at all is the whole call's refusal.
  if (!wagon) throw notFound(noWagon)
  if (wagon.answered) return answerAgain(context, key, event, wagon)
  mustWalk(wagon, event)
  if (ofLine.has(event.kind)) throw new Refused('line_gone', sentences.lineGone, {}, true)
  return judgeWagon(context, key, event, wagon)
}

/** @throws {Refused} unless this person walks with the wagon, or did when it happened */
function mustWalk(wagon: WagonStand, event: PickEvent): void {
  if (!wagon.member) throw new Refused('not_yours', sentences.notYours, {}, true)
  // What was in the totes before the wagon changed hands is in them still.
  if (wagon.left_at !== null && (!working.has(event.kind) || Date.parse(event.at) > Date.parse(wagon.left_at)))
    throw wagon.wagon_user_name
      ? new Refused('not_yours', sentences.tookOver, { name: wagon.wagon_user_name }, true)
      : new Refused('not_yours', sentences.notYours, {}, true)
}

async function judgeLine(context: Context, key: Key, event: PickEvent, line: LineStand): Promise<EventAnswer> {
  mustWalk(line, event)
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
  const room = line.asked - line.picked
  if (line.meant > room) throw new Refused('too_many', sentences.tooMany, { n: room, name: line.name })
  const kept: Kept = { result: 'ok', text: sentences.rightProduct, values: { name: line.name } }
  await begin(context, key, event, line)
  if (!(await takeLine(context.db, scanOf(context, key, event, line, kept)))) throw new Again()
  tellWagon(context, key, line)
  return answer(event, kept, {
    ...shownLine(line),
    taken_by: context.person.id,
    taken_by_name: context.person.name,
    state: line.line_state,
  })
}

async function pick(context: Context, key: Key, event: PickEvent, line: LineStand): Promise<EventAnswer> {
  mustBeOpen(line)
  const room = line.asked - line.picked
  if (event.quantity < 1) throw new Refused('too_few', sentences.tooFew)
  if (event.quantity > room) throw new Refused('too_many', sentences.tooMany, { n: room, name: line.name }, true)
  if (event.by === 'typed' && line.asked <= typedAbove) throw new Refused('not_typed', sentences.notTyped, { n: typedAbove })
  await begin(context, key, event, line)
  await bindTote(context, key, event, line)
  const done = event.quantity === room
  const said: Kept = done
    ? { result: 'line_done', text: sentences.lineDone, values: { name: line.name, slot: line.slot_no } }
    : { result: 'ok', text: sentences.counted, values: { name: line.name, picked: line.picked + event.quantity, asked: line.asked } }
  const counted = await writePick(context.db, scanOf(context, key, event, line, said))
  if (!counted) throw new Again()
  tellWagon(context, key, line)
  const now: LineNow = {
    ...shownLine(line),
    picked: counted.picked,
    state: counted.state,
    taken_by: context.person.id,
    taken_by_name: context.person.name,
  }
  if (counted.state !== 'picked') return answer(event, said, now)
  if (counted.open_in_slot > 0) return answer(event, said, now)
  // As long as more is open than all of its pickers can decide at this moment, the wagon stays as it is.
  if (counted.open_on_wagon > line.pickers + 2) {
    await slotPicked(context, key, line)
    return answer(event, { ...said, result: 'slot_done', text: sentences.slotDone, values: { slot: line.slot_no } }, now)
  }
  return settled(context, key, event, line, said, now)
}

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
  if (own.some(code => code.digits === digits && code.state === 'bound')) return
  const wrong = wrongTote(
    [...new Set(line.codes.map(code => code.slot_no))].map(slot_no => ({
      slot_no,
      codes: line.codes.filter(code => code.slot_no === slot_no),
    })),
    line.slot_no,
    digits,
  )
  if (wrong) throw new Refused('wrong_slot', wrong.text, wrong.values)
  await bind(context, key, line, digits)
}

async function bind(context: Context, key: Key, line: LineStand, digits: string): Promise<void> {
  try {
    await bindCode(context, digits, { ...key, slot_no: line.slot_no, order_id: line.order_id, company_id: line.company_id })
  } catch (error) {
    if (error instanceof Refusal && error.status < 500)
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
  const walk = await walkOn(context.db, context.house, key, { cell: line.cell, map_result_id: line.map_result_id })
  tellWagon(context, key, line)
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
    by: context.person,
  })
  await noteShort(context.db, event.id, short_id)
  tellWagon(context, key, line)
  // The wave's rule may have decided already: the line, and its order, are what that made of them.
  const now = (await lineNow(context.db, line.line_id)) ?? { ...shownLine(line), state: 'short' }
  return settled(context, key, event, line, { ...said, short_id }, now)
}

async function damaged(context: Context, key: Key, event: PickEvent, line: LineStand): Promise<EventAnswer> {
  await begin(context, key, event, line)
  if (line.bin !== null) await askCount(context, { ...binOf(line), reason: 'damaged', blocks: false, note: event.note, by: context.person })
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
    if (empty) await foundEmpty(context.db, binOf(line), context.person.name, event.note)
    else await askCount(context, { ...binOf(line), reason: 'zero_check', blocks: false, note: event.note, by: context.person })
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
  const here = line.codes.find(code => code.digits === digits)
  if (here?.slot_no === line.slot_no && here.state !== 'reserved') throw new Refused('wrong_slot', sentences.sameTote)
  if (here && here.slot_no !== line.slot_no)
    throw new Refused('wrong_slot', sentences.wrongSlot, { other: here.slot_no, slot: line.slot_no })
  await begin(context, key, event, line)
  await bind(context, key, line, digits)
  tellWagon(context, key, line)
  return keep(context, key, event, line, { result: 'full', text: sentences.full, values: { code: `PP${digits}`, slot: line.slot_no } })
}

async function judgeWagon(context: Context, key: Key, event: PickEvent, wagon: WagonStand): Promise<EventAnswer> {
  const { db, person, tell } = context
  switch (event.kind) {
    case 'undo':
      return undo(context, key, event)
    case 'pause':
    case 'resume': {
      if (wagon.list_state === 'cancelled') throw new Refused('cancelled', sentences.listCancelled, {}, true)
      if (!begun.includes(wagon.wagon_state)) throw new Refused('wagon_over', sentences.wagonOver, {}, true)
      const pausing = event.kind === 'pause'
      if (pausing)
        await db
          .updateTable('pick_wagons')
          .set(eb => ({ state: 'paused', last_at: context.now().toISOString(), version: eb('version', '+', 1) }))
          .where('pick_list_id', '=', key.pick_list_id)
          .where('wagon_no', '=', key.wagon_no)
          .where('state', 'in', ['claimed', 'picking'])
          .execute()
      else await beginWalking(db, key, ['claimed', 'paused'])
      await settleList(context, key.pick_list_id, key.wagon_no)
      return keep(context, key, event, null, {
        result: pausing ? 'paused' : 'resumed',
        text: pausing ? sentences.paused : sentences.resumed,
        wagon_state: pausing ? 'paused' : 'picking',
      })
    }
    case 'hand_over': {
      if (!begun.includes(wagon.wagon_state)) throw new Refused('wagon_over', sentences.wagonOver, {}, true)
      await leave(context, key, { only: person.id })
      const state = await handOn(context, key)
      await settleList(context, key.pick_list_id, key.wagon_no)
      return keep(context, key, event, null, { result: 'handed_over', text: sentences.handedOver, wagon_state: state })
    }
    case 'done': {
      const { n } = await db
        .selectFrom('pick_lines')
        .select(eb => eb.fn.countAll<number>().as('n'))
        .where('pick_list_id', '=', key.pick_list_id)
        .where('wagon_no', '=', key.wagon_no)
        .where('state', 'in', ['open', 'skipped'])
        .executeTakeFirstOrThrow()
      if (n > 0 && begun.includes(wagon.wagon_state)) {
        // Orders that are still held leave the wagon when nothing else is left to pick.
        await settleList(context, key.pick_list_id, key.wagon_no)
        if (begun.includes(await wagonState(db, key))) throw new Refused('lines_open', sentences.linesOpen, { n }, true)
      }
      return keep(context, key, event, null, { result: 'done', text: sentences.done, wagon_state: await wagonState(db, key) })
    }
    default:
      tell('pick_wagon', wagonTopic(key))
      return keep(context, key, event, null, { result: 'noted', text: sentences.counted, values: {} })
  }
}

/** The one who claimed the wagon has left it: the next who walks with it leads, or it is anybody's. */
async function handOn({ db }: Context, key: Key): Promise<'open' | 'paused' | 'picking' | 'claimed'> {
  const rest = await db
    .selectFrom('pick_wagon_people')
    .select(['user_id', 'user_name'])
    .where('pick_list_id', '=', key.pick_list_id)
    .where('wagon_no', '=', key.wagon_no)
    .where('left_at', 'is', null)
    .orderBy('joined_at')
    .executeTakeFirst()
  const wagon = await db
    .selectFrom('pick_wagons')
    .select(['state', 'started_at'])
    .where('pick_list_id', '=', key.pick_list_id)
    .where('wagon_no', '=', key.wagon_no)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  const state = rest ? (wagon.state as 'picking') : wagon.started_at === null ? 'open' : 'paused'
  await db
    .updateTable('pick_wagons')
    .set(eb => ({ state, user_id: rest?.user_id ?? null, user_name: rest?.user_name ?? null, version: eb('version', '+', 1) }))
    .where('pick_list_id', '=', key.pick_list_id)
    .where('wagon_no', '=', key.wagon_no)
    .execute()
  return state
}

async function undo(context: Context, key: Key, event: PickEvent): Promise<EventAnswer> {
  const { db, person, now } = context
  const back = await lastOf(db, key, person.id, event.of)
  if (!back) throw new Refused('nothing', sentences.nothingToUndo)
  const line = await standOfLine(db, key, back.line_id, { user_id: person.id, event_id: event.id, codes: [], now: now(), take: true })
  if (!line) throw new Refused('line_gone', sentences.lineGone, {}, true)
  if (line.line_state === 'gone')
    throw line.cancelled
      ? new Refused('cancelled', sentences.cancelled, { order_no: line.order_no, slot: line.slot_no }, true)
      : new Refused('line_gone', sentences.lineGone, {}, true)
  if (!['in_pick', 'picked'].includes(line.work_state))
    throw new Refused('being_packed', sentences.beingPacked, { order_no: line.order_no })
  if (back.kind === 'skip' && line.line_state !== 'skipped') throw new Refused('nothing', sentences.nothingToUndo)
  await takeWagonRow(context, key)
  const said: Kept = { result: 'undone', text: sentences.undone, values: { name: line.name } }
  const written = await writeUndo(
    db,
    { ...scanOf(context, key, event, line, said), quantity: back.kind === 'pick' ? -back.quantity : 0 },
    back,
  )
  if (!written) throw new Again()
  if (back.kind === 'short' && back.short_id !== null) await takeBackShort(context, back.short_id)
  // A wagon that was done is walked again.
  await beginWalking(db, key, ['claimed', 'paused', 'picked'])
  await settleList(context, key.pick_list_id, key.wagon_no)
  const walk = back.kind === 'skip' ? await walkOn(db, context.house, key, { cell: line.cell, map_result_id: line.map_result_id }) : null
  tellWagon(context, key, line)
  const now_ = await lineNow(db, line.line_id)
  return answer(event, { ...said, wagon_state: 'picking' }, now_ ?? null, { walk })
}

/** Steps that change the walk of a whole wagon come one after the other. */
const takeWagonRow = ({ db }: Context, key: Key) =>
  db
    .selectFrom('pick_wagons')
    .select('wagon_no')
    .where('pick_list_id', '=', key.pick_list_id)
    .where('wagon_no', '=', key.wagon_no)
    .forNoKeyUpdate()
    .executeTakeFirst()

/** The order of a slot is picked, and nothing else moves: what `settleList` would do, in one trip instead of ten. */
async function slotPicked(context: Context, key: Key, line: LineStand): Promise<void> {
  const { db, tell } = context
  await db
    .updateTable('pick_slots')
    .set({ state: 'picked' })
    .where('pick_list_id', '=', key.pick_list_id)
    .where('wagon_no', '=', key.wagon_no)
    .where('slot_no', '=', line.slot_no)
    .where('live', '=', true)
    .where('state', '=', 'open')
    .execute()
  await changeOrder(context, line.order_id, {
    from: ['in_pick'],
    set: { work_state: 'picked' },
    was: line.phase as Phase,
    event: { kind: 'order.picked', data: { list: key.pick_list_id, wagon: key.wagon_no, slot: line.slot_no } },
  })
  tell('pick_list', key.pick_list_id)
}

/** A line is decided: with the last one of its slot, order, wagon and list move on. */
async function settled(context: Context, key: Key, event: PickEvent, line: LineStand, said: Kept, now: LineNow): Promise<EventAnswer> {
  await settleList(context, key.pick_list_id, key.wagon_no)
  const state = await wagonState(context.db, key)
  if (!begun.includes(state)) return answer(event, { ...said, result: 'wagon_done', text: sentences.wagonDone, wagon_state: state }, now)
  if (said.result !== 'line_done') return answer(event, { ...said, wagon_state: state }, now)
  return answer(event, { ...said, result: 'slot_done', text: sentences.slotDone, values: { slot: line.slot_no }, wagon_state: state }, now)
}

/** The first piece of work after a claim or a pause. */
async function begin(context: Context, key: Key, event: PickEvent, stand: WagonStand): Promise<void> {
  if (stand.wagon_state === 'picking' || !working.has(event.kind) || stand.left_at !== null) return
  if (!(await beginWalking(context.db, key, ['claimed', 'paused']))) return
  await settleList(context, key.pick_list_id, key.wagon_no)
}

interface Kept {
  result: EventResult
  text: string
  values?: Say['values']
  short_id?: number
  wagon_state?: EventAnswer['wagon_state']
  reload?: boolean
}

const isOk = (result: EventResult): boolean => (acceptedResults as readonly string[]).includes(result)

const answer = (event: PickEvent, kept: Kept, line: LineNow | null, more: Partial<EventAnswer> = {}): EventAnswer => ({
  id: event.id,
  ok: isOk(kept.result),
  result: kept.result,
  text: kept.text,
  values: kept.values ?? {},
  line,
  walk: null,
  short_id: kept.short_id ?? null,
  wagon_state: kept.wagon_state ?? 'picking',
  reload: kept.reload ?? false,
  ...more,
})

const shownLine = (line: LineStand): LineNow => ({
  id: line.line_id,
  asked: line.asked,
  picked: line.picked,
  state: line.line_state,
  walk_no: line.walk_no,
  taken_by: line.taken_by,
  taken_by_name: line.taken_by_name,
})

function scanOf(context: Context, key: Key, event: PickEvent, line: LineStand | null, kept: Kept): ScanToWrite {
  const { person } = context
  return {
    ...key,
    id: event.id,
    kind: event.kind,
    raw: event.code,
    result: kept.result,
    quantity: event.quantity,
    line,
    user: { id: person.id, name: person.name },
    at: timeOf(event, context.now()),
    answer: { ok: isOk(kept.result), ...kept, by: event.by, reason: event.reason },
  }
}

/** When it happened: the phone's word, as far as it can be right. */
function timeOf(event: PickEvent, now: Date): string {
  const at = Date.parse(event.at)
  if (Number.isNaN(at) || at > now.getTime() || at < now.getTime() - longestBack) return now.toISOString()
  return new Date(at).toISOString()
}

/** Writes down what changes nothing but the journal. */
async function keep(context: Context, key: Key, event: PickEvent, line: LineStand | null, kept: Kept): Promise<EventAnswer> {
  if (line) await begin(context, key, event, line)
  if (!(await writeScan(context.db, scanOf(context, key, event, line, kept)))) throw new Again()
  return answer(event, kept, line && shownLine(line))
}

async function refuse(context: Context, key: Key, event: PickEvent, { result, say, reload }: Refused): Promise<EventAnswer> {
  const { db, person, now } = context
  const line =
    event.line === null
      ? undefined
      : await standOfLine(db, key, event.line, { user_id: person.id, event_id: event.id, codes: [], now: now(), take: false })
  const stand = line ?? (await standOfWagon(db, key, { user_id: person.id, event_id: event.id }))
  if (!stand) throw notFound(noWagon)
  if (stand.answered) return answerAgain(context, key, event, stand)
  const kept: Kept = { result, text: say.text, values: say.values ?? {}, reload, wagon_state: stand.wagon_state }
  if (!(await writeScan(db, { ...scanOf(context, key, event, line ?? null, kept), quantity: 0 }))) throw new Again()
  return answer(event, kept, line ? shownLine(line) : null)
}

/** The same event sent again: the same answer, with the counters as they are now. */
async function answerAgain({ db, person }: Context, key: Key, event: PickEvent, stand: WagonStand): Promise<EventAnswer> {
  const before = stand.answered
  if (!before || before.pick_list_id !== key.pick_list_id || before.wagon_no !== key.wagon_no || before.user_id !== person.id)
    return answer(event, { result: 'refused', text: sentences.foreignEvent, wagon_state: stand.wagon_state, reload: true }, null)
  const kept = before.answer as Kept
  const line = before.line_id === null ? undefined : await lineNow(db, before.line_id)
  const moved = kept.result === 'skipped' || kept.result === 'undone'
  return answer(event, { ...kept, wagon_state: stand.wagon_state, reload: kept.reload || moved }, line ?? null)
}

/** Colleagues at the same wagon hear of every line; alone nobody has to. */
function tellWagon({ tell }: Context, key: Key, stand: WagonStand): void {
  if (stand.pickers > 1) tell('pick_wagon', wagonTopic(key))
}

export const claimScan = (key: Key, user: { id: number; name: string }, result: string, now: Date): ScanToWrite => ({
  ...key,
  id: randomUUID(),
  kind: 'claim',
  raw: '',
  result,
  quantity: 0,
  line: null,
  user,
  at: now.toISOString(),
  answer: { ok: true },
})
