/** What follows from the settings of a company. */
import type { Locale } from '#contract/limits.ts'
import { needsNoPostcode } from '#domain/order/order-warnings.ts'
import type { CompanySettings } from './companies.schemas.ts'

/** The domestic country: the chosen one, else the sender's. */
export const homeCountry = ({ home_country, sender }: Pick<CompanySettings, 'home_country' | 'sender'>): string =>
  home_country ?? sender.country

/** Whether the sender has no address that a courier takes. */
export const lacksSender = ({ sender: { address1, postcode, city, country } }: Pick<CompanySettings, 'sender'>): boolean =>
  address1.trim() === '' || city.trim() === '' || (postcode.trim() === '' && !needsNoPostcode(country))

/** The language if the company offers it, else null. */
export const offeredLocale = ({ languages }: Pick<CompanySettings, 'languages'>, locale: Locale | null): Locale | null =>
  locale !== null && languages.includes(locale) ? locale : null

/** The shop's home page for readers of a language. */
export const homepageFor = ({ homepage, homepages }: Pick<CompanySettings, 'homepage' | 'homepages'>, locale: Locale): string =>
  homepages[locale] || homepage

/** The address of an order in the shop's own system; null where the company has set none. */
export const shopLink = (
  { cms_link }: Pick<CompanySettings, 'cms_link'>,
  { order_no, external_id }: { order_no: string; external_id: string },
): string | null =>
  cms_link.replaceAll('{order_no}', encodeURIComponent(order_no)).replaceAll('{external_id}', encodeURIComponent(external_id)) || null
