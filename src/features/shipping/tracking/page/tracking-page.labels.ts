/** The words of the tracking page: few enough to be packed with it, one language a reader. */
import { pageLanguage } from './page-language.labels.ts'

/** Every sentence that stands on the page itself; those of the answers are in `tracking.rules.ts`. */
export const pageSentences = [
  'Follow your parcel',
  'Order number',
  'Postcode',
  'Find parcel',
  'Looking …',
  'Both are in the e-mail that confirmed your order.',
  'Find another parcel',
  'Return items',
  'Order {{number}}',
  'Ordered',
  'Packed',
  'In transit',
  'Delivered',
  'Out for delivery',
  'Ready for collection',
  'Not delivered',
  'Delayed',
  'Returning',
  'Returned to sender',
  'Arrives {{day}}',
  'Chosen delivery day',
  'Ordered on',
  'Shipping address',
  'Parcel',
  'Parcel {{number}} of {{count}}',
  'Tracking number',
  'Carried by',
  'In this parcel',
  'Not packed yet',
  'Leaves the shop on {{day}}',
  'Cancelled, and not sent',
  'What has happened',
  'Questions about your order?',
  'Write to the shop',
  'Call the shop',
  'Visit the shop',
  'Last checked {{time}}',
  'Language',
  'The shop cannot be reached right now. This page tries again automatically.',
  'There were too many tries from here. Wait an hour, or open the link in your e-mail.',
  'There is no shop at this address',
  'This preview has ended. Ask for a new link.',
] as const
export type PageSentence = (typeof pageSentences)[number]

export const { speak, locale, tag, translate } = pageLanguage({
  da_DK: () => import('virtual:tracking-words/da_DK'),
  de_DE: () => import('virtual:tracking-words/de_DE'),
  no_NO: () => import('virtual:tracking-words/no_NO'),
  sv_SE: () => import('virtual:tracking-words/sv_SE'),
})

export const t = (text: PageSentence, values?: Readonly<Record<string, string | number>>): string => translate(text, values)
