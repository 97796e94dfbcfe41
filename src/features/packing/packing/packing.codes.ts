/** Codes and limits that screens and schemas of packing share. */

export const sessionStates = ['open', 'closing', 'labelling', 'label_error', 'label_check', 'parked', 'done', 'aborted'] as const
