/** What a control gets that cannot be used now: it says why, to the pointer and to a screen reader. */
export const disabledBecause = (why: string | false | null | undefined): { disabled?: true; title?: string } =>
  why ? { disabled: true, title: why } : {}
