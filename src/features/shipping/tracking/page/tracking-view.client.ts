/** What the tracking page shows: the form, and an order on its way. */
import { entriesOf } from '#domain/objects.ts'
import { daysLeft } from '../collect-by.rules.ts'
import { type HelpTopic, helpTopics, helpWords, longestQuestion } from '../help-topics.rules.ts'
import type { ShopFace, TrackedParcel, Tracking } from '../tracking.schemas.ts'
import { type Child, el, icon, icons } from './dom.client.ts'
import type { languages } from './page-language.labels.ts'
import { languageChoice, shopHeader, waysToShop } from './shop-frame.client.ts'
import { locale, type PageSentence, t, tag, translate } from './tracking-page.labels.ts'

export interface Asked {
  order_no: string
  postcode: string
}
export interface Deeds {
  find: (asked: Asked) => void
  another: () => void
  openHelp: (open: boolean) => void
  sendHelp: () => void
  chooseLanguage: (locale: keyof typeof languages) => void
}

const stageNames: Readonly<Record<Tracking['stage'], PageSentence>> = {
  ordered: 'Ordered',
  packed: 'Packed',
  on_its_way: 'In transit',
  delivered: 'Delivered',
}
const stateNames: Readonly<Record<TrackedParcel['state'], PageSentence>> = {
  packed: 'Packed',
  on_its_way: 'In transit',
  out_for_delivery: 'Out for delivery',
  ready_for_pickup: 'Ready for collection',
  delivered: 'Delivered',
  delivery_failed: 'Not delivered',
  delayed: 'Delayed',
  returning: 'Returning',
  returned: 'Returned to sender',
}
/** Icon and tone of a parcel; the word stands beside them. */
const stateLooks: Readonly<Record<TrackedParcel['state'], readonly [keyof typeof icons, 'plain' | 'done' | 'soon' | 'stop']>> = {
  packed: ['packed', 'plain'],
  on_its_way: ['on_its_way', 'plain'],
  out_for_delivery: ['on_its_way', 'plain'],
  ready_for_pickup: ['packed', 'soon'],
  delivered: ['done', 'done'],
  delivery_failed: ['stop', 'stop'],
  delayed: ['late', 'soon'],
  returning: ['back', 'soon'],
  returned: ['back', 'stop'],
}
const troubleLooks = {
  cancelled: ['stop', 'stop'],
  delivery_failed: ['stop', 'stop'],
  returned: ['back', 'stop'],
  returning: ['back', 'soon'],
  delayed: ['late', 'soon'],
} as const

const doneLook = ['done', 'done'] as const

export function page(shop: ShopFace | null, company: string, deeds: Deeds, ...content: readonly Child[]): readonly Node[] {
  return [
    shopHeader(shop, shop?.has_logo ? `/api/${company}/company/img/company_logo` : null),
    el('main', {}, ...content),
    ...(shop ? [waysToShop(shop, t('Questions about your order?'), waysOf)] : []),
    // Last in the order of focus; the style sheet shows it in the header.
    languageChoice(locale(), t('Language'), deeds.chooseLanguage),
  ]
}

const waysOf = { mail: () => t('Write to the shop'), phone: () => t('Call the shop'), home: () => t('Visit the shop') }

export function form(asked: Asked, said: string | null, busy: boolean, deeds: Deeds): Child {
  const order_no = el('input', {
    id: 'order_no',
    name: 'order_no',
    required: true,
    maxlength: 60,
    autocomplete: 'off',
    autocapitalize: 'characters',
    value: asked.order_no,
  })
  const postcode = el('input', {
    id: 'postcode',
    name: 'postcode',
    required: true,
    maxlength: 20,
    autocomplete: 'postal-code',
    autocapitalize: 'characters',
    value: asked.postcode,
  })
  const submit = (event: Event) => {
    event.preventDefault()
    if (!busy) deeds.find({ order_no: order_no.value.trim(), postcode: postcode.value.trim() })
  }
  return el(
    'form',
    { class: 'card', submit },
    el('h1', {}, t('Follow your parcel')),
    el('p', { class: 'dim' }, t('Both are in the e-mail that confirmed your order.')),
    said && el('p', { class: 'said', role: 'alert' }, icon(icons.stop), el('span', {}, said)),
    el('label', { for: 'order_no' }, t('Order number')),
    order_no,
    el('label', { for: 'postcode' }, t('Postcode')),
    postcode,
    el('button', { type: 'submit', 'aria-disabled': busy ? 'true' : null }, busy ? t('Looking …') : t('Find parcel')),
  )
}

