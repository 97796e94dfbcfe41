/** Codes and limits that screens and schemas of cms keys share. */

/** Hours for which a replaced secret remains valid: none where it has leaked, a day otherwise. Shopify itself signs with the old one for up to an hour. */
export const keptHours = [0, 1, 24, 168] as const

export const keptWords: Record<(typeof keptHours)[number], string> = {
  0: 'Not at all: it has leaked',
  1: 'One hour',
  24: 'One day',
  168: 'One week',
}
