/** Words of the board. */
import { eitherOf, number, span, time } from '#ui/kit/format.ts'
import { localeTag, t } from '#ui/kit/translate.ts'
import { helpIn, leftOf, missedIn, type Words } from './board-words.rules.ts'
import { burnDownRows } from './burn-down.rules.ts'
import type { Alarm } from './deadline-board.codes.ts'
import type { BoardRow, BurnDown } from './deadline-board.schemas.ts'

const unitOf = (value: number, unit: 'hour' | 'minute'): string =>
  new Intl.NumberFormat(localeTag(), { style: 'unit', unit, unitDisplay: 'narrow' }).format(value)

/** The time that is left, short enough for a television: `3h 21m`, in whole minutes. */
export function timeLeft(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000))
  if (minutes >= 48 * 60) return span(milliseconds)
  if (minutes < 60) return unitOf(minutes, 'minute')
  return `${unitOf(Math.floor(minutes / 60), 'hour')} ${unitOf(minutes % 60, 'minute')}`
}

const words: Words = { t, number, time, either: eitherOf }

export const helpWords = (row: Pick<BoardRow, 'advice' | 'start_by'>): string => helpIn(words, row)

export const alarmWords = (): Record<Alarm, string> => ({
  watch: t('Under an hour'),
  soon: t('Under 30 minutes'),
  urgent: t('Under 15 minutes'),
  missed: t('Pickup missed'),
})

/** The forecast as a sentence: whether the pickup leaves whole, and what would help. */
export function outlook(row: BoardRow): string {
  const left = leftOf(row)
  if (row.due_at === null) return t('No pickup in the next 60 days')
  if (left === 0) return row.on_hold + row.exceptions > 0 ? t('Only holds and exceptions are left') : t('Nothing left to do')
  if (row.forecast_missed === null) return ''
  if (row.forecast_missed === 0)
    return row.finish_at === null ? t('On time') : t('On time: done at {{time}}', { time: time(row.finish_at) })
  return missedIn(words, row, row.forecast_missed)
}

/** How many are left now, beside the even line to the pickup. */
export function paceWords(lines: BurnDown): string {
  const now = lines.line.at(-1)
  if (!now) return ''
  const even = burnDownRows(lines).find(row => row.at === now.at)?.needed
  const left = t('{{n}} left', { n: number(now.left) })
  const behind = even === undefined ? 0 : Math.round(now.left - even)
  if (behind === 0) return left
  return `${left}, ${
    behind > 0 ? t('{{n}} behind an even pace', { n: number(behind) }) : t('{{n}} ahead of an even pace', { n: number(-behind) })
  }`
}

const hour = 3_600_000

/** Whole hours of an axis, at most ten of them. */
export function hourMarks(from: number, until: number): number[] {
  const each = Math.max(1, Math.ceil((until - from) / hour / 10)) * hour
  const marks = []
  for (let at = Math.ceil(from / hour) * hour; at <= until; at += each) marks.push(at)
  return marks
}
