/** Tracking: how far an order has come, for its recipient, in sentences of our own and never in a courier's or a colleague's. */
import { type Locale, locales } from '#contract/limits.ts'
import { helpWords } from './help-topics.rules.ts'

export const stages = ['ordered', 'packed', 'on_its_way', 'delivered'] as const
type Stage = (typeof stages)[number]

export const publicStates = [
  'packed',
  'on_its_way',
  'out_for_delivery',
  'ready_for_pickup',
  'delivered',
  'delivery_failed',
  'delayed',
  'returning',
  'returned',
] as const
export type PublicState = (typeof publicStates)[number]

/** What a recipient reads about each state of a shipment; states that are not listed are not shown. */
const shownAs: Readonly<Record<string, PublicState>> = {
  booked: 'packed',
  handed_over: 'on_its_way',
  in_transit: 'on_its_way',
  out_for_delivery: 'out_for_delivery',
  ready_for_pickup: 'ready_for_pickup',
  delivered: 'delivered',
  delivery_failed: 'delivery_failed',
  needs_attention: 'delayed',
  lost: 'delayed',
  returning: 'returning',
  returned_to_sender: 'returned',
}
/**
 * What happened to a parcel, the newest first, without what was taken back: a hand-over that was undone never was, and the parcel was packed
 * once.
 */
export function stillTrue<E extends { state: string }>(events: readonly E[]): E[] {
  const shown: E[] = []
  for (const event of events.toReversed()) {
    if (event.state === 'booked' && shown.some(one => one.state === 'booked')) {
      if (shown.at(-1)?.state === 'handed_over') shown.pop()
    } else shown.push(event)
  }
  return shown.reverse()
}

export const publicState = (state: string): PublicState | null => shownAs[state] ?? null

/** A step on the way, by the state that it led to. */
export const eventSentences: Readonly<Record<PublicState, string>> = {
  packed: 'The parcel was packed and labelled',
  on_its_way: 'The parcel is on its way',
  out_for_delivery: 'The parcel is out for delivery',
  ready_for_pickup: 'The parcel is ready to be collected',
  delivered: 'The parcel was delivered',
  delivery_failed: 'The parcel could not be delivered',
  delayed: 'The parcel is delayed',
  returning: 'The parcel is on its way back to the shop',
  returned: 'The parcel came back to the shop',
}

const one: Readonly<Record<PublicState, string>> = {
  packed: 'Your parcel is packed',
  on_its_way: 'Your parcel is on its way',
  out_for_delivery: 'Your parcel comes today',
  ready_for_pickup: 'Your parcel is ready to be collected',
  delivered: 'Your parcel was delivered',
  delivery_failed: 'Your parcel could not be delivered',
  delayed: 'Your parcel is delayed',
  returning: 'Your parcel is on its way back to the shop',
  returned: 'Your parcel came back to the shop',
}
const several = {
  packed: 'Your parcels are packed',
  moving: '{{moving}} of {{count}} parcels are on their way',
  delivered: 'All your parcels were delivered',
  partly: '{{delivered}} of {{count}} parcels were delivered',
  trouble: 'One of your parcels needs attention',
} as const
const headlines = {
  ordered: 'The shop is preparing your order',
  packed: 'Your order is packed',
  gone: 'Your order has left the warehouse',
  part: 'Part of your order is on its way',
  partly: 'Part of your order was delivered',
  cancelled: 'This order was cancelled',
} as const
const advices = {
  ordered: 'Come back to this page at any time: it shows when your parcel leaves.',
  cancelled: 'Nothing more will be sent. If you did not expect this, ask the shop.',
  delivery_failed: 'Tell the shop when and where it can be delivered.',
  ready_for_pickup: 'Bring the parcel number with you.',
  delayed: 'No one has scanned it for a while. If it does not move, ask the shop.',
  returning: 'It could not be handed over. Ask the shop what happens next.',
  waiting: 'The rest follows in a parcel of its own.',
  undecided: 'The shop will tell you what happens to the rest.',
} as const

interface Sentence {
  /** A sentence with places: the translation key. */
  text: string
  values: Record<string, number>
}
export interface Way {
  stage: Stage
  trouble: 'cancelled' | 'delivery_failed' | 'delayed' | 'returning' | 'returned' | null
  headline: Sentence
  advice: Sentence | null
}

