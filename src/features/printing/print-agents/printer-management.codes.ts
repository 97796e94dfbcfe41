/** Codes of commands to devices. */
export const commandStates = ['waiting', 'taken', 'done', 'failed', 'lost'] as const
