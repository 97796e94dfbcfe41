/**
 * From approved hours and figures of work to lines of pay. Times are instants in milliseconds, money is minor units, tariffs are
 * millionths of the currency. Rates and tariffs follow the work date, supplements the moment; each line is summed first and rounded once.
 */
import { addDays, clockAt, dayAt, instantAt, weekdayOf } from '#domain/local-time.ts'
import { type LeaveUnit, type LineKind, leaveKey, type TariffUnit } from './salary.codes.ts'

interface Dated {
  valid_from: string
  valid_to: string | null
}

export interface Supplement extends Dated {
  id: number
  name: string
  /** Empty for every day. */
  weekdays: readonly number[]
  public_holiday: boolean
  from_local: string | null
  to_local: string | null
  /** Of an hour, in minor units. */
  rate: number
  rule_group: string
  pay_code: string
}

export interface Tariff extends Dated {
  id: number
  name: string
  unit: TariffUnit
  rate_micro: number
}

export interface Term {
  valid_from: string
  salary_type: 'hourly' | 'commission'
  rate: number
  floor_rate: number
}

interface WorkedDay {
  work_date: string
  /** Paid time. */
  intervals: readonly { from: number; to: number }[]
}

export interface DayCounts {
  day: string
  kind: 'pick' | 'pack'
  orders: number
  lines: number
  pieces: number
  grams: number
  wagons: number
  scans: number
  wrong: number
}

export interface LeaveDays {
  day: string
  /** 100 for a whole day. */
  units_c: number
  reason_id: number
  /** When it is less than half a day or more: from going home to the end of the shift. */
  rest: { from: number; to: number; seconds: number } | null
  /** Paid seconds of it; null where no one knows how many hours the person works. */
  seconds: number | null
}

export interface QualityRules {
  /** Share of right scans in hundredths of a percent, and what the commission is multiplied with, in thousandths. */
  steps: readonly { accuracy: number; factor: number }[]
  /** Below the last step. */
  below: number
  /** With fewer scans the factor is 1. */
  fewest_scans: number
}

interface PayCodes {
  hours: string
  commission: string
  floor: string
  leave: Readonly<Record<number, string>>
  leave_units: Readonly<Record<number, LeaveUnit>>
}

export interface PayRules {
  zone: string
  decimals: number
  holidays: ReadonlySet<string>
  supplements: readonly Supplement[]
  tariffs: readonly Tariff[]
  /** The tariffs of the pilot; null without one. */
  pilot: readonly Tariff[] | null
  quality: QualityRules
  floor_scope: 'period' | 'day'
  codes: PayCodes
}

/** What sums to a line: an interval of a day, or units of a tariff. */
export interface PayPart {
  day: string
  from: number | null
  to: number | null
  seconds: number
  name: string
  unit: TariffUnit | null
  /** Thousandths: a gram of a kilogram. */
  units_milli: number
  rate_micro: number
}

export interface PayLine {
  key: string
  kind: LineKind
  /** The name of a supplement; other lines are named by their kind. */
  name: string
  pay_code: string
  units_c: number | null
  rate: number | null
  amount: number
  parts: PayPart[]
}

export interface Pay {
  lines: PayLine[]
  seconds: number
  /** Work dates with hours or units for which no pay is known. */
  without_rate: string[]
  /** Days of leave in hours of which no hours are known. */
  without_hours: string[]
  scans: number
  wrong: number
  /** In thousandths. */
  factor: number
  /** What the pilot's tariffs would pay instead; null without a pilot. */
  pilot_total: number | null
}

export interface PersonWork {
  days: readonly WorkedDay[]
  counts: readonly DayCounts[]
  leave: readonly LeaveDays[]
  terms: readonly Term[]
}

const hour_s = 3_600
const halfHour = 1_800_000

/** Seconds as hundredths of an hour, rounded half up. */
export const hoursOf = (seconds: number): number => (seconds < 0 ? -hoursOf(-seconds) : Math.floor((seconds * 100 + hour_s / 2) / hour_s))

const divide = (numerator: bigint, denominator: bigint): number => {
  const rounded = ((numerator < 0n ? -numerator : numerator) * 2n + denominator) / (denominator * 2n)
  return Number(numerator < 0n ? -rounded : rounded)
}

/** Hundredths of an hour at a rate of an hour: 152.25 × 185.50 = 28,242.38. */
export const amountOf = (units_c: number, rate: number): number => divide(BigInt(units_c) * BigInt(rate), 100n)

