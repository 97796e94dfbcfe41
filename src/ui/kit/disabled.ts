/** What a control gets that cannot be used now: it says why, to the pointer and to a screen reader. */
export const disabledBecause = (why: string | false | null | undefined): { disabled?: true; title?: string } =>
  why ? { disabled: true, title: why } : {}

/** An option of a list that cannot be chosen now: the reason stands behind its name. */
export const optionBecause = (label: string, why: string | false | null | undefined): { label: string; disabled?: true } =>
  why ? { label: `${label} (${why})`, disabled: true } : { label }
