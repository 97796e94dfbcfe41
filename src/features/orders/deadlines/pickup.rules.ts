/** Which pickup an order is on, and by when it has to leave: pure rules on the clock of the warehouse. */
import { addDays, dayAt, instantAt, weekdayOf } from '#domain/local-time.ts'
import type { ShipBySource } from './deadlines.codes.ts'

export interface SpecialDay {
  open: boolean
  cut_off: string | null
  pickup_time: string | null
}

export interface PickupRule {
  /** From 1 for Monday to 7 for Sunday. */
  weekdays: readonly number[]
  /** Ordered until this time, an order leaves with the pickup of the day. */
  cut_off: string
  pickup_time: string
  /** Further pickup days after the first one. */
  sla_days: number
  time_zone: string
  isHoliday(day: string): boolean
  /** Days that differ; they win over weekdays and holidays. */
  days: ReadonlyMap<string, SpecialDay>
}

/** Beyond this no pickup is looked for. */
const mostDays = 60

interface PickupTimes {
  cut_off: number
  pickup: number
}

/** The times of a day; null without a pickup. */
function timesOn(rule: PickupRule, day: string): PickupTimes | null {
  const special = rule.days.get(day)
  if (special ? !special.open : !rule.weekdays.includes(weekdayOf(day)) || rule.isHoliday(day)) return null
  const early = special?.pickup_time && special.pickup_time < rule.cut_off ? special.pickup_time : rule.cut_off
  return {
    cut_off: instantAt(day, special?.cut_off ?? early, rule.time_zone),
    pickup: instantAt(day, special?.pickup_time ?? rule.pickup_time, rule.time_zone),
  }
}

interface FoundPickup {
  at: number
  /** Up to here a later start finds the same pickup. */
  until: number
}

/** The first pickup whose cut-off is at or after the start, and as many pickup days later as the rule gives. */
export function findPickup(rule: PickupRule, { from, not_before }: { from: number; not_before: string | null }): FoundPickup | null {
  const first = dayAt(from, rule.time_zone)
  const start = not_before !== null && not_before > first ? not_before : first
  let left = -1
  let until = 0
  for (let passed = 0; passed <= mostDays; passed++) {
    const times = timesOn(rule, addDays(start, passed))
    if (!times) continue
    if (left < 0) {
      if (times.cut_off < from) continue
      left = rule.sla_days
      until = times.cut_off
    } else left--
    if (left === 0) return { at: times.pickup, until }
  }
  return null
}

/** The next pickups at or after an instant. */
export function nextPickups(rule: PickupRule, from: number, count: number): number[] {
  const found: number[] = []
  const first = dayAt(from, rule.time_zone)
  for (let passed = 0; passed <= mostDays && found.length < count; passed++) {
    const times = timesOn(rule, addDays(first, passed))
    if (times && times.pickup >= from) found.push(times.pickup)
  }
  return found
}

/** The last pickup before an instant. */
export function lastPickup(rule: PickupRule, before: number): number | null {
  const first = dayAt(before, rule.time_zone)
  for (let passed = 0; passed <= mostDays; passed++) {
    const times = timesOn(rule, addDays(first, -passed))
    if (times && times.pickup < before) return times.pickup
  }
  return null
}

/** The last pickup that keeps a promise; null where none is left. */
function pickupKeeping(rule: PickupRule, promised: number, now: number): number | null {
  const first = dayAt(promised, rule.time_zone)
  for (let passed = 0; passed <= mostDays; passed++) {
    const times = timesOn(rule, addDays(first, -passed))
    if (!times || times.pickup > promised) continue
    return times.pickup >= now ? times.pickup : null
  }
  return null
}

export interface DeadlineFilter {
  company_ids: readonly number[]
  agent_codes: readonly string[]
  /** `agent:method`. */
  shipping_methods: readonly string[]
  countries: readonly string[]
}

export interface OrderToMatch {
  company_id: number
  agent_code: string | null
  shipping_method: string | null
  country: string
}

/** How exactly a deadline is about the order: methods count more than couriers, then companies, then countries. Null where it is not. */
export function specificity(filter: DeadlineFilter, order: OrderToMatch): number | null {
  const method = order.agent_code !== null && order.shipping_method !== null ? `${order.agent_code}:${order.shipping_method}` : ''
  const parts: readonly (readonly [weight: number, filled: boolean, met: boolean])[] = [
    [8, filter.shipping_methods.length > 0, filter.shipping_methods.includes(method)],
    [4, filter.agent_codes.length > 0, order.agent_code !== null && filter.agent_codes.includes(order.agent_code)],
    [2, filter.company_ids.length > 0, filter.company_ids.includes(order.company_id)],
    [1, filter.countries.length > 0, filter.countries.includes(order.country)],
  ]
  if (parts.some(([, filled, met]) => filled && !met)) return null
  return parts.reduce((sum, [weight, filled]) => sum + (filled ? weight : 0), 0)
}

