/** Which orders of a wave go along, which do not, and in words why not. */
import { elementAt } from '#domain/objects.ts'
import { binKey } from '#features/warehouse/warehouse-maps/bins.rules.ts'
import { mostLeftOut } from './pick-lists.contract.ts'
import type { LeftOut, LeftOutReason, Wave } from './pick-lists.schemas.ts'

export interface Asked {
  id: number
  version: number
}

export interface Candidate extends Asked {
  company_id: number
  order_no: string
  work_state: string
  held: boolean
  cancelled: boolean
  short: boolean
  label_error: boolean
  pinned: boolean
  ship_by: string | null
  created_at: string
  /** False for an order asked for by id that the wave's other filters do not let in. */
  matches: boolean
  /** The badge that says what of the customs data is missing. */
  customs: { text: string; values: Record<string, string | number> } | null
  on_list: boolean
  /** It goes in the parcel of another order. */
  combined: boolean
  lock: { kind: string; reason: string | null; note: string; actor: string } | null
}

export interface WaveLine {
  id: number
  order_id: number
  company_id: number
  product_id: number | null
  sku: string | null
  name: string
  variant: string | null
  bin: string | null
  asked: number
  weight_g: number | null
  volume_ml: number | null
}

export interface Blocked {
  company_id: number
  bin: string
  product_id: number | null
}

/** An order that may go along: what of it is picked where, and how heavy and large it is. */
export interface Eligible {
  id: number
  company_id: number
  order_no: string
  version: number
  pinned: boolean
  ship_by: string | null
  lines: PlacedLine[]
  weight_g: number
  volume_ml: number
  heaviest_g: number
}

export interface PlacedLine extends WaveLine {
  /** Null without a map, and for bins that it does not have. */
  cell: number | null
}

export interface Excluded {
  order_id: number
  order_no: string
  company_id: number
  reason: LeftOutReason
  text: string
  values: Record<string, string | number>
}

/** What each reason says of one order, and what it means in general. Both are translation keys. */
export const reasonSentences: Record<LeftOutReason, { one: string; all: string }> = {
  unknown: { one: 'There is no order with this id', all: 'Unknown orders' },
  not_asked: { one: 'The other choices of this wave leave it out', all: 'Left out by the other choices' },
  cancelled: { one: 'The order is cancelled', all: 'Cancelled' },
  not_released: { one: 'The order is not released yet', all: 'Not released yet' },
  combined: { one: 'The order is picked with the one that carries its parcel', all: 'Picked with another order' },
  held: { one: 'Put on hold by {{name}}: {{note}}', all: 'On hold' },
  locked: { one: 'Locked by {{name}}: {{note}}', all: 'Locked' },
  waiting: { one: 'It waits: {{note}}', all: 'Waiting until a time' },
  unpaid: { one: 'It is not paid', all: 'Not paid' },
  label_error: { one: 'Its label failed: it is worked on at the packing station', all: 'Label error' },
  short: { one: 'Items were missing: someone has to decide first', all: 'Items missing' },
  young: { one: 'It came in less than a minute ago', all: 'Younger than a minute' },
  on_list: { one: 'It is on a pick list already', all: 'On a pick list already' },
  being_packed: { one: 'Still being packed', all: 'Packing now' },
  busy: { one: 'Someone else is changing it right now', all: 'Being changed right now' },
  done: { one: 'It is packed already', all: 'Packed already' },
  nothing_to_pick: { one: 'There is nothing to pick for it', all: 'Nothing to pick' },
  no_bin: { one: '{{product}} has no bin', all: 'A product has no bin' },
  off_map: { one: 'The bin {{bin}} is not on the map', all: 'A bin is not on the map' },
  blocked_bin: { one: 'The bin {{bin}} has to be counted first', all: 'A bin has to be counted first' },
  elsewhere: { one: '{{product}} lies in {{bin}}', all: 'Lies in other bins' },
  not_single: { one: 'It has more than one item', all: 'More than one item' },
  customs: { one: 'The customs data are not complete', all: 'Customs data missing' },
  too_heavy: { one: 'It is too heavy for the wagon: {{kilograms}} kg', all: 'Too heavy' },
  too_large: { one: 'It is too large for a slot: {{litres}} l', all: 'Too large' },
  no_way: { one: 'There is no way to one of its bins', all: 'No way to a bin' },
  no_slot: { one: 'Wagons are full', all: 'Wagons are full' },
  enough: { one: 'The list has as many orders as you wanted', all: 'Beyond the wanted number' },
}

