/** Codes and limits that screens and schemas of order comments share. */

export const commentTypes = ['info', 'praise', 'advice', 'warning'] as const
