/** Codes and limits that screens and schemas of print jobs share. */

/**
 * `queued` waits here, `sending` is on its way, `accepted` is with the provider, `sent` waits at the provider until the printer's computer
 * is back, `done` came out as far as the computer knows. `failed`, `expired` and `cancelled` did not come out; `unknown` may have, and is not
 * sent again by itself.
 */
export const printStates = ['queued', 'sending', 'sent', 'accepted', 'done', 'failed', 'expired', 'cancelled', 'unknown'] as const
