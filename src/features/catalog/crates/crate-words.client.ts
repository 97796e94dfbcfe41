/** Words for the kinds of rules about crates, and a rule in one line. */
import { useCallback } from 'react'
import { number } from '#ui/kit/format.ts'
import { useT } from '#ui/kit/translate.ts'
import type { CrateRule } from './crate-rules.schemas.ts'
import type { CrateRuleKind } from './crates.codes.ts'

export const crateRuleLabels: Record<CrateRuleKind, string> = {
  must: 'Only in this box',
  must_not: 'Never in this box',
  alone: 'Each item in a box of its own',
  keep_flat: 'Not on its side',
  pieces: 'Fixed number of items per box',
  filler: 'With filler',
  fragile_top: 'Nothing on top of it',
}

/** "Fixed number of items per box: 6 in B4". */
export function useRuleWords(): (rule: CrateRule) => string {
  const t = useT()
  return useCallback(
    ({ kind, crate, pieces, percent }) => {
      const label = t(crateRuleLabels[kind])
      if (kind === 'pieces')
        return crate
          ? t('{{rule}}: {{count}} in {{box}}', { rule: label, count: pieces ?? 0, box: crate.name })
          : `${label}: ${number(pieces ?? 0)}`
      if (kind === 'filler') return `${label}: ${number(percent ?? 0)} %`
      return crate ? `${label}: ${crate.name}` : label
    },
    [t],
  )
}
