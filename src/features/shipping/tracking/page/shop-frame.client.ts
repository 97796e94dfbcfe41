/** The frame of a public page: the shop's colours, its header, how it is reached, and the choice of language. */
import type { Locale } from '#contract/limits.ts'
import { entriesOf } from '#domain/objects.ts'
import type { ShopFace } from '../tracking.schemas.ts'
import { el, safeAddress } from './dom.client.ts'
import { isLocale, languages } from './page-language.labels.ts'

/** The shop's colours, from which the style sheet takes those of the reader's light or dark. */
export function wear({ colors }: ShopFace): void {
  const { style } = document.documentElement
  style.setProperty('--shop-light', colors.light)
  style.setProperty('--on-shop-light', colors.on_light)
  style.setProperty('--shop-dark', colors.dark)
  style.setProperty('--on-shop-dark', colors.on_dark)
  for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.setAttribute('content', colors.light)
}

export function shopHeader(shop: ShopFace | null, logo: string | null): HTMLElement {
  const home = shop && safeAddress(shop.homepage)
  const image = logo !== null && el('img', { src: logo, alt: '' })
  const tile = image && el('span', { class: 'logo' }, image)
  if (image) image.addEventListener('error', () => image.parentElement?.remove())
  const name = shop && el('span', { class: 'name' }, shop.name)
  return el(
    'header',
    { class: 'top' },
    home ? el('a', { href: home, rel: 'noopener', class: 'shop' }, tile, name) : el('span', { class: 'shop' }, tile, name),
  )
}

export function languageChoice(
  current: Locale,
  label: string,
  choose: (locale: Locale) => void,
  offered: readonly Locale[] = entriesOf(languages).map(([one]) => one),
): HTMLElement {
  const select = el(
    'select',
    { 'aria-label': label, class: 'language' },
    ...offered.map(value => el('option', { value, lang: value.slice(0, 2), selected: value === current }, languages[value])),
  )
  select.addEventListener('change', () => isLocale(select.value) && choose(select.value))
  return select
}

export function waysToShop(
  { support_email, support_phone, homepage }: ShopFace,
  title: string,
  words: { mail: () => string; phone: () => string; home: () => string },
): HTMLElement {
  const home = safeAddress(homepage)
  const way = (caption: string, href: string, text: string) =>
    el('li', {}, el('span', { class: 'dim' }, caption), el('a', { href, rel: 'noopener' }, text))
  const ways = [
    support_email && way(words.mail(), `mailto:${encodeURIComponent(support_email).replace('%40', '@')}`, support_email),
    support_phone && way(words.phone(), `tel:${support_phone.replace(/[^\d+]/g, '')}`, support_phone),
    home && way(words.home(), home, home.replace(/^https?:\/\/|\/$/g, '')),
  ].filter(Boolean)
  if (ways.length === 0) return el('footer')
  return el('footer', { class: 'help' }, el('h2', {}, title), el('ul', { class: 'ways' }, ways))
}