const troubles = ['delivery_failed', 'returning', 'returned', 'delayed'] as const

/** How far an order has come, from what is known of it; `waiting`: something of it lies in no parcel yet. */
export function wayOf(order: {
  cancelled: boolean
  work_state: string
  delivered: boolean
  parcels: readonly PublicState[]
  waiting: boolean
  /** A person of the shop still decides about what waits. */
  undecided: boolean
}): Way {
  const { parcels, waiting } = order
  const say = (text: string, values: Sentence['values'] = {}): Sentence => ({ text, values })
  if (order.cancelled) return { stage: 'ordered', trouble: 'cancelled', headline: say(headlines.cancelled), advice: say(advices.cancelled) }
  if (parcels.length === 0) {
    const gone = order.work_state === 'handed_over' || order.work_state === 'closed'
    if (order.delivered) return { stage: 'delivered', trouble: null, headline: say(one.delivered), advice: null }
    if (gone) return { stage: 'on_its_way', trouble: null, headline: say(headlines.gone), advice: null }
    if (order.work_state === 'packed') return { stage: 'packed', trouble: null, headline: say(headlines.packed), advice: null }
    return { stage: 'ordered', trouble: null, headline: say(headlines.ordered), advice: say(advices.ordered) }
  }
  const delivered = parcels.filter(state => state === 'delivered').length
  const moving = parcels.filter(state => state !== 'packed').length
  const trouble = troubles.find(state => parcels.includes(state)) ?? null
  const stage: Stage = delivered === parcels.length && !waiting ? 'delivered' : moving > 0 ? 'on_its_way' : 'packed'
  const counts = { count: parcels.length, delivered, moving }
  const only = parcels.length === 1 ? parcels[0] : undefined
  const headline = trouble
    ? say(only ? one[only] : several.trouble)
    : waiting && moving > 0
      ? say(delivered === parcels.length ? headlines.partly : headlines.part)
      : only
        ? say(one[only])
        : delivered === parcels.length
          ? say(several.delivered)
          : delivered > 0
            ? say(several.partly, counts)
            : moving > 0
              ? say(several.moving, counts)
              : say(several.packed)
  const advice = trouble
    ? advices[trouble === 'returned' ? 'returning' : trouble]
    : waiting
      ? advices[order.undecided ? 'undecided' : 'waiting']
      : parcels.includes('ready_for_pickup')
        ? advices.ready_for_pickup
        : null
  return { stage, trouble, headline, advice: advice && say(advice) }
}

/** What is answered when nothing is shown. */
export const refusals = {
  noLink: 'This link leads nowhere. It may be incomplete or too old: find your parcel by order number and postcode.',
  noOrder: 'We found no order with this number and postcode',
  askedOften: 'You have written often today. The shop answers soon.',
  noContact: 'The shop has no address to answer to. Call it instead.',
} as const

/** Every sentence that an answer of the tracking calls may name, for the page that must bring its translations. */
export const trackingSentences: readonly string[] = [
  ...[eventSentences, one, several, headlines, advices, refusals, helpWords].flatMap(table => Object.values(table)),
]

/** `da`, `da-DK`, `nb_NO`, `de_AT` → the locale in which we can answer, or null. */
export function localeOf(written: string | null | undefined): Locale | null {
  const language = written?.trim().toLowerCase().split(/[-_]/)[0] ?? ''
  const known = language === 'nb' || language === 'nn' ? 'no' : language
  return locales.find(locale => locale.startsWith(`${known}_`)) ?? null
}

/** The best of an Accept-Language header that we speak, or null. */
export function localeOfHeader(header: string | undefined): Locale | null {
  const wishes = (header ?? '')
    .slice(0, 500)
    .split(',')
    .map(part => {
      const [tag = '', ...more] = part.split(';')
      const quality = Number(more.map(one => /^\s*q=([\d.]+)/.exec(one)?.[1]).find(Boolean) ?? 1)
      return { locale: localeOf(tag), quality: Number.isFinite(quality) ? quality : 0 }
    })
    .filter(wish => wish.quality > 0)
  return wishes.toSorted((a, b) => b.quality - a.quality).find(wish => wish.locale !== null)?.locale ?? null
}
