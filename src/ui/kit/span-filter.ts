/** A filter by a span of time that another screen has chosen: the list shows it and lets it go. */
import type { Filter } from './FilterBar.tsx'
import { instant } from './format.ts'

interface Span {
  /** Instants; `until` does not belong to it. */
  from: string
  until: string
}

/** As an address holds it. */
export const spanText = ({ from, until }: Span): string => `${from}..${until}`

export function spanOf(text: string): Span | null {
  const [from = '', until = ''] = text.split('..')
  return Number.isNaN(Date.parse(from)) || Number.isNaN(Date.parse(until)) ? null : { from, until }
}

/** Nothing where no span is chosen. */
export function spanFilters(key: string, label: string, text: string, set: (text: string) => void): Filter[] {
  const span = spanOf(text)
  if (!span) return []
  return [
    {
      ...{ key, label, kind: 'one' },
      options: [{ value: text, label: `${instant(span.from)} – ${instant(span.until)}` }],
      value: [text],
      set: ([value = '']) => set(value),
    },
  ]
}
