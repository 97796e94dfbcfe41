/** Codes and limits that screens and schemas of labels share. */

/** What needs somebody's eye: the columns of the exception board. */
export const boards = ['no_scan', 'error', 'unknown', 'failed', 'waiting', 'returned'] as const