/** Rules and prices change an order in its first minute: it waits so long before it is walked for. */
const minimumAgeSeconds = 60

export interface Surroundings {
  now: Date
  blocked: readonly Blocked[]
  /** Orders that somebody else was quicker to take. */
  busy: ReadonlySet<number>
  companies: ReadonlyMap<number, { name: string; default_weight_g: number }>
  /** Null without an active map. */
  cellOfBin: ((bin: string) => number | null) | null
}

/** The orders that go along, the most urgent first, and the others with the first reason that holds. */
export function sift(
  wave: Wave,
  candidates: readonly Candidate[],
  lines: readonly WaveLine[],
  around: Surroundings,
): { eligible: Eligible[]; excluded: Excluded[] } {
  const ofOrder = Map.groupBy(lines, line => line.order_id)
  const blocked = new Set(around.blocked.map(one => `${one.company_id} ${binKey(one.bin)} ${one.product_id ?? ''}`))
  const excluded: Excluded[] = []
  const eligible: Eligible[] = []
  for (const order of candidates) {
    const against: Against = around.busy.has(order.id)
      ? { reason: 'busy' }
      : (againstOrder(wave, order, around.now) ?? againstLines(wave, order, ofOrder.get(order.id) ?? [], blocked, around.cellOfBin))
    if (against) excluded.push(exclude(order, against.reason, against.values, against.text))
    else eligible.push(placed(order, ofOrder.get(order.id) ?? [], around))
  }
  const known = new Set(candidates.map(order => order.id))
  for (const id of new Set(wave.order_ids))
    if (!known.has(id)) excluded.push(exclude({ id, order_no: String(id), company_id: 0 }, 'unknown'))
  eligible.sort(byUrgency)
  const most = wave.type === 'order' ? 1 : wave.max_orders
  if (most !== null && eligible.length > most) for (const order of eligible.splice(most)) excluded.push(exclude(order, 'enough'))
  return { eligible, excluded }
}

/** Whose lines are worth reading: nothing speaks against the order itself. */
export const worthReading = (wave: Wave, candidates: readonly Candidate[], now: Date): number[] =>
  candidates.filter(order => againstOrder(wave, order, now) === null).map(order => order.id)

type Against = { reason: LeftOutReason; values?: Record<string, string | number>; text?: string } | null

function againstOrder(wave: Wave, order: Candidate, now: Date): Against {
  if (order.cancelled) return { reason: 'cancelled' }
  if (!order.matches) return { reason: 'not_asked' }
  switch (order.work_state) {
    case 'new':
    case 'ready':
      break
    case 'in_pick':
    case 'picked':
      return { reason: 'on_list' }
    case 'in_pack':
      return { reason: order.label_error ? 'label_error' : 'being_packed' }
    default:
      return { reason: 'done' }
  }
  if (order.held) {
    const { lock } = order
    const values = { name: lock?.actor ?? '–', note: lock?.note || lock?.reason || '–' }
    if (lock?.kind === 'manual') return { reason: 'locked', values }
    if (lock?.kind === 'auto') return { reason: 'waiting', values: { note: values.note } }
    return lock?.reason === 'payment' ? { reason: 'unpaid' } : { reason: 'held', values }
  }
  if (order.work_state === 'new') return { reason: 'not_released' }
  if (order.combined) return { reason: 'combined' }
  if (order.short) return { reason: 'short' }
  if (order.label_error) return { reason: 'label_error' }
  if (order.on_list) return { reason: 'on_list' }
  if (order.customs) return { reason: 'customs', text: order.customs.text, values: order.customs.values }
  // Who names an order wants it now.
  const asked = wave.order_ids.length > 0
  if (!asked && now.getTime() - Date.parse(order.created_at) < minimumAgeSeconds * 1_000) return { reason: 'young' }
  return null
}

