/** Taking what a phone sends: each event is judged and written down in a transaction of its own, and answered by itself. */
import { AppError, notFound } from '#contract/errors.ts'
import { candidates } from '#domain/codes.ts'
import { textIn } from '#domain/thrown.ts'
import { writeScan } from '#features/warehouse/pick-lists/pick-scans.commands.ts'
import type { Context, ExternalContext } from '#platform/http/feature-module.ts'
import { Again, answer, type Kept, Refused, scanOf, shownLine, timeOf, working } from './handle-event.server.ts'
import { judgeLine } from './line-events.server.ts'
import { type Say, sentences } from './picking.rules.ts'
import type { EventAnswer, PickEvent } from './picking.schemas.ts'
import { judgeWagon } from './wagon-events.server.ts'
import { type Key, lineNow, standOfLine, standOfWagon, type WagonStand } from './wagon-state.queries.ts'
import { claimAgain } from './wagons.queries.ts'

const mostTries = 5

const noWagon = 'Wagon not found'

const ofLine = new Set<PickEvent['kind']>(['bin', 'product', 'pick', 'skip', 'short', 'damaged', 'full', 'zero_check'])

/** One event, whole or not at all; a refusal is written down too, so that the same event is refused the same way again. */
export async function takeEvent(outside: ExternalContext, key: Key, event: PickEvent): Promise<EventAnswer> {
  for (let attempt = 1; ; attempt++)
    try {
      return await outside.transaction(context => judge(context, key, event))
    } catch (error) {
      if (error instanceof Refused || (error instanceof AppError && error.status < 500 && error.code !== 'wagon_not_found')) {
        const refused =
          error instanceof Refused ? error : new Refused('refused', error.key, error.values as Say['values'] & Record<string, never>, true)
        try {
          return await outside.transaction(context => refuse(context, key, event, refused))
        } catch (second) {
          if (!(second instanceof Again)) throw second
        }
      } else if (!(error instanceof Again) && !isCollision(error)) throw error
      if (attempt >= mostTries) throw error
      await new Promise(resolve => setTimeout(resolve, 5 * attempt * attempt))
    }
}

const isCollision = (error: unknown): boolean => ['40P01', '40001'].includes(textIn(error, 'code') ?? '')

async function judge(context: Context, key: Key, event: PickEvent): Promise<EventAnswer> {
  const { db, principal, now } = context
  const asked = { user_id: principal.id, event_id: event.id }
  if (event.line !== null && ofLine.has(event.kind)) {
    const line = await standOfLine(db, key, event.line, {
      ...asked,
      codes: event.kind === 'product' ? candidates(event.code) : [],
      now: now(),
      at: timeOf(event, now()),
      take: event.kind !== 'product' && event.kind !== 'bin' && event.kind !== 'damaged' && event.kind !== 'zero_check',
    })
    if (line) {
      if (line.answered) return answerAgain(context, key, event, line)
      const mine = await goOn(context, key, event, line)
      mustWalk(mine, event)
      return judgeLine(context, key, event, mine)
    }
  }
  const wagon = await standOfWagon(db, key, asked)
  // A wagon that is not there at all is the whole call's refusal.
  if (!wagon) throw notFound('wagon_not_found', noWagon)
  if (wagon.answered) return answerAgain(context, key, event, wagon)
  mustWalk(await goOn(context, key, event, wagon), event)
  if (ofLine.has(event.kind)) throw new Refused('line_gone', sentences.lineGone, {}, true)
  return judgeWagon(context, key, event, wagon)
}

/** A wagon that came back unbegun while its picker was already at work in a dead spot is theirs still, unless somebody else took it. */
async function goOn<S extends WagonStand>({ db, principal }: Context, key: Key, event: PickEvent, stand: S): Promise<S> {
  const cameBack = stand.member && stand.left_at !== null && stand.wagon_state === 'open' && stand.wagon_user_id === null
  if (!cameBack || !working.has(event.kind) || !(await claimAgain(db, key, principal))) return stand
  return { ...stand, left_at: null, wagon_state: 'claimed', pickers: 1 }
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

async function refuse(context: Context, key: Key, event: PickEvent, { result, say, reload }: Refused): Promise<EventAnswer> {
  const { db, principal, now } = context
  const line =
    event.line === null
      ? undefined
      : await standOfLine(db, key, event.line, {
          user_id: principal.id,
          event_id: event.id,
          codes: [],
          now: now(),
          at: event.at,
          take: false,
        })
  const stand = line ?? (await standOfWagon(db, key, { user_id: principal.id, event_id: event.id }))
  if (!stand) throw notFound('wagon_not_found', noWagon)
  if (stand.answered) return answerAgain(context, key, event, stand)
  const kept: Kept = { result, text: say.text, values: say.values ?? {}, reload, wagon_state: stand.wagon_state }
  if (!(await writeScan(db, { ...scanOf(context, key, event, line ?? null, kept), quantity: 0 }))) throw new Again()
  return answer(event, kept, line ? shownLine(line) : null)
}

/** The same event sent again: the same answer, with the counters as they are now. */
async function answerAgain({ db, principal }: Context, key: Key, event: PickEvent, stand: WagonStand): Promise<EventAnswer> {
  const before = stand.answered
  if (!before || before.pick_list_id !== key.pick_list_id || before.wagon_no !== key.wagon_no || before.user_id !== principal.id)
    return answer(event, { result: 'refused', text: sentences.foreignEvent, wagon_state: stand.wagon_state, reload: true }, null)
  const kept = before.answer as Kept
  const line = before.line_id === null ? undefined : await lineNow(db, before.line_id)
  const moved = kept.result === 'skipped' || kept.result === 'undone'
  return answer(event, { ...kept, wagon_state: stand.wagon_state, reload: kept.reload || moved }, line ?? null)
}
