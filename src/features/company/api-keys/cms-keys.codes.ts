/** Codes and limits that screens and schemas of cms keys share. */

/** Hours for which a replaced secret remains valid: none where it has leaked, a day otherwise. Shopify itself signs with the old one for up to an hour. */
export const keptHours = [0, 1, 24, 168] as const
