/** The views of the order list that everyone has, in their order. */
import { keysOf } from '#domain/objects.ts'
import type { useT } from '#ui/kit/translate.ts'
import type { UrlSearch } from '#ui/kit/url-state.ts'
import { type Preset, presets } from './orders.rules.ts'

/** A preset of the rules as the address says it. */
const searchOf = (name: Preset): UrlSearch =>
  Object.fromEntries(
    Object.entries(presets[name]).map(([key, value]): [string, string | readonly string[]] => [
      key,
      value === true ? '1' : (value as string | string[]),
    ]),
  )

export function orderViews(t: ReturnType<typeof useT>): { key: Preset; title: string; search: UrlSearch }[] {
  const titles: Record<Preset, string> = {
    all: t('All'),
    to_pick: t('Ready'),
    held: t('On hold'),
    short: t('Short'),
    label_error: t('Label error'),
    overdue: t('Overdue'),
    due_today: t('Due today'),
    abroad: t('Abroad'),
    pinned: t('Pinned'),
    mine: t('Mine'),
  }
  return keysOf(titles).map(key => ({ key, title: titles[key], search: searchOf(key) }))
}