/** Thousandths of units at millionths of the currency, in minor units. */
const tariffAmount = (units_milli: number, rate_micro: number, decimals: number): number =>
  divide(BigInt(units_milli) * BigInt(rate_micro), 1_000n * 10n ** BigInt(6 - decimals))

/** Millionths of the currency as whole minor units; null where it is none. */
export function minorOf(rate_micro: number, decimals: number): number | null {
  const one = 10 ** (6 - decimals)
  return rate_micro % one === 0 ? rate_micro / one : null
}

const scaled = (amount: number, factor: number): number => divide(BigInt(amount) * BigInt(factor), 1_000n)

const holds = ({ valid_from, valid_to }: Dated, day: string): boolean => valid_from <= day && (valid_to === null || day <= valid_to)

/** The pay that holds on a day: the latest that has begun. */
export function termOn(terms: readonly Term[], day: string): Term | null {
  let best: Term | null = null
  for (const term of terms) if (term.valid_from <= day && (best === null || term.valid_from > best.valid_from)) best = term
  return best
}

const isInside = (clock: string, from: string, to: string): boolean =>
  from < to ? clock >= from && clock < to : clock >= from || clock < to

interface Segment {
  from: number
  to: number
  paid: Supplement[]
}

/** A day on the company's clock in pieces, each with the supplements that are paid in it: of each group the highest. */
function segmentsOf(day: string, { supplements, zone, holidays }: PayRules): Segment[] {
  const live = supplements.filter(
    rule =>
      holds(rule, day) && (rule.public_holiday ? holidays.has(day) : rule.weekdays.length === 0 || rule.weekdays.includes(weekdayOf(day))),
  )
  if (live.length === 0) return []
  const start = instantAt(day, '00:00', zone)
  const end = instantAt(addDays(day, 1), '00:00', zone)
  const cuts = new Set([start, end])
  const isShifted = end - start !== 86_400_000
  // On a day with a change of the clock a time may come twice or not at all.
  if (isShifted) for (let at = start; at < end; at += halfHour) cuts.add(at)
  for (const rule of live)
    for (const clock of rule.from_local === null || rule.to_local === null ? [] : [rule.from_local, rule.to_local]) {
      const at = instantAt(day, clock, zone)
      cuts.add(at)
      if (isShifted) for (const other of [at - 2 * halfHour, at - halfHour, at + halfHour, at + 2 * halfHour]) cuts.add(other)
    }
  const edges = [...cuts].filter(at => at >= start && at <= end).toSorted((one, other) => one - other)
  return edges.slice(1).map((to, place) => {
    const from = edges[place] ?? to
    const clock = clockAt(from, zone)
    const groups = new Map<string, Supplement>()
    for (const rule of live) {
      if (rule.from_local !== null && rule.to_local !== null && !isInside(clock, rule.from_local, rule.to_local)) continue
      const group = rule.rule_group || `#${rule.id}`
      const known = groups.get(group)
      if (!known || rule.rate > known.rate) groups.set(group, rule)
    }
    return { from, to, paid: [...groups.values()] }
  })
}

/** Pay of many people by the same rules: days are cut once. */
export function payBy(rules: PayRules): (work: PersonWork) => Pay {
  const segments = new Map<string, Segment[]>()
  const segmentsOn = (day: string): Segment[] => {
    const known = segments.get(day)
    if (known) return known
    const made = segmentsOf(day, rules)
    segments.set(day, made)
    return made
  }
  return work => payOf(work, rules, segmentsOn)
}

const secondsOf = ({ from, to }: { from: number; to: number }): number => Math.round((to - from) / 1_000)
const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
const timePart = (day: string, from: number, to: number): PayPart => ({
  ...{ day, from, to, seconds: secondsOf({ from, to }), name: '', unit: null, units_milli: 0, rate_micro: 0 },
})

