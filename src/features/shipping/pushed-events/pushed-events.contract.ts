/** Pushed events: what couriers send of parcels by themselves. */
import { call, contract } from '#contract/endpoint.ts'
import type { pushedEventsSchemas } from './pushed-events.schemas.ts'

/** Bytes; a courier sends one event of one parcel. */
const largestDelivery = 65_536

export const pushedEvents = contract<typeof pushedEventsSchemas>({
  name: 'pushedEvents',
  area: 'shipping',
  access: 'anyone',
  internal: true,
}).calls({
  receive: call('POST courier_webhooks/{agent_code}/receive', {
    external: true,
    whileClosed: true,
    upload: largestDelivery,
    rateLimit: { max: 3_000, seconds: 60 },
  }),
})
