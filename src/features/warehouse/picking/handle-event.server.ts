/** How an event of a phone is answered and kept: what was decided, in which words, and when it happened. */
import { randomUUID } from 'node:crypto'
import { isOneOf } from '#domain/objects.ts'
import { settleList } from '#features/warehouse/pick-lists/pick-lists.queries.ts'
import { activeWagonStates, wagonTopic } from '#features/warehouse/pick-lists/pick-lists.rules.ts'
import { type ScanToWrite, writeScan } from '#features/warehouse/pick-lists/pick-scans.commands.ts'
import { beginWalking } from '#features/warehouse/pick-lists/wagon-pickers.commands.ts'
import type { Context } from '#platform/http/feature-module.ts'
import type { Say } from './picking.rules.ts'
import { acceptedResults, type EventAnswer, type EventResult, type LineNow, type PickEvent } from './picking.schemas.ts'
import type { Key, LineStand, WagonStand } from './wagon-state.queries.ts'

/** Another phone was faster between reading and writing: nothing is kept, and the event is judged anew. */
export class Again extends Error {}

/** A decision that must not leave anything behind but its own line in the journal. */
export class Refused extends Error {
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

/** States in which a picker has the wagon. */
export const begun: readonly string[] = activeWagonStates

/** Events of work, by which a wagon starts to move. */
export const working = new Set<PickEvent['kind']>([
  'bin',
  'product',
  'pick',
  'skip',
  'short',
  'damaged',
  'full',
  'zero_check',
  'wrong',
  'undo',
])

/** Milliseconds: a phone's clock is believed for so long back, and never ahead. */
const longestBack = 7 * 24 * 3_600_000

/** The first piece of work after a claim or a pause. */
export async function begin(context: Context, key: Key, event: PickEvent, stand: WagonStand): Promise<void> {
  if (stand.wagon_state === 'picking' || !working.has(event.kind) || stand.left_at !== null) return
  if (!(await beginWalking(context.db, key, ['claimed', 'paused']))) return
  await settleList(context, key.pick_list_id, key.wagon_no)
}

export interface Kept {
  result: EventResult
  text: string
  values?: Say['values']
  short_id?: number
  wagon_state?: EventAnswer['wagon_state']
  reload?: boolean
}

const isOk = (result: EventResult): boolean => isOneOf(acceptedResults, result)

export const answer = (event: PickEvent, kept: Kept, line: LineNow | null, more: Partial<EventAnswer> = {}): EventAnswer => ({
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

export const shownLine = (line: LineStand): LineNow => ({
  id: line.line_id,
  asked: line.asked,
  picked: line.picked,
  state: line.line_state,
  walk_no: line.walk_no,
  taken_by: line.taken_by,
  taken_by_name: line.taken_by_name,
})

export function scanOf(context: Context, key: Key, event: PickEvent, line: LineStand | null, kept: Kept): ScanToWrite {
  const { principal } = context
  return {
    ...key,
    id: event.id,
    kind: event.kind,
    raw: event.code,
    result: kept.result,
    quantity: event.quantity,
    line,
    user: { id: principal.id, name: principal.name },
    at: timeOf(event, context.now()),
    answer: { ok: isOk(kept.result), ...kept, by: event.by, reason: event.reason },
  }
}

/** When it happened: the phone's word, as far as it can be right. */
export function timeOf(event: PickEvent, now: Date): string {
  const at = Date.parse(event.at)
  if (Number.isNaN(at) || at > now.getTime() || at < now.getTime() - longestBack) return now.toISOString()
  return new Date(at).toISOString()
}

/** Writes down what changes nothing but the journal. */
export async function keep(context: Context, key: Key, event: PickEvent, line: LineStand | null, kept: Kept): Promise<EventAnswer> {
  if (line) await begin(context, key, event, line)
  if (!(await writeScan(context.db, scanOf(context, key, event, line, kept)))) throw new Again()
  return answer(event, kept, line && shownLine(line))
}

/** Notifies the other pickers of the wagon of every line; a single picker needs no notification. */
export function notifyWagon({ notify }: Context, key: Key, stand: WagonStand): void {
  if (stand.pickers > 1) notify('pick_wagon', wagonTopic(key))
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
