/** Courier events: which event of a courier tells the shop, the recipient and the warehouse. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import type { courierEventsSchemas } from './courier-events.schemas.ts'

export const courierEventSettings = contract<typeof courierEventsSchemas>({
  name: 'courierEventSettings',
  area: 'shipping',
  access: access.settings,
}).calls({
  get: call('GET courier_events/settings/get/{agent_code}'),
  set: call('POST courier_events/settings/set/{agent_code}'),
})
