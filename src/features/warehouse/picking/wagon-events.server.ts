/** Events about a whole wagon: taken back, paused, handed over, brought to packing. */
import { settleList } from '#features/warehouse/pick-lists/pick-lists.queries.ts'
import { wagonTopic } from '#features/warehouse/pick-lists/pick-lists.rules.ts'
import { lastOf, writeUndo } from '#features/warehouse/pick-lists/pick-scans.commands.ts'
import { beginWalking, handOn, leave, pauseWagon } from '#features/warehouse/pick-lists/wagon-pickers.commands.ts'
import { takeBackShort } from '#features/warehouse/pick-tasks/shorts.commands.ts'
import type { Context } from '#platform/http/feature-module.ts'
import { Again, answer, begun, type Kept, keep, notifyWagon, Refused, scanOf } from './handle-event.server.ts'
import { sentences } from './picking.rules.ts'
import type { EventAnswer, PickEvent } from './picking.schemas.ts'
import { walkOn } from './route.queries.ts'
import { type Key, lineNow, standOfLine, type WagonStand, wagonState } from './wagon-state.queries.ts'

export async function judgeWagon(context: Context, key: Key, event: PickEvent, wagon: WagonStand): Promise<EventAnswer> {
  const { db, principal, notify } = context
  switch (event.kind) {
    case 'undo':
      return undo(context, key, event)
    case 'pause':
    case 'resume': {
      if (wagon.list_state === 'cancelled') throw new Refused('cancelled', sentences.listCancelled, {}, true)
      if (!begun.includes(wagon.wagon_state)) throw new Refused('wagon_over', sentences.wagonOver, {}, true)
      const pausing = event.kind === 'pause'
      if (pausing) await pauseWagon(db, key, context.now())
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
      await leave(context, key, { only: principal.id })
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
      notify('pick_wagon', wagonTopic(key))
      return keep(context, key, event, null, { result: 'noted', text: sentences.counted, values: {} })
  }
}

async function undo(context: Context, key: Key, event: PickEvent): Promise<EventAnswer> {
  const { db, principal, now } = context
  const back = await lastOf(db, key, principal.id, event.of)
  if (!back) throw new Refused('nothing', sentences.nothingToUndo)
  const line = await standOfLine(db, key, back.line_id, {
    user_id: principal.id,
    event_id: event.id,
    codes: [],
    now: now(),
    at: event.at,
    take: true,
  })
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
  const walk = back.kind === 'skip' ? await walkOn(db, context.services, key, { cell: line.cell, map_result_id: line.map_result_id }) : null
  notifyWagon(context, key, line)
  const now_ = await lineNow(db, line.line_id)
  return answer(event, { ...said, wagon_state: 'picking' }, now_ ?? null, { walk })
}

/** Steps that change the walk of a whole wagon come one after the other. */
export const takeWagonRow = ({ db }: Context, key: Key) =>
  db
    .selectFrom('pick_wagons')
    .select('wagon_no')
    .where('pick_list_id', '=', key.pick_list_id)
    .where('wagon_no', '=', key.wagon_no)
    .forNoKeyUpdate()
    .executeTakeFirst()
