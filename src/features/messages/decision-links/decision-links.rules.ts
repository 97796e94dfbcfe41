/** What an order still allows its recipient to decide. */
import type { AnswerChoice } from '#features/messages/templates/templates.codes.ts'
import { type Facts, whyNot } from '#features/orders/orders/orders.rules.ts'

export const linkSentences = {
  noLink: 'This link cannot be used any more. It was answered, it is older than three days, or the shop has settled the question.',
  tooLate: 'The parcel is already packed.',
  postcode: 'The postcode does not match. {{left}} tries left.',
  noMoreTries: 'The postcode was wrong too many times. Contact the shop.',
  day: 'Choose a day within the next two weeks.',
  address: 'Enter street, postcode and city.',
  newPostcode: '{{postcode}} does not look like a postcode of this country.',
  shopGone: 'This parcel shop is not offered any more. Choose another one.',
  cancelled: 'The order is cancelled',
  nothingMissing: 'Nothing of this order is missing.',
  onePart: 'This order is sent in one part only.',
  toShop: 'The parcel goes to a parcel shop.',
  noShops: 'The shipping method does not go to parcel shops.',
} as const

/** What answers may name, for the page that must bring its translations. */
export const answerSentencesOfPage: readonly string[] = Object.values(linkSentences)

export interface QuestionFacts {
  order: Facts
  /** Pieces that were not found and about which no one has decided, or the recipient is to decide. */
  shorts: number
  partial_allowed: boolean
  goes_to_shop: boolean
  /** The courier names its parcel shops, and the method goes to them. */
  offers_shops: boolean
}

const pickStates: readonly string[] = ['ready', 'in_pick', 'picked']

/** Why this cannot be chosen now; null where it can. */
export function whyNotChoice(
  choice: AnswerChoice,
  { order, shorts, partial_allowed, goes_to_shop, offers_shops }: QuestionFacts,
): string | null {
  if (order.cancelled_at !== null) return linkSentences.cancelled
  switch (choice) {
    case 'ship_partially':
    case 'cancel_line':
      if (shorts === 0) return linkSentences.nothingMissing
      if (!pickStates.includes(order.work_state)) return linkSentences.tooLate
      return choice === 'ship_partially' && !partial_allowed ? linkSentences.onePart : null
    case 'wait':
      return order.work_state === 'new' || pickStates.includes(order.work_state) ? null : linkSentences.tooLate
    case 'new_address':
      if (whyNot('edit_address', order, []) !== null) return linkSentences.tooLate
      return goes_to_shop ? linkSentences.toShop : null
    case 'other_shop':
      if (whyNot('set_method', order, []) !== null) return linkSentences.tooLate
      return offers_shops ? null : linkSentences.noShops
  }
}

/** Choices that ask the postcode of the order first: they cannot be undone, or would send the parcel elsewhere. */
export const asksPostcode = (choice: AnswerChoice): boolean =>
  choice === 'cancel_line' || choice === 'new_address' || choice === 'other_shop'