function payOf({ days, counts, leave, terms }: PersonWork, rules: PayRules, segmentsOn: (day: string) => Segment[]): Pay {
  const hours = new Map<number, PayPart[]>()
  const floors = new Map<number, PayPart[]>()
  const without = new Set<string>()
  for (const { work_date, intervals } of days) {
    const term = termOn(terms, work_date)
    if (!term && intervals.length > 0) without.add(work_date)
    if (!term) continue
    const [at, rate] = term.salary_type === 'hourly' ? [hours, term.rate] : [floors, term.floor_rate]
    at.set(rate, [...(at.get(rate) ?? []), ...intervals.map(({ from, to }) => timePart(work_date, from, to))])
  }
  const lines: PayLine[] = [...hours].map(([rate, parts]) =>
    timeLine({ kind: 'hours', key: `hours ${rate}`, rate, pay_code: rules.codes.hours }, parts),
  )

  const paid = new Map<number, { rule: Supplement; parts: PayPart[] }>()
  for (const { work_date, intervals } of days)
    for (const { from, to } of intervals)
      for (let day = dayAt(from, rules.zone); instantAt(day, '00:00', rules.zone) < to; day = addDays(day, 1))
        for (const segment of segmentsOn(day)) {
          const [start, end] = [Math.max(from, segment.from), Math.min(to, segment.to)]
          if (start >= end) continue
          for (const rule of segment.paid) {
            const known = paid.get(rule.id) ?? { rule, parts: [] }
            const last = known.parts.at(-1)
            if (last?.to === start && last.day === work_date && last.from !== null)
              known.parts[known.parts.length - 1] = timePart(work_date, last.from, end)
            else known.parts.push(timePart(work_date, start, end))
            paid.set(rule.id, known)
          }
        }
  for (const { rule, parts } of [...paid.values()].toSorted((one, other) => one.rule.id - other.rule.id))
    lines.push(
      timeLine(
        { kind: 'supplement', key: `supplement ${rule.id} ${rule.rate}`, rate: rule.rate, pay_code: rule.pay_code, name: rule.name },
        parts,
      ),
    )

  const scans = sum(counts.map(one => one.scans))
  const wrong = sum(counts.map(one => one.wrong))
  const factor = factorOf(scans, wrong, rules.quality)
  const isOn = (day: string) => termOn(terms, day)?.salary_type === 'commission'
  const earning = counts.filter(one => isOn(one.day))
  lines.push(...commissionLines({ counts: earning, floors, tariffs: rules.tariffs, factor }, rules))

  const away = new Map<number, LeaveDays[]>()
  for (const one of leave) away.set(one.reason_id, [...(away.get(one.reason_id) ?? []), one])
  const withoutHours = new Set<string>()
  for (const [reason_id, some] of away) {
    const unit = rules.codes.leave_units[reason_id] ?? 'days'
    if (unit === 'hours') for (const { day, seconds } of some) if (seconds === null) withoutHours.add(day)
    lines.push({
      key: leaveKey(reason_id, unit),
      kind: 'leave',
      name: String(reason_id),
      pay_code: rules.codes.leave[reason_id] ?? '',
      units_c: unit === 'hours' ? hoursOf(sum(some.map(one => one.seconds ?? 0))) : sum(some.map(one => one.units_c)),
      rate: null,
      amount: 0,
      parts: some.map(({ day, units_c, rest, seconds }) => ({
        ...{ day, from: rest?.from ?? null, to: rest?.to ?? null, seconds: (unit === 'hours' ? seconds : rest?.seconds) ?? 0 },
        ...{ name: '', unit: null, units_milli: units_c * 10, rate_micro: 0 },
      })),
    })
  }

  let pilot_total: number | null = null
  if (rules.pilot) {
    const all = new Map<number, PayPart[]>()
    for (const { work_date, intervals } of days) {
      const rate = termOn(terms, work_date)?.floor_rate ?? 0
      all.set(rate, [...(all.get(rate) ?? []), ...intervals.map(({ from, to }) => timePart(work_date, from, to))])
    }
    const piloted = commissionLines({ counts, floors: all, tariffs: rules.pilot, factor }, rules)
    pilot_total = sum([...lines.filter(line => line.kind === 'supplement'), ...piloted].map(line => line.amount))
  }
  return {
    lines,
    seconds: sum(days.flatMap(day => day.intervals.map(secondsOf))),
    without_rate: [...without].toSorted(),
    without_hours: [...withoutHours].toSorted(),
    scans,
    wrong,
    factor,
    pilot_total,
  }
}

function timeLine(line: { kind: LineKind; key: string; rate: number; pay_code: string; name?: string }, parts: PayPart[]): PayLine {
  const units_c = hoursOf(sum(parts.map(part => part.seconds)))
  return { name: '', ...line, units_c, amount: amountOf(units_c, line.rate), parts }
}

/** What a commission is multiplied with, in thousandths, by the share of scans that were right. */
export function factorOf(scans: number, wrong: number, { steps, below, fewest_scans }: QualityRules): number {
  if (scans < fewest_scans || scans === 0) return 1_000
  const step = steps
    .toSorted((one, other) => other.accuracy - one.accuracy)
    .find(({ accuracy }) => (scans - wrong) * 10_000 >= accuracy * scans)
  return step?.factor ?? below
}