/** The form by which the reader writes to the shop. */
export interface Help {
  /** How the shop answers; null where it cannot, or it is not known yet. */
  channel: 'sms' | 'email' | null
  stage: 'closed' | 'open' | 'sending' | 'sent'
  topic: HelpTopic
  text: string
  said: string | null
  client_id: string
}
export const noHelp = (): Help => ({ channel: null, stage: 'closed', topic: 'where', text: '', said: null, client_id: crypto.randomUUID() })

function helpForm(help: Help, deeds: Deeds): Child {
  const { channel, stage, said } = help
  if (channel === null) return null
  const answers = channel === 'email' ? t('The shop answers by e-mail.') : t('The shop answers by text message.')
  if (stage === 'sent')
    return el(
      'div',
      { class: 'card', role: 'status' },
      el('section', {}, el('h2', { class: 'done' }, t('The shop has your question')), el('p', {}, answers)),
    )
  if (stage === 'closed')
    return el(
      'button',
      { type: 'button', id: 'help', class: 'return', click: () => deeds.openHelp(true) },
      icon(icons.ordered),
      t('Write to the shop about this order'),
    )
  const topic = el(
    'select',
    { id: 'topic' },
    ...helpTopics.map(value => el('option', { value, selected: value === help.topic }, translate(helpWords[value]))),
  )
  topic.addEventListener('change', () => {
    help.topic = helpTopics.find(one => one === topic.value) ?? 'other'
  })
  const text = el('textarea', { id: 'question', rows: 4, required: true, maxlength: longestQuestion }, help.text)
  text.addEventListener('input', () => {
    help.text = text.value
  })
  const submit = (event: Event) => {
    event.preventDefault()
    deeds.sendHelp()
  }
  const busy = stage === 'sending'
  return el(
    'form',
    { class: 'card ask', submit },
    el('h2', {}, t('Write to the shop about this order')),
    said && el('p', { class: 'said', role: 'alert' }, icon(icons.stop), el('span', {}, said)),
    el('label', { for: 'topic' }, t('What is it about?')),
    topic,
    el('label', { for: 'question' }, t('Your question')),
    text,
    el('p', { class: 'dim' }, answers),
    el('button', { type: 'submit', 'aria-disabled': busy ? 'true' : null }, busy ? t('Sending …') : t('Send question')),
    el('button', { type: 'button', class: 'quiet', click: () => deeds.openHelp(false) }, t('Cancel')),
  )
}

function parcelShop(shop: Tracking['parcel_shop']): Child {
  if (shop === null) return null
  const { name, address, opening_hours } = shop
  return el(
    'section',
    {},
    el('h2', {}, t('Parcel shop')),
    el('p', {}, el('strong', {}, name), el('br'), address),
    opening_hours.length > 0 && [
      el('h3', {}, t('Opening hours')),
      el('ul', { class: 'hours' }, ...opening_hours.map(line => el('li', {}, line))),
    ],
  )
}

/** What stands beside an order: the form to write to the shop, a campaign, and the path of the return portal where it can be returned. */
export interface Beside {
  campaign: Child
  returnPath: string | null
  help: Help
}

