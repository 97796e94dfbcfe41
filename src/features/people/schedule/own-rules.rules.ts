/** Rules of working time that a company sets itself, beside the law: which there are, what they may say, and what holds on a day. */
import type { WorkingTimeCountry } from '../employees/employees.codes.ts'
import type { OwnableRule, WorkingTimeRule } from './schedule.codes.ts'
import { type CountryRules, countryRules, type YoungRules } from './working-time.codes.ts'

export interface OwnRule {
  rule: OwnableRule
  valid_from: string
  minutes: number
}

/** Minutes that a rule may say, of the time over which it is counted. */
const ownRuleLimits: Readonly<Record<OwnableRule, { least: number; most: number; step: number }>> = {
  rest: { least: 60, most: 1_440, step: 15 },
  weekly_rest: { least: 60, most: 10_080, step: 15 },
  average: { least: 60, most: 10_080, step: 15 },
  break: { least: 5, most: 120, step: 1 },
  long_day: { least: 60, most: 1_440, step: 15 },
  young_day: { least: 60, most: 1_440, step: 15 },
  young_week: { least: 60, most: 10_080, step: 15 },
  young_rest: { least: 60, most: 1_440, step: 15 },
  young_weekly_rest: { least: 60, most: 10_080, step: 15 },
  young_break: { least: 5, most: 120, step: 1 },
}

export const isPossible = ({ rule, minutes }: Pick<OwnRule, 'rule' | 'minutes'>): boolean => {
  const { least, most, step } = ownRuleLimits[rule]
  return Number.isInteger(minutes) && minutes >= least && minutes <= most && minutes % step === 0
}

/** Rules that say what is the most; the others say what is the least. */
const isMost = (rule: OwnableRule): boolean => rule === 'average' || rule === 'long_day' || rule === 'young_day' || rule === 'young_week'

export const isOfMinors = (rule: WorkingTimeRule): boolean => rule.startsWith('young_')

/** The law of a country that holds on a day. */
export const rulesOn = (country: WorkingTimeCountry, day: string): CountryRules | undefined =>
  countryRules[country].findLast(rules => rules.valid_from <= day)

/** Minutes that the law says for a rule; null where it names none. Of breaks, that of the shortest day that needs one. */
export function lawMinutes(law: CountryRules, rule: OwnableRule): number | null {
  const { young } = law
  const hours: Record<OwnableRule, number | null> = {
    rest: law.rest_h,
    weekly_rest: law.weekly_rest_h,
    average: law.average_h,
    break: (law.breaks.at(-1)?.minutes ?? 0) / 60 || null,
    long_day: law.day_h,
    young_day: young.day_h,
    young_week: young.week_h,
    young_rest: young.rest_h,
    young_weekly_rest: young.weekly_rest_h,
    young_break: (young.breaks.at(-1)?.minutes ?? 0) / 60 || null,
  }
  const said = hours[rule]
  return said === null ? null : Math.round(said * 60)
}

/** Whether the law of the day protects people more. */
export function isWeaker(law: CountryRules, { rule, minutes }: Pick<OwnRule, 'rule' | 'minutes'>): boolean {
  const said = lawMinutes(law, rule)
  return said !== null && (isMost(rule) ? minutes > said : minutes < said)
}

interface RulesOfDay extends CountryRules {
  /** Since when the company's own rule holds; null where the law does. */
  ownSince: (rule: WorkingTimeRule) => string | null
}

const byLaw = () => null

/** What holds on a day: the law, with the newest rule of the company of each kind in its place. */
export function rulesHere(country: WorkingTimeCountry, day: string, own: readonly OwnRule[]): RulesOfDay | undefined {
  const law = rulesOn(country, day)
  if (!law) return
  if (own.length === 0) return { ...law, ownSince: byLaw }
  const newest = new Map<WorkingTimeRule, OwnRule>()
  for (const one of own) {
    const known = newest.get(one.rule)
    if (one.valid_from <= day && (!known || known.valid_from < one.valid_from)) newest.set(one.rule, one)
  }
  // Minors keep the law where it has become stricter since.
  for (const [rule, one] of newest)
    if (lawMinutes(law, one.rule) === one.minutes || (isOfMinors(rule) && isWeaker(law, one))) newest.delete(rule)
  const hours = (rule: OwnableRule) => {
    const one = newest.get(rule)
    return one && one.minutes / 60
  }
  const breaks = (of: CountryRules['breaks'], rule: OwnableRule) => {
    const minutes = newest.get(rule)?.minutes
    return minutes === undefined
      ? of
      : of.map((one, index) => ({ ...one, minutes: index === of.length - 1 ? minutes : Math.max(one.minutes ?? 0, minutes) }))
  }
  const stricter = (rules: YoungRules): YoungRules => ({
    ...rules,
    day_h: Math.min(rules.day_h, hours('young_day') ?? rules.day_h),
    week_h: Math.min(rules.week_h, hours('young_week') ?? rules.week_h),
    rest_h: Math.max(rules.rest_h, hours('young_rest') ?? 0),
    weekly_rest_h: Math.max(rules.weekly_rest_h, hours('young_weekly_rest') ?? 0),
    breaks: breaks(rules.breaks, 'young_break'),
  })
  return {
    ...law,
    rest_h: hours('rest') ?? law.rest_h,
    weekly_rest_h: hours('weekly_rest') ?? law.weekly_rest_h,
    average_h: hours('average') ?? law.average_h,
    day_h: hours('long_day') ?? law.day_h,
    breaks: breaks(law.breaks, 'break'),
    young: stricter(law.young),
    school: law.school && stricter(law.school),
    ownSince: rule => newest.get(rule)?.valid_from ?? null,
  }
}
