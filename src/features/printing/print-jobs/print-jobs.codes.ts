/** Codes and limits that screens and schemas of print jobs share. */

/**
 * `queued` waits here, `sending` is on its way, `accepted` is with the provider, `sent` waits at the provider until the printer's computer
 * is back, `done` came out as far as the computer knows. `failed`, `expired` and `cancelled` did not come out.
 */
export const printStates = ['queued', 'sending', 'sent', 'accepted', 'done', 'failed', 'expired', 'cancelled'] as const