const figureOf = (counts: DayCounts, unit: TariffUnit): number => {
  if (!unit.startsWith(counts.kind)) return 0
  switch (unit) {
    case 'pick_order':
    case 'pack_order':
      return counts.orders * 1_000
    case 'pick_line':
    case 'pack_line':
      return counts.lines * 1_000
    case 'pick_piece':
    case 'pack_piece':
      return counts.pieces * 1_000
    case 'pick_wagon':
      return counts.wagons * 1_000
    case 'pick_kg':
    case 'pack_kg':
      return counts.grams
  }
}

interface Commission {
  counts: readonly DayCounts[]
  /** Worked time by the least that an hour pays. */
  floors: ReadonlyMap<number, PayPart[]>
  tariffs: readonly Tariff[]
  factor: number
}

/** Units by tariffs, times quality, and the difference to the least that the hours pay. */
function commissionLines({ counts, floors, tariffs, factor }: Commission, { decimals, floor_scope, codes }: PayRules): PayLine[] {
  const parts = tariffs.flatMap(tariff =>
    counts.flatMap((one): PayPart[] => {
      const units_milli = holds(tariff, one.day) ? figureOf(one, tariff.unit) : 0
      if (units_milli === 0) return []
      const { name, unit, rate_micro } = tariff
      return [{ day: one.day, from: null, to: null, seconds: 0, name, unit, units_milli, rate_micro }]
    }),
  )
  const earned = (some: readonly PayPart[]): number => {
    const byTariff = new Map<string, { units_milli: number; rate_micro: number }>()
    for (const { unit, rate_micro, units_milli } of some) {
      const key = `${unit} ${rate_micro}`
      byTariff.set(key, { rate_micro, units_milli: (byTariff.get(key)?.units_milli ?? 0) + units_milli })
    }
    return scaled(sum([...byTariff.values()].map(one => tariffAmount(one.units_milli, one.rate_micro, decimals))), factor)
  }
  const least = (day?: string): number =>
    sum(
      [...floors].map(([rate, some]) =>
        amountOf(hoursOf(sum(some.filter(part => day === undefined || part.day === day).map(part => part.seconds))), rate),
      ),
    )
  const amount = earned(parts)
  const worked = [...floors.values()].flat()
  const missing =
    floor_scope === 'period'
      ? Math.max(0, least() - amount)
      : sum([...new Set(worked.map(part => part.day))].map(day => Math.max(0, least(day) - earned(parts.filter(part => part.day === day)))))
  const lines: PayLine[] = []
  const line = { name: '', units_c: null, rate: null }
  if (parts.length > 0) lines.push({ ...line, key: 'commission', kind: 'commission', pay_code: codes.commission, amount, parts })
  if (missing > 0) lines.push({ ...line, key: 'floor', kind: 'floor', pay_code: codes.floor, amount: missing, parts: worked })
  return lines
}

export const totalOf = (lines: readonly Pick<PayLine, 'amount'>[]): number => sum(lines.map(line => line.amount))

/** What was exported of a line. */
export interface Frozen {
  key: string
  kind: LineKind
  name: string
  pay_code: string
  rate: number | null
  units_c: number | null
  amount: number
}

/** What differs from what was exported: whole lines where nothing was. */
export function differences(lines: readonly PayLine[], frozen: readonly Frozen[]): PayLine[] {
  const before = new Map<string, Frozen>()
  for (const one of frozen) {
    const known = before.get(one.key)
    before.set(one.key, {
      ...one,
      units_c: known || one.units_c !== null ? (known?.units_c ?? 0) + (one.units_c ?? 0) : null,
      amount: (known?.amount ?? 0) + one.amount,
    })
  }
  const due = lines.flatMap((line): PayLine[] => {
    const known = before.get(line.key)
    before.delete(line.key)
    if (!known) return [line]
    const units_c = line.units_c === null ? null : line.units_c - (known.units_c ?? 0)
    const amount = line.amount - known.amount
    return amount === 0 && !units_c ? [] : [{ ...line, units_c, amount }]
  })
  const gone = [...before.values()].flatMap((one): PayLine[] =>
    one.amount === 0 && !one.units_c
      ? []
      : [{ ...one, units_c: one.units_c === null ? null : -one.units_c, amount: -one.amount, parts: [] }],
  )
  return [...due, ...gone]
}
