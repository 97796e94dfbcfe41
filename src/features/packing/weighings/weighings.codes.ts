/** What came of a weighing: `asked` and `refused` weights were not taken. `unchecked`: too much of what should be in it has no weight. */
export const weighingOutcomes = ['ok', 'unchecked', 'asked', 'overridden', 'refused'] as const
export type WeighingOutcome = (typeof weighingOutcomes)[number]
export const weightSources = ['scale', 'typed', 'scanned'] as const
