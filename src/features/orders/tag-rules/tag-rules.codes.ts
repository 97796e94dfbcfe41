/** Codes, limits and sentences of tag rules. */

/** Of one company. */
export const mostTagRules = 100

export const tagRuleSorts = ['tag', '-tag', 'hits', '-hits', 'changed', '-changed'] as const

export const tagRuleWords = {
  tag: 'Choose a tag',
  empty: 'Set at least one condition.',
} as const
