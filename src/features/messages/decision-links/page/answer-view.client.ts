/** What the page shows: the order with the choices, a choice to confirm, and what follows from it. */
import { type Child, el, icon, icons } from '#features/shipping/tracking/page/dom.client.ts'
import type { languages } from '#features/shipping/tracking/page/page-language.labels.ts'
import { languageChoice, shopHeader, waysToShop } from '#features/shipping/tracking/page/shop-frame.client.ts'
import type { ShopFace } from '#features/shipping/tracking/tracking.schemas.ts'
import type { AnswerPage, OfferedShop } from '../decision-links.schemas.ts'
import { locale, t, tag } from './answer-page.labels.ts'

type Choice = AnswerPage['choices'][number]

export interface State {
  shop: ShopFace | null
  page: AnswerPage | null
  /** What is confirmed next; null where the choices are shown. */
  choice: Choice | null
  fields: { postcode: string; until: string; address1: string; address2: string; new_postcode: string; city: string; shop_id: string }
  /** Null before they were asked for. */
  shops: OfferedShop[] | null
  done: { choice: Choice; until: string | null } | null
  said: string | null
  busy: boolean
}

export interface Deeds {
  choose: (choice: Choice) => void
  back: () => void
  find: () => void
  confirm: () => void
  chooseLanguage: (locale: keyof typeof languages) => void
}

/** The question is about what is missing, or about nothing in particular. */
const titleOf = (choice: Choice, { wait }: AnswerPage): string =>
  ({
    ship_partially: () => t('Ship what is ready now'),
    wait: () => (wait ? t('Wait until a later day') : t('Wait until everything is there')),
    cancel_line: () => t('Cancel what is missing'),
    new_address: () => t('Send it to another address'),
    other_shop: () => t('Send it to another parcel shop'),
  })[choice]()

const questionOf = (choice: Choice, { wait }: AnswerPage): readonly [string, string] =>
  ({
    ship_partially: () => [t('Ship what is ready now?'), t('The parcel is sent without the missing items.')] as const,
    wait: () =>
      wait
        ? ([t('Until when should we wait?'), t('Your order is sent on this day at the earliest.')] as const)
        : ([t('Wait until everything is there?'), t('Nothing is sent before your order is complete.')] as const),
    cancel_line: () => [t('Cancel what is missing?'), t('The rest is sent. This cannot be undone.')] as const,
    new_address: () =>
      [t('Where should it go?'), t('The country stays the same. We tell the contact of the order about the change.')] as const,
    other_shop: () => [t('Which parcel shop?'), t('We show parcel shops near the address of the order.')] as const,
  })[choice]()

export function screen(state: State, company: string, deeds: Deeds): readonly Node[] {
  const { shop } = state
  return [
    shopHeader(shop, shop?.has_logo ? `/api/${company}/company/img/company_logo` : null),
    el('main', {}, ...contentOf(state, deeds)),
    ...(shop
      ? [
          waysToShop(shop, t('Questions about your order?'), {
            mail: () => t('Write to the shop'),
            phone: () => t('Call the shop'),
            home: () => t('Visit the shop'),
          }),
        ]
      : []),
    languageChoice(locale(), t('Language'), deeds.chooseLanguage),
  ]
}

const spoken = (said: string | null): Child => said && el('p', { class: 'said', role: 'alert' }, icon(icons.stop), el('span', {}, said))

function contentOf(state: State, deeds: Deeds): readonly Child[] {
  const { page, choice, done, said } = state
  if (done) return [doneCard(done, page)]
  if (!page) return [el('div', { class: 'card' }, el('section', {}, el('h1', {}, t('Your answer')), spoken(said)))]
  return [choice ? confirmForm(choice, page, state, deeds) : choices(page, said, deeds)]
}

const list = (items: AnswerPage['items']): HTMLElement =>
  el(
    'ul',
    { class: 'items' },
    ...items.map(({ name, qty }) => el('li', {}, el('span', { class: 'qty' }, `${qty} ×`), el('span', {}, name))),
  )

function choices(page: AnswerPage, said: string | null, deeds: Deeds): HTMLElement {
  const { order_no, company, missing, items, expires_at, time_zone } = page
  const none = page.choices.length === 0
  return el(
    'div',
    { class: 'card' },
    el(
      'section',
      {},
      el('p', { class: 'dim' }, `${company.name} · ${t('Order {{number}}', { number: order_no })}`),
      el('h1', {}, none ? t('Your parcel is already packed. Contact the shop for changes.') : t('What should we do?')),
      spoken(said),
      missing.length > 0 && [el('h2', {}, t('Not there')), list(missing)],
      ...page.choices.map(choice =>
        el('button', { type: 'button', class: 'choice', click: () => deeds.choose(choice) }, el('span', {}, titleOf(choice, page))),
      ),
      none ? null : el('p', { class: 'dim' }, t('Answer by {{time}}.', { time: instantText(expires_at, time_zone) })),
    ),
    el('section', {}, el('h2', {}, t('Items in your order')), list(items)),
  )
}

