/** Codes and limits that screens and schemas of outgoing webhooks share. */
import { type EventsOfObject, publicTypes } from '#features/deliveries/outbox/public-events.rules.ts'

export const mostWebhooks = 20
/** Days for which events are kept to be sent again, and what was sent is kept for the log. */
export const logDays = 14
/** Days that the chart of deliveries shows, with today. */
export const chartDays = 14
export const deliveryStates = ['waiting', 'sending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** Kinds of events by the object before their dot, in the order of the catalogue. */
export const eventGroups: readonly { object: string; types: readonly (typeof publicTypes)[number][] }[] = [
  ...Map.groupBy(publicTypes, type => type.split('.')[0] ?? ''),
].map(([object, types]) => ({ object, types }))

export const allOf = (object: string): EventsOfObject => `${object}.*`

/** The kinds of events that a webhook gets now. */
export const typesOf = (events: readonly string[]) =>
  eventGroups.flatMap(({ object, types }) => (events.includes(allOf(object)) ? types : types.filter(type => events.includes(type))))

/** What HTTP and the delivery itself write. */
const ownHeaders = [
  'accept',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]

/** Whether a webhook may send a header of this name beside its own. */
export const mayBeHeader = (name: string): boolean =>
  /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/.test(name) && !ownHeaders.includes(name.toLowerCase()) && !/^(pakhus|proxy)-/i.test(name)
