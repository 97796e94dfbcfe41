/** The words of the tracking page: few enough to be packed with it, one language a reader. */
import type { Locale } from '#contract/limits.ts'

/** Every sentence that stands on the page itself; those of the answers are in `tracking.rules.ts`. */
export const pageSentences = [
  'Follow your parcel',
  'Order number',
  'Postcode',
  'Find parcel',
  'Looking …',
  'Both are in the e-mail that confirmed your order.',
  'Find another parcel',
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

export const languages: Readonly<Record<Locale, string>> = {
  en_GB: 'English',
  da_DK: 'Dansk',
  de_DE: 'Deutsch',
  no_NO: 'Norsk',
  sv_SE: 'Svenska',
}

const packed: Readonly<Record<Locale, () => Promise<{ words: Record<string, string> }>>> = {
  en_GB: () => Promise.resolve({ words: {} }),
  da_DK: () => import('virtual:tracking-words/da_DK'),
  de_DE: () => import('virtual:tracking-words/de_DE'),
  no_NO: () => import('virtual:tracking-words/no_NO'),
  sv_SE: () => import('virtual:tracking-words/sv_SE'),
}

let words: Record<string, string> = {}
let spoken: Locale = 'en_GB'

/** Changes the language; when its words cannot be had, English stands in. */
export async function speak(locale: Locale): Promise<void> {
  if (locale !== spoken) {
    try {
      ;({ words } = await packed[locale]())
      spoken = locale
    } catch {
      words = {}
      spoken = 'en_GB'
    }
  }
  document.documentElement.lang = spoken.slice(0, 2)
}

export const locale = (): Locale => spoken
/** As `Intl` wants it. */
export const tag = (): string => spoken.replace('_', '-')

/** A sentence of the answer in the reader's language, its places filled. */
export const translate = (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
  (words[text] ?? text).replace(/\{\{(\w+)\}\}/g, (place, name: string) => String(values[name] ?? place))

export const t = (text: PageSentence, values?: Readonly<Record<string, string | number>>): string => translate(text, values)

export const isLocale = (text: string | null): text is Locale => text !== null && Object.hasOwn(languages, text)

/** The best of the browser's languages, for when no one has answered yet. */
export function ownLocale(): Locale {
  for (const language of navigator.languages) {
    const short = language
      .toLowerCase()
      .slice(0, 2)
      .replace(/^n[bn]$/, 'no')
    const known = Object.keys(languages).find(one => one.startsWith(`${short}_`)) ?? null
    if (isLocale(known)) return known
  }
  return 'en_GB'
}
