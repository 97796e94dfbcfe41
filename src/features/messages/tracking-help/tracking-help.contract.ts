/** The help form of the tracking page: what a recipient writes becomes a message in the thread of the order. */
import { call, contract } from '#contract/endpoint.ts'
import type { trackingHelpSchemas } from './tracking-help.schemas.ts'

export const trackingHelp = contract<typeof trackingHelpSchemas>({
  name: 'trackingHelp',
  area: 'messages',
  access: 'anyone',
  internal: true,
}).calls({
  ways: call('GET tracking/help', { rateLimit: { max: 120, seconds: 60 } }),
  ask: call('POST tracking/help', { rateLimit: { max: 10, seconds: 3_600 } }),
})