export function order(
  tracking: Tracking,
  outOfReach: boolean,
  checked: Date,
  deeds: Deeds,
  { campaign, returnPath, help }: Beside,
): readonly Child[] {
  const { trouble, headline, advice, parcels, waiting, expected_on, not_coming, city, country } = tracking
  const look = trouble ? troubleLooks[trouble] : tracking.stage === 'delivered' ? doneLook : null
  const place = [city, country && countryName(country)].filter(Boolean).join(', ')
  const arrives = trouble === null && tracking.stage !== 'delivered' ? comingDay(tracking, checked) : null
  const state = translate(headline.text, headline.values)
  const waits = waitsUntil(tracking, checked)
  const delivered =
    tracking.stage === 'delivered'
      ? parcels
          .flatMap(parcel => parcel.events.map(event => event.at))
          .toSorted()
          .at(-1)
      : undefined
  return [
    outOfReach &&
      el(
        'p',
        { class: 'said', role: 'status' },
        icon(icons.late),
        el('span', {}, t('The shop cannot be reached right now. This page tries again automatically.')),
      ),
    el(
      'div',
      { class: 'card' },
      el(
        'section',
        { class: 'answer' },
        el(
          'h1',
          { class: look ? look[1] : null },
          look && icon(icons[look[0]]),
          el('span', {}, arrives ? t('Arrives {{day}}', { day: dayText(arrives) }) : state),
        ),
        arrives && el('p', { class: 'lead' }, state),
        waits && el('p', { class: 'lead' }, waits),
        delivered && el('p', { class: 'lead' }, instantText(delivered, tracking.time_zone, instantStyle)),
        advice &&
          el(
            'p',
            { class: trouble ? `advice ${trouble === 'delayed' || trouble === 'returning' ? 'soon' : 'stop'}` : null },
            translate(advice.text, advice.values),
          ),
        tracking.order_no === null
          ? null
          : el('p', { class: 'dim' }, `${tracking.company.name} · ${t('Order {{number}}', { number: tracking.order_no })}`),
        trouble === 'cancelled' || tracking.stage === 'delivered' ? null : stageBar(tracking),
        el(
          'dl',
          { class: 'facts' },
          ...fact(
            t('Chosen delivery day'),
            tracking.promised_day && tracking.stage !== 'delivered' && !arrives ? dayText(tracking.promised_day) : null,
          ),
          ...(tracking.order_no === null ? [] : fact(t('Ordered on'), instantText(tracking.ordered_at, tracking.time_zone, dayStyle))),
          ...fact(t('In the same parcel'), tracking.together.join(', ') || null),
          ...fact(t('Shipping address'), place || null),
        ),
      ),
      parcelShop(tracking.parcel_shop),
      ...parcels.map((parcel, i) => parcelCard(parcel, i + 1, parcels.length, tracking.time_zone)),
      waiting.length > 0 &&
        el(
          'section',
          {},
          el('h2', {}, expected_on === null ? t('Not packed yet') : t('Leaves the shop on {{day}}', { day: dayText(expected_on) })),
          items(waiting),
        ),
      not_coming.length > 0 && el('section', {}, el('h2', {}, t('Cancelled, and not sent')), items(not_coming)),
    ),
    campaign,
    returnPath !== null && el('a', { class: 'return', href: returnPath }, icon(icons.back), t('Return items')),
    helpForm(help, deeds),
    el(
      'p',
      { class: 'below dim' },
      el('span', { id: 'checked' }, checkedText(checked, tracking.time_zone)),
      el('button', { type: 'button', class: 'quiet', click: deeds.another }, t('Find another parcel')),
    ),
  ]
}

/** Changed in place each minute, so that nothing else has to be drawn again for it. The clock is the shop's, and is named here once. */
export const checkedText = (checked: Date, timeZone: string): string =>
  t('Last checked {{time}}', {
    time: instantText(checked.toISOString(), timeZone, { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }),
  })

/** The day that was agreed, as long as it is not over in the shop's time zone. */
function comingDay({ promised_day, time_zone }: Tracking, now: Date): string | null {
  return promised_day !== null && promised_day >= todayIn(time_zone, now) ? promised_day : null
}

