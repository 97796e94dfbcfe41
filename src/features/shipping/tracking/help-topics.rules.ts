/** What recipients write to the shop about, from the page on which they follow their parcels. */

export const helpTopics = ['where', 'missing', 'damaged', 'address', 'change', 'other'] as const
export type HelpTopic = (typeof helpTopics)[number]
export const helpWords: Readonly<Record<HelpTopic, string>> = {
  where: 'Where is my parcel?',
  missing: 'Something is missing',
  damaged: 'Something is damaged',
  address: 'The address is wrong',
  change: 'I want to change or cancel my order',
  other: 'Another question',
}
/** Characters of a question. */
export const longestQuestion = 1_000
