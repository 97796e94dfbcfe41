/** The steps of an import. */
export const importSteps = ['file', 'columns', 'check', 'import'] as const
export type Step = (typeof importSteps)[number]

/** English; the translation keys. */
export const importStepWords: Readonly<Record<Step, string>> = { file: 'File', columns: 'Columns', check: 'Check', import: 'Import' }
