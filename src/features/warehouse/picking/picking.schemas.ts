/** Schemas of the calls in picking.contract.ts, with what the API documentation says of them. */
import * as z from 'zod'
import type { ContractSchemas } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import { ListType, SeenWagon, WagonState } from '#features/warehouse/pick-lists/pick-lists.schemas.ts'
import { ShortReason } from '#features/warehouse/pick-tasks/pick-tasks.schemas.ts'

const id = z.number().int()
const idIn = z.number().int().positive().max(Number.MAX_SAFE_INTEGER)
const Values = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))
const plain = (max: number) =>
  z
    .string()
    .max(max)
    .refine(text => !text.includes('\u0000'), 'It holds a character that cannot be stored')

const eventKinds = [
  'bin',
  'product',
  'pick',
  'skip',
  'short',
  'damaged',
  'full',
  'zero_check',
  'undo',
  'pause',
  'resume',
  'hand_over',
  'wrong',
  'done',
] as const
const EventKind = z.enum(eventKinds)

/** What happened at a phone. The phone makes it once; sent again it is answered again and changes nothing. */
export const PickEvent = z.strictObject({
  id: z.uuid(),
  kind: EventKind,
  /** The line on the wagon that it is about. */
  line: idIn.nullable().default(null),
  /** `pick`: pieces put into the slot · `damaged`: damaged pieces · `zero_check`: pieces that lie there still. */
  quantity: z.number().int().min(0).max(100_000).default(0),
  /** What was scanned; empty where a button was pressed. */
  code: plain(4 * limits.barcode).default(''),
  reason: ShortReason.nullable().default(null),
  note: plain(500).default(''),
  by: z.enum(['scan', 'camera', 'button', 'typed']).default('scan'),
  /** For `undo`: the event to take back; without it the last one of this person on this wagon. */
  of: z.uuid().nullable().default(null),
  /** By the phone's clock, mended by what it knows of the server's. */
  at: z.iso.datetime({ offset: true }),
})
export type PickEvent = z.output<typeof PickEvent>

export const acceptedResults = [
  'ok',
  'line_done',
  'slot_done',
  'wagon_done',
  'noted',
  'skipped',
  'short',
  'full',
  'undone',
  'paused',
  'resumed',
  'handed_over',
  'done',
] as const
const refusedResults = [
  'wrong_product',
  'wrong_bin',
  'wrong_slot',
  'tote_elsewhere',
  'too_many',
  'too_few',
  'not_typed',
  'line_gone',
  'line_decided',
  'cancelled',
  'held',
  'taken',
  'not_yours',
  'wagon_over',
  'being_packed',
  'reason_missing',
  'nothing',
  'lines_open',
  'refused',
] as const
export const EventResult = z.enum([...acceptedResults, ...refusedResults])
export type EventResult = z.infer<typeof EventResult>

export const LineNow = z.object({
  id,
  asked: id,
  picked: id,
  state: z.enum(['open', 'skipped', 'picked', 'short', 'gone']),
  walk_no: id,
  taken_by: id.nullable(),
  taken_by_name: z.string().nullable(),
})
export type LineNow = z.infer<typeof LineNow>

export const EventAnswer = z.object({
  id: z.string(),
  ok: z.boolean(),
  result: EventResult,
  /** A sentence with places: the translation key. */
  text: z.string(),
  values: Values,
  /** As it is now. */
  line: LineNow.nullable(),
  /** The walk of what is left, where it changed. */
  walk: z.array(z.object({ id, walk_no: id })).nullable(),
  /** The short that was reported: a photo may follow. */
  short_id: id.nullable(),
  wagon_state: WagonState,
  /** What the phone knows of the wagon is no longer so: ask for it again. */
  reload: z.boolean(),
})
export type EventAnswer = z.infer<typeof EventAnswer>

export const WagonCard = z.object({
  pick_list_id: id,
  type: ListType,
  wagon_no: id,
  state: WagonState,
  user_id: id.nullable(),
  user_name: z.string().nullable(),
  /** Everybody who walks with it. */
  pickers: z.array(z.string()),
  last_at: z.string().nullable(),
  /** Idle for 20 minutes, or paused. */
  idle: z.boolean(),
  wagon_type: z.string(),
  orders: id,
  lines: id,
  lines_done: id,
  pieces: id,
  stops: id,
  /** Null without a map. */
  metres: id.nullable(),
  minutes: id.nullable(),
  ship_by: z.string().nullable(),
  /** The first bin of what is left. */
  first_bin: z.string().nullable(),
  pinned: id,
})
export type WagonCard = z.infer<typeof WagonCard>

/** A wagon as the phone keeps it: with everything that is needed where there is no network. */
export const Wagon = SeenWagon.extend({
  pickers: z.array(z.object({ user_id: id, user_name: z.string() })),
  /** Events of this person that are in these figures already; the newest 200. */
  seen: z.array(z.string()),
  /** Pieces that should lie in the bin before a line is picked, by line; only where a count is known. */
  expected: z.array(z.object({ line: id, pieces: id })),
  now: z.string(),
})
export type Wagon = z.infer<typeof Wagon>

const wagon = { wagon_no: z.coerce.number<unknown>().int().positive().max(10_000) }

export const pickingSchemas = {
  components: { EventKind, PickEvent, EventResult, LineNow, EventAnswer, WagonCard, Wagon },
  calls: {
    wagons: {
      reply: z.object({
        /** In progress, then claimed. */
        mine: z.array(WagonCard),
        /** Without a picker, the most urgent first. */
        free: z.array(WagonCard),
        /** In other hands: to join, or to take over. */
        others: z.array(WagonCard),
      }),
      summary: 'Wagons to walk with: mine in progress, mine claimed, then those without a picker.',
    },
    claim: {
      params: wagon,
      body: z.strictObject({
        /** The wagon is somebody else’s, who stops picking it. */
        take_over: z.boolean().default(false),
        /** The wagon is somebody else’s, and both pick it. */
        join: z.boolean().default(false),
      }),
      reply: Wagon,
      summary: 'Takes a wagon. One active wagon a person; a wagon in other hands is refused unless joined or taken over.',
    },
    wagon: {
      params: wagon,
      reply: Wagon,
      summary: 'A wagon as the phone shows it: its stops, lines and slots.',
    },
    send: {
      params: wagon,
      body: z.strictObject({ events: z.array(PickEvent).min(1).max(100) }),
      reply: z.object({ answers: z.array(EventAnswer), now: z.string() }),
      summary:
        'What happened at a phone, in its order. Each event is a change of its own, answered by itself: one that is refused does not hold up the others.',
    },
    photo: {
      params: { ...wagon, event: z.uuid() },
      reply: z.object({ short_id: id }),
      summary: 'The photo of a short, after the event that reported it.',
    },
  },
} satisfies ContractSchemas