function confirmForm(choice: Choice, page: AnswerPage, state: State, deeds: Deeds): HTMLElement {
  const { fields, shops, said, busy } = state
  const [title, means] = questionOf(choice, page)
  const finds = choice === 'other_shop' && shops === null
  const submit = (event: Event) => {
    event.preventDefault()
    if (!busy) finds ? deeds.find() : deeds.confirm()
  }
  const field = (name: keyof State['fields'], caption: string, more: Record<string, string | number | boolean | null>) => {
    const input = el('input', { id: name, name, value: fields[name], ...more })
    // Written down at once: the page is drawn anew, and nothing of it may be lost.
    input.addEventListener('input', () => {
      fields[name] = input.value
    })
    return [el('label', { for: name }, caption), input]
  }
  const postcode = [
    ...field('postcode', t('Postcode of the order until now'), { required: true, maxlength: 20, autocomplete: 'off' }),
    el('p', { class: 'dim' }, t('So that nobody else can answer for you.')),
  ]
  const asked: Readonly<Record<Choice, () => readonly Child[]>> = {
    ship_partially: () => [list(page.items)],
    wait: () => (page.wait ? field('until', t('Day'), { type: 'date', required: true, min: page.wait.from, max: page.wait.to }) : []),
    cancel_line: () => [list(page.missing), ...postcode],
    new_address: () => [
      ...postcode,
      ...field('address1', t('Street and number'), { required: true, maxlength: 200, autocomplete: 'address-line1' }),
      ...field('address2', t('Apartment, floor (optional)'), { maxlength: 200, autocomplete: 'address-line2' }),
      ...field('new_postcode', t('Postcode'), { required: true, maxlength: 20, autocomplete: 'postal-code' }),
      ...field('city', t('City'), { required: true, maxlength: 100, autocomplete: 'address-level2' }),
    ],
    other_shop: () => (shops === null ? postcode : shopList(shops, fields)),
  }
  const nowhere = choice === 'other_shop' && shops?.length === 0
  return el(
    'form',
    { class: 'card answer-form', submit },
    el('p', { class: 'dim' }, `${page.company.name} · ${t('Order {{number}}', { number: page.order_no })}`),
    el('h1', {}, title),
    el('p', {}, means),
    spoken(said),
    ...asked[choice](),
    nowhere
      ? null
      : el(
          'button',
          { type: 'submit', 'aria-disabled': busy ? 'true' : null },
          busy ? (finds ? t('Searching …') : t('Sending …')) : finds ? t('Show parcel shops') : t('Confirm'),
        ),
    el('button', { type: 'button', class: 'quiet', click: deeds.back }, t('Back')),
  )
}

function shopList(shops: readonly OfferedShop[], fields: State['fields']): readonly Child[] {
  if (shops.length === 0)
    return [el('p', { class: 'said' }, el('span', {}, t('There is no parcel shop near this postcode. Choose something else.')))]
  return [
    el(
      'div',
      { class: 'shops', role: 'radiogroup', 'aria-label': t('Which parcel shop?') },
      ...shops.map(shop => {
        const input = el('input', { type: 'radio', name: 'shop_id', value: shop.id, required: true, checked: fields.shop_id === shop.id })
        input.addEventListener('change', () => {
          fields.shop_id = shop.id
        })
        const away =
          shop.distance_m === null
            ? null
            : t('{{distance}} km away', {
                distance: new Intl.NumberFormat(tag(), { maximumFractionDigits: 1 }).format(shop.distance_m / 1_000),
              })
        return el(
          'label',
          { class: 'choice' },
          input,
          el(
            'span',
            { class: 'grow' },
            el('strong', {}, shop.name),
            el('span', {}, [shop.address1, `${shop.postcode} ${shop.city}`, away].filter(Boolean).join(' · ')),
            ...shop.opening_hours.map(line => el('span', { class: 'dim' }, line)),
          ),
        )
      }),
    ),
  ]
}

function doneCard({ choice, until }: NonNullable<State['done']>, page: AnswerPage | null): HTMLElement {
  const follows = {
    ship_partially: () => t('We ship what is ready.'),
    wait: () =>
      until === null
        ? t('Your order waits until everything is there.')
        : t('Your order waits until {{day}}.', { day: instantText(`${until}T12:00:00Z`, 'UTC', { dateStyle: 'full' }) }),
    cancel_line: () => t('What is missing is cancelled.'),
    new_address: () => t('Your order goes to the new address.'),
    other_shop: () => t('Your order goes to the parcel shop that you chose.'),
  }[choice]()
  return el(
    'div',
    { class: 'card' },
    el(
      'section',
      {},
      page && el('p', { class: 'dim' }, `${page.company.name} · ${t('Order {{number}}', { number: page.order_no })}`),
      el('h1', { class: 'done' }, icon(icons.done), el('span', {}, t('Thank you'))),
      el('p', { class: 'lead' }, follows),
      el('p', {}, t('You get a confirmation from the shop.')),
    ),
  )
}

function instantText(at: string, timeZone: string, style: Intl.DateTimeFormatOptions = { dateStyle: 'full', timeStyle: 'short' }): string {
  return new Intl.DateTimeFormat(tag(), { ...style, timeZone }).format(new Date(at))
}
