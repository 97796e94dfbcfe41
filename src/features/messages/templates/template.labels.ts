/** Words for occasions, channels and blocks of templates. */
import type { AnswerChoice, blockKinds, buttonTargets, MessageChannel, MessageTrigger } from './templates.codes.ts'

export const triggerWords: Readonly<Record<MessageTrigger, string>> = {
  manual: 'Sent by people',
  order_received: 'Order received',
  on_hold_question: 'On hold: question',
  item_missing_question: 'Item missing',
  partially_shipped: 'Packed in part',
  shipped: 'Packed',
  handed_over: 'Handed over',
  out_for_delivery: 'Out for delivery',
  ready_for_pickup: 'Waits in the parcel shop',
  delivered: 'Parcel delivered',
  all_delivered: 'All delivered',
  delivery_failed: 'Delivery failed',
  address_changed: 'Address changed',
  parcel_shop_changed: 'Parcel shop changed',
  return_approved: 'Return approved',
  return_ends_soon: 'Return ends soon',
  return_rejected: 'Return rejected',
  return_received: 'Return received',
  return_item_missing: 'Return: item missing',
  refund_confirmed: 'Refunded',
}

export const channelWords: Readonly<Record<MessageChannel, string>> = { sms: 'Text message', email: 'E-mail' }

/** What an answer does, as staff read it. */
export const choiceWords: Readonly<Record<AnswerChoice, string>> = {
  ship_partially: 'Ship what is ready',
  wait: 'Wait',
  cancel_line: 'Cancel what is missing',
  new_address: 'Enter a new address',
  other_shop: 'Choose another parcel shop',
}

export const blockWords: Readonly<Record<(typeof blockKinds)[number], string>> = {
  heading: 'Heading',
  text: 'Text',
  button: 'Button',
  items: 'Items of the order',
  parcels: 'Parcels',
  divider: 'Line',
}

export const targetWords: Readonly<Record<(typeof buttonTargets)[number], string>> = {
  tracking: 'Tracking page',
  answer: 'Page to answer',
  shop: 'Home page of the shop',
  return: 'Page of the return',
}
