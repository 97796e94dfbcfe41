/** The filter by tag of a list. */
import type { Filter } from '#ui/kit/FilterBar.tsx'
import { useT } from '#ui/kit/translate.ts'
import { namesOfTags, useTagNames } from './TagChips.tsx'

/** A word of a shop that is no tag can be written where there are no tags, and stays chosen where a view names it. */
export function useTagFilter(value: string, set: (tag: string) => void): Filter {
  const t = useT()
  const names = namesOfTags(useTagNames())
  const shown = value === '' || names.some(name => name.toLowerCase() === value.toLowerCase()) ? names : [value, ...names]
  return {
    key: 'tag',
    label: t('Tag'),
    kind: shown.length > 0 ? 'one' : 'text',
    options: shown.map(name => ({ value: name, label: name })),
    value: value === '' ? [] : [names.find(name => name.toLowerCase() === value.toLowerCase()) ?? value],
    set: ([tag = '']) => set(tag),
  }
}