function againstLines(
  wave: Wave,
  order: Candidate,
  lines: readonly WaveLine[],
  blocked: ReadonlySet<string>,
  cellOfBin: Surroundings['cellOfBin'],
): Against {
  if (lines.length === 0) return { reason: 'nothing_to_pick' }
  if (wave.type === 'singles' && (lines.length > 1 || elementAt(lines, 0).asked > 1)) return { reason: 'not_single' }
  const prefix = wave.only_bins.toUpperCase()
  for (const line of lines) {
    const product = line.sku ?? line.name
    const { bin } = line
    if (bin === null) {
      if (prefix !== '') return { reason: 'elsewhere', values: { product, bin: '–' } }
      if (wave.without_place === 'leave_out') return { reason: 'no_bin', values: { product } }
      continue
    }
    if (prefix !== '' && !bin.toUpperCase().startsWith(prefix)) return { reason: 'elsewhere', values: { product, bin } }
    const key = `${order.company_id} ${binKey(bin)} `
    if (blocked.has(key) || (line.product_id !== null && blocked.has(`${key}${line.product_id}`)))
      return { reason: 'blocked_bin', values: { bin } }
    if (cellOfBin && wave.without_place === 'leave_out' && cellOfBin(bin) === null) return { reason: 'off_map', values: { bin } }
  }
  return null
}

function placed(order: Candidate, lines: readonly WaveLine[], { companies, cellOfBin }: Surroundings): Eligible {
  const usual = companies.get(order.company_id)?.default_weight_g ?? 500
  let [weight_g, volume_ml, heaviest_g] = [0, 0, 0]
  const placedLines = lines.map(line => {
    const each = line.weight_g ?? usual
    weight_g += each * line.asked
    volume_ml += (line.volume_ml ?? 0) * line.asked
    heaviest_g = Math.max(heaviest_g, each)
    return { ...line, cell: line.bin !== null && cellOfBin ? cellOfBin(line.bin) : null }
  })
  const { id, company_id, order_no, version, pinned, ship_by } = order
  return { id, company_id, order_no, version, pinned, ship_by, lines: placedLines, weight_g, volume_ml, heaviest_g }
}

/** Pinned ones first, then what leaves first, then what came first. */
function byUrgency(a: Pick<Eligible, 'pinned' | 'ship_by' | 'id'>, b: Pick<Eligible, 'pinned' | 'ship_by' | 'id'>): number {
  if (a.pinned !== b.pinned) return a.pinned ? -1 : 1
  const deadline = (at: string | null) => (at === null ? Number.POSITIVE_INFINITY : Date.parse(at))
  const [one, other] = [deadline(a.ship_by), deadline(b.ship_by)]
  return one === other ? a.id - b.id : one - other
}

export function exclude(
  order: { id: number; order_no: string; company_id: number },
  reason: LeftOutReason,
  values: Record<string, string | number> = {},
  text = reasonSentences[reason].one,
): Excluded {
  return { order_id: order.id, order_no: order.order_no, company_id: order.company_id, reason, text, values }
}

/** Left-out orders as the preview shows them: all counted, the first thousands listed, the reasons that most orders share first. */
export function leftOutOf(excluded: readonly Excluded[], companies: ReadonlyMap<number, { name: string }>) {
  const counts = Map.groupBy(excluded, one => one.reason)
  const reasons = [...counts]
    .map(([reason, ones]) => ({ reason, text: reasonSentences[reason].all, count: ones.length }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
  const left_out: LeftOut[] = excluded.slice(0, mostLeftOut).map(one => ({ ...one, company: companies.get(one.company_id)?.name ?? '' }))
  return { left_out, left_out_count: excluded.length, reasons }
}
