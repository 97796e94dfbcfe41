/** Colours, objects and limits of tags. */

export const tagColors = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'] as const
export type TagColor = (typeof tagColors)[number]

export const tagObjects = ['order', 'product', 'customer'] as const
export type TagObject = (typeof tagObjects)[number]

/** Of one company. */
export const mostTags = 300
export const longestTag = 40
/** Objects that one call tags, and tags that it names. */
export const mostTagged = 500
export const mostNamed = 20
/** Uses of a tag are counted to here. */
export const usesCountedTo = 10_000

export const tagWords = {
  name: 'Enter a name',
} as const