export interface PlannedDeadline extends DeadlineFilter {
  id: number
  rule: PickupRule
  /** `findPickup` of the rule; between two cut-offs it is worked out once. */
  find: (start: { from: number; not_before: string | null }) => number | null
}

export function planned({ id, rule, ...filter }: DeadlineFilter & { id: number; rule: PickupRule }): PlannedDeadline {
  let from = 1
  let until = 0
  let answer: number | null = null
  return {
    ...filter,
    id,
    rule,
    find(start) {
      if (start.not_before !== null) return findPickup(rule, start)?.at ?? null
      if (start.from < from || start.from > until) {
        const found = findPickup(rule, start)
        from = start.from
        until = found?.until ?? from
        answer = found?.at ?? null
      }
      return answer
    },
  }
}

interface Start {
  from: number
  not_before: string | null
}

/** The deadline of an order and its pickup: the most specific one, of equal ones the earliest. Null where none has a pickup. */
function match(plan: readonly PlannedDeadline[], order: OrderToMatch, start: Start): { deadline: PlannedDeadline; at: number } | null {
  let best: { deadline: PlannedDeadline; at: number; weight: number } | null = null
  for (const deadline of plan) {
    const weight = specificity(deadline, order)
    if (weight === null || (best && weight < best.weight)) continue
    const at = deadline.find(start)
    if (at === null) continue
    const better = !best || weight > best.weight || at < best.at || (at === best.at && deadline.id < best.deadline.id)
    if (better) best = { deadline, at, weight }
  }
  return best
}

export interface AssignedDeadline {
  deadline_id: number | null
  deadline_at: string | null
  ship_by: string | null
  ship_by_source: ShipBySource
}

/** What a person or the shop has promised; a person wins. */
export function promiseOf(order: {
  ship_by: string | null
  ship_by_source: ShipBySource | null
  promised: string | null
}): { at: string; source: 'shop' | 'manual' } | null {
  if (order.ship_by_source === 'manual' && order.ship_by !== null) return { at: order.ship_by, source: 'manual' }
  return order.promised === null ? null : { at: order.promised, source: 'shop' }
}

export interface OrderToAssign extends OrderToMatch, Start {
  now: number
  /** What a person or the shop has promised. */
  fixed: { at: string; source: 'shop' | 'manual' } | null
  /** What the company's own cut-off says. */
  fallback: () => string | null
}

const iso = (at: number): string => new Date(at).toISOString()

/** A promise of a person or of the shop wins, then the deadline, then the company's cut-off. */
export function assignDeadline(plan: readonly PlannedDeadline[], order: OrderToAssign): AssignedDeadline {
  const found = match(plan, order, order)
  if (order.fixed) {
    const at = found && pickupKeeping(found.deadline.rule, Date.parse(order.fixed.at), order.now)
    return {
      deadline_id: at === null ? null : (found?.deadline.id ?? null),
      deadline_at: at === null ? null : iso(at),
      ship_by: order.fixed.at,
      ship_by_source: order.fixed.source,
    }
  }
  if (!found) return { deadline_id: null, deadline_at: null, ship_by: order.fallback(), ship_by_source: 'company' }
  return { deadline_id: found.deadline.id, deadline_at: iso(found.at), ship_by: iso(found.at), ship_by_source: 'deadline' }
}

/** An order older than this came with a move from another system: what was once promised is past, so its time counts from its arrival. */
const oldest = 14 * 86_400_000

/** From when the time of an order runs: when it was ordered, or when the last hold that stops the clock ended. */
export function startOf(order: { ordered_at: string; created_at: string; resumed_at: string | null }): number {
  const ordered = Date.parse(order.ordered_at)
  const came = Date.parse(order.created_at)
  const from = ordered > came || came - ordered > oldest ? came : ordered
  return order.resumed_at === null ? from : Math.max(from, Date.parse(order.resumed_at))
}

export interface HeldDeadline extends Omit<AssignedDeadline, 'ship_by_source'> {
  ship_by_source: ShipBySource | null
}

/**
 * What an order has after a change of rules: late stays late. A passed pickup and a passed ship-by date never move later by it;
 * `moves` says that a wish or the end of a hold may do so.
 */
export function afterChange(
  before: HeldDeadline,
  next: AssignedDeadline,
  { now, moves }: { now: number; moves: boolean },
): AssignedDeadline | null {
  let after = next
  const passed = (at: string | null): boolean => at !== null && Date.parse(at) < now
  if (!moves && next.ship_by_source !== 'manual') {
    if (passed(before.deadline_at) && (next.deadline_at === null || next.deadline_at > (before.deadline_at ?? ''))) return null
    if (passed(before.ship_by) && (next.ship_by === null || next.ship_by > (before.ship_by ?? '')))
      after = { ...next, ship_by: before.ship_by, ship_by_source: before.ship_by_source ?? 'company' }
  }
  const same =
    before.deadline_id === after.deadline_id &&
    before.deadline_at === after.deadline_at &&
    before.ship_by === after.ship_by &&
    before.ship_by_source === after.ship_by_source
  return same ? null : after
}
