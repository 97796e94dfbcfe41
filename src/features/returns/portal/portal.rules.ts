/** The portal's sentences, and how far a return has come for its customer. */
import { reasonWords } from '#features/returns/returns/return-reasons.rules.ts'
import { type Custody, labelRefusals, type MoneyState } from '#features/returns/returns/returns.codes.ts'
import type { ProgressStep } from './portal.codes.ts'

export const portalRefusals = {
  noOrder: 'We found no order with this number and this postcode or e-mail.',
  noLink: 'This link is no longer valid. Find your order again.',
  closed: 'Returns are not open here. Write to the shop.',
  over: 'The time to return this order is over.',
  itemOver: 'The time to return this item ended on {{day}}.',
  refused: 'This return cannot be accepted: {{reason}}',
  apart: 'These items cannot be sent together. Make a return for each.',
  fewer: 'Only {{n}} is left to return.',
  price: 'The price has changed. Check it and send again.',
  photo: 'Add a photo for {{name}}.',
  note: 'Describe the problem with {{name}}.',
  question: 'The shop has a question about {{name}}.',
  answer: 'Answer the question about {{name}}.',
  photos: 'There are too many photos. Send the return first.',
  notPicture: 'This file is not a picture.',
  shop: 'Choose a parcel shop from the list.',
  reason: 'Choose a reason from the list.',
  cannotCancel: 'This return can no longer be cancelled.',
} as const

/** What answers may name, for the page that must bring its translations. */
export const portalSentences: readonly string[] = [
  ...Object.values(portalRefusals),
  ...Object.values(labelRefusals),
  ...Object.values(reasonWords),
]

/** What a way to send costs a customer in this country, in minor units. */
export const priceOf = (way: { price: number; countries: readonly { country: string; price: number }[] } | null, country: string): number =>
  way?.countries.find(one => one.country === country)?.price ?? way?.price ?? 0

interface Progress {
  ended: boolean
  items: readonly { custody: Custody; money: MoneyState }[]
  in_transit_at: string | null
  arrived_at: string | null
}

/** The last step that is reached; null where the return ended before anything came. */
export function stepOf({ ended, items, in_transit_at, arrived_at }: Progress): ProgressStep | null {
  if (ended) return null
  const owed = items.filter(({ money }) => money !== 'none')
  if (owed.length > 0 && owed.every(({ money }) => money === 'confirmed' || money === 'denied')) return 'money'
  const open: readonly Custody[] = ['advised', 'in_transit', 'received', 'added']
  if (arrived_at !== null && items.length > 0 && items.every(({ custody }) => !open.includes(custody))) return 'checked'
  if (arrived_at !== null) return 'received'
  return in_transit_at === null ? 'requested' : 'sent'
}

/** What a stranger wrote, so that no mail program makes a link of it. */
export const withoutLinks = (text: string): string =>
  text
    .replace(/[^\p{L}\p{M}\p{N} .,#'’_-]+/gu, ' ')
    .replace(/\.(?=\S)/g, '. ')
    .replace(/\s+/g, ' ')
    .trim()
