/** What the forecast of a pickup says, for screens and mails. */
import type { BoardRow } from './deadline-board.schemas.ts'

export interface Words {
  t: (key: string, values?: Record<string, string | number>) => string
  number: (value: number) => string
  time: (at: string) => string
  either: (items: readonly string[]) => string
}

export const leftOf = ({ remaining: { ready, picking, picked, packing, packed } }: Pick<BoardRow, 'remaining'>): number =>
  ready + picking + picked + packing + packed

/** `2 more packers`. */
function adviceIn({ t }: Pick<Words, 't'>, { advice }: Pick<BoardRow, 'advice'>): string {
  if (!advice) return ''
  const count = advice.people
  if (advice.stage === 'pack') return t('{{count}} more packers', { count })
  return advice.stage === 'pick' ? t('{{count}} more pickers', { count }) : t('{{count}} more to scan out', { count })
}

/** What would help: `2 more packers or start by 14:10`; empty where nothing does. */
export function helpIn(words: Omit<Words, 'number'>, row: Pick<BoardRow, 'advice' | 'start_by'>): string {
  const { t, time, either } = words
  const help = [adviceIn(words, row), row.start_by === null ? '' : t('start by {{time}}', { time: time(row.start_by) })].filter(Boolean)
  return help.length === 0 ? '' : either(help)
}

/** Of fewer orders nothing is advised. */
const fewest = 5

/** What misses the pickup, and what would help; `row.due_at` must be set. */
export function missedIn(
  words: Words,
  row: Pick<BoardRow, 'name' | 'due_at' | 'remaining' | 'advice' | 'start_by'>,
  missed: number,
): string {
  const { t, number, time } = words
  const values = { n: number(missed), name: row.name, time: time(row.due_at ?? '') }
  const help = helpIn(words, row)
  const said = missed === 1 ? t('1 order will miss {{name}} {{time}}', values) : t('{{n}} orders will miss {{name}} {{time}}', values)
  if (help !== '') return `${said}: ${help}`
  return leftOf(row) < fewest ? said : `${said}. ${t('More people do not help any more.')}`
}
