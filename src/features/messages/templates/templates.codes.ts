/** Occasions of messages, the words of their templates, and the blocks of an e-mail. */

export const messageChannels = ['sms', 'email'] as const
export type MessageChannel = (typeof messageChannels)[number]

/** What happened to an order or parcel; `manual` is sent by people only. */
export const messageTriggers = [
  'manual',
  'order_received',
  'on_hold_question',
  'item_missing_question',
  'partially_shipped',
  'shipped',
  'handed_over',
  'out_for_delivery',
  'ready_for_pickup',
  'delivered',
  'all_delivered',
  'delivery_failed',
  'address_changed',
  'parcel_shop_changed',
  'return_approved',
  'return_ends_soon',
  'return_rejected',
  'return_received',
  'return_item_missing',
  'refund_confirmed',
] as const
export type MessageTrigger = (typeof messageTriggers)[number]

/** What a recipient can answer by the link of a message. */
export const answerChoices = ['ship_partially', 'wait', 'cancel_line', 'new_address', 'other_shop'] as const
export type AnswerChoice = (typeof answerChoices)[number]

/** Stands for the secret of a link in stored messages, as long as the secret itself: it is filled in when the message is sent. */
export const answerPlace = 'one-link-per-recipient'

/** Words that a template may use, with an invented value for previews. */
export const templateWords = {
  first_name: 'Lene',
  order_no: '24127',
  items: '1 × Wool socks, 2 × Water bottle',
  items_missing: '1 × Water bottle',
  total: '499.00 DKK',
  parcels: '1',
  tracking_no: '00370726203000000018',
  tracking_url: 'https://demo.example/tracking?o=1&s=preview',
  answer_url: `https://demo.example/answer#${answerPlace}`,
  courier: 'Own courier',
  method: 'Own delivery',
  ship_by: '27 November',
  pickup_shop: 'Nordhavn Station',
  collect_by: '3 December',
  shop_name: 'Pakhus Demo',
  rma_no: 'R1000123',
  return_url: 'https://demo.example/rma-landing-page#return=preview',
  support_phone: '+45 70 10 20 30',
  support_email: 'hello@demo.example',
} as const
export type TemplateWord = keyof typeof templateWords

export const blockKinds = ['heading', 'text', 'button', 'items', 'parcels', 'divider'] as const
export const buttonTargets = ['tracking', 'answer', 'shop', 'return'] as const

export const mostTemplates = 500
export const mostBlocks = 40
/** Orders of one sending. */
export const mostOrdersOfSending = 5_000
