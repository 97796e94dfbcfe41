/** Picking: what the picker's phone asks and sends – wagons to walk with, everything on one of them, and what happened, event by event. */
import { access } from '#contract/access.ts'
import { call, contract } from '#contract/endpoint.ts'
import { limits } from '#contract/limits.ts'
import type { pickingSchemas } from './picking.schemas.ts'

/** Bytes: phones make photos small before they send them. */
const photo = limits.picture

export const picking = contract<typeof pickingSchemas>({
  name: 'picking',
  area: 'warehouse',
  access: access.picks,
  workClass: 'scan',
  tenantScope: 'operator',
  company: 'main',
  internal: true,
}).calls({
  wagons: call('GET picking/wagons'),
  claim: call('POST picking/{pick_list_id}/wagon/{wagon_no}/claim', { ipLock: true }),
  wagon: call('GET picking/{pick_list_id}/wagon/{wagon_no}'),
  send: call('POST picking/{pick_list_id}/wagon/{wagon_no}/events', { external: true, ipLock: true }),
  photo: call('POST picking/{pick_list_id}/wagon/{wagon_no}/photo/{event}', { upload: photo, external: true }),
})