/** YYYY-MM-DD, as Swedish writes a day. */
const todayIn = (timeZone: string, now: Date): string => new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now)

/** How long the parcel that leaves its shop first still waits. */
function waitsUntil({ parcels, time_zone }: Tracking, now: Date): string | null {
  const [first] = parcels.flatMap(({ collect_by }) => collect_by ?? []).toSorted()
  const count = first === undefined ? null : daysLeft(first, todayIn(time_zone, now))
  if (first === undefined || count === null) return null
  if (count === 0) return t('Today is the last day')
  const day = dayText(first)
  return count === 1 ? t('One day left, until {{day}}', { day }) : t('{{count}} days left, until {{day}}', { count, day })
}

function stageBar({ stage, trouble }: Tracking): HTMLElement {
  const names = entriesOf(stageNames)
  const now = names.findIndex(([name]) => name === stage)
  return el(
    'ol',
    { class: `stages${trouble ? ' troubled' : ''}` },
    ...names.map(([name, caption], i) =>
      el(
        'li',
        { class: i <= now ? 'reached' : null, 'aria-current': i === now ? 'step' : null },
        el('span', { class: 'dot' }, icon(icons[i < now ? 'done' : name])),
        el('span', { class: 'caption' }, t(caption)),
      ),
    ),
  )
}

function parcelCard(parcel: TrackedParcel, number: number, count: number, zone: string): HTMLElement {
  const [drawing, tone] = stateLooks[parcel.state]
  return el(
    'section',
    {},
    el(
      'div',
      { class: 'head' },
      el('h2', {}, count === 1 ? t('Parcel') : t('Parcel {{number}} of {{count}}', { number, count })),
      el('span', { class: `state ${tone}` }, icon(icons[drawing]), t(stateNames[parcel.state])),
    ),
    el(
      'dl',
      { class: 'facts' },
      ...fact(t('Carried by'), parcel.courier),
      ...fact(t('Tracking number'), parcel.tracking_no),
      ...fact(t('Collect by'), parcel.collect_by && dayText(parcel.collect_by)),
    ),
    parcel.events.length > 0 && [
      el('h3', {}, t('What has happened')),
      el(
        'ol',
        { class: 'events' },
        ...parcel.events.map(event =>
          el(
            'li',
            {},
            el('time', { datetime: event.at, class: 'dim' }, instantText(event.at, zone, instantStyle)),
            el('span', {}, translate(event.text), event.place && el('span', { class: 'dim' }, ` · ${event.place}`)),
          ),
        ),
      ),
    ],
    parcel.items.length > 0 && [el('h3', {}, t('In this parcel')), items(parcel.items)],
  )
}

const items = (list: readonly { name: string; qty: number }[]): HTMLElement =>
  el('ul', { class: 'items' }, ...list.map(({ name, qty }) => el('li', {}, el('span', { class: 'qty' }, `${qty} ×`), el('span', {}, name))))

/** The one form of a day on this page, and of an instant. */
const dayStyle = { weekday: 'long', day: 'numeric', month: 'long' } as const
const instantStyle = { ...dayStyle, hour: '2-digit', minute: '2-digit' } as const

const fact = (caption: string, text: string | null): readonly Child[] =>
  text ? [el('div', {}, el('dt', {}, caption), el('dd', {}, text))] : []

function instantText(at: string, timeZone: string, style: Intl.DateTimeFormatOptions): string {
  const date = new Date(at)
  try {
    return new Intl.DateTimeFormat(tag(), { ...style, timeZone }).format(date)
  } catch {
    return new Intl.DateTimeFormat(tag(), style).format(date)
  }
}

const dayText = (day: string): string => instantText(`${day}T12:00:00Z`, 'UTC', dayStyle)

function countryName(code: string): string {
  try {
    return new Intl.DisplayNames(tag(), { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}
